import { MutationObserver, notifyManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiFailure } from '../api/api-failure.ts'
import { queryClient } from './query-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  queryClient.clear()
})

/** Shows a list whose reads fail in this way until the server is well. */
async function showList(failure: Error) {
  let reads = 0
  let isWell = false
  const read = async () => {
    reads += 1
    if (!isWell) throw failure
    return 'studies'
  }
  const observer = new QueryObserver(queryClient, { queryKey: [failure], queryFn: read })
  const leave = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(20_000)
  const readsBefore = reads
  isWell = true
  await vi.advanceTimersByTimeAsync(20_000)
  const shown = observer.getCurrentResult().data
  const readsWell = reads - readsBefore
  await vi.advanceTimersByTimeAsync(60_000)
  const readsAfter = reads - readsBefore - readsWell
  leave()
  return { readsBefore, shown, readsWell, readsAfter }
}

test.each([
  ['no database', new ApiFailure('HTTP_ERROR', { status: 503 })],
  ['no network', new ApiFailure('ERR_NETWORK')],
])('a list that met %s heals by itself, and is then left alone', async (_, failure) => {
  const { readsBefore, ...healed } = await showList(failure)
  expect(readsBefore).toBeGreaterThan(2)
  expect(healed).toEqual({ shown: 'studies', readsWell: 1, readsAfter: 0 })
})

test.each([
  ['a refusal', new ApiFailure('NOT_PERMITTED', { status: 412 })],
  ['a fault of the server', new ApiFailure('HTTP_ERROR', { status: 500 })],
])('%s is not asked for again', async (_, failure) => {
  expect(await showList(failure)).toEqual({ readsBefore: 1, shown: undefined, readsWell: 0, readsAfter: 0 })
})

test('an act is drawn as running before the next event of the browser', async () => {
  const told: string[] = []
  const act = new MutationObserver(queryClient, { mutationFn: () => new Promise<never>(() => undefined) })
  // as the hook of a screen listens
  act.subscribe(notifyManager.batchCalls(() => void told.push(act.getCurrentResult().status)))
  void act.mutate()
  await Promise.resolve() // no task runs meanwhile: the clock of this test stands still
  expect(told).toEqual(['pending'])
})
