import { expect, it } from 'vitest'
import { recordingDatabase } from '../../test/recording-database.ts'
import type { Membership } from './caller.ts'
import { rememberMemberships } from './remembered-memberships.ts'

it('forgets the memberships that were gathered first when there are too many to remember', async () => {
  const asked: string[] = []
  const db = recordingDatabase(async () => [{ rights_epoch: 'one', memberships: [] }])
  const gather = async (userUuid: string) => {
    const read = () => {
      asked.push(userUuid)
      return Array.from<Membership>({ length: 8_000 })
    }
    await rememberMemberships(db, { userUuid, epoch: 'one' }, read)
  }
  for (const person of ['a', 'b', 'b', 'c', 'c', 'b', 'a', 'c', 'b']) await gather(person)
  expect(asked).toEqual(['a', 'b', 'c', 'a', 'b'])
})
