import { expect, it, vi } from 'vitest'
import { madeCaller } from '../../test/made-caller.ts'
import type { Database } from '../db/database.ts'
import { openLog } from '../log.ts'
import { watchAccess } from './access-watch.ts'
import * as findCaller from './find-caller.ts'

/* Rights that end between the look at the session and the opening of the door, when nobody listens for them yet. */

function watch(isLive: () => boolean) {
  let ring: (userUuid: string) => void = () => undefined
  const looks = vi.spyOn(findCaller, 'findCallerAgain').mockImplementation(async () => {
    await Promise.resolve()
    return isLive() ? madeCaller([]) : undefined
  })
  looks.mockClear()
  const access = watchAccess({} as Database, (hear) => ((ring = hear), () => undefined), openLog('silent'))
  return { access, looks, ring: (userUuid: string) => ring(userUuid) }
}

it.each(['user', ''])('closes a door that was opened after its end had been rung for "%s"', async (rung) => {
  const { access, ring } = watch(() => false)
  const caller = madeCaller([], { askedAt: performance.now() })
  ring(rung)
  const close = vi.fn()
  access.open({ caller, close })
  await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(access.count('user')).toBe(0)
  await access.close()
})

it('asks nothing about a door whose caller was looked up after the bell, or when another was meant', async () => {
  const { access, ring, looks } = watch(() => true)
  ring('user')
  ring('somebody else')
  await new Promise((resolve) => setImmediate(resolve))
  access.open({ caller: madeCaller([], { askedAt: performance.now() + 1 }), close: () => undefined })
  expect(access.settling('user')).toBeUndefined()
  expect(looks).not.toHaveBeenCalled()
  await access.close()
})

it('looks twice for a hundred changes at once, and the second time after the last of them', async () => {
  const { access, ring, looks } = watch(() => true)
  access.open({ caller: madeCaller([], { askedAt: performance.now() + 1 }), close: () => undefined })
  for (let change = 0; change < 100; change++) ring('')
  await access.settling('user')
  expect(looks).toHaveBeenCalledTimes(2)
  expect(access.settling('user')).toBeUndefined()
  await access.close()
})
