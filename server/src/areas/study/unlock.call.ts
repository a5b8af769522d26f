import type { studyUnlock } from '@hilum/contract/calls/study'
import type { Handler } from '../handler.ts'
import { changeLock } from './change-lock.command.ts'
import { releaseLock } from './study-write.sql.ts'

export const unlock: Handler<typeof studyUnlock> = async ({ services, caller, on, fail }) => {
  const isReleased = await changeLock(services, on.record, (tx) => releaseLock(tx, on.record.uuid, caller.userUuid))
  if (!isReleased) throw fail('LOCKED')
  return {}
}
