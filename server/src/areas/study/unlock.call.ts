import type { studyUnlock } from '@hilum/contract/calls/study'
import type { Handler } from '../handler.ts'
import { releaseLock } from './study-write.sql.ts'
import { tellLockChanged } from './tell-lock.command.ts'

export const unlock: Handler<typeof studyUnlock> = async ({ services, caller, on, fail }) => {
  if (!(await releaseLock(services.db, on.record.uuid, caller.userUuid))) throw fail('LOCKED')
  await tellLockChanged(services, on.record)
  return {}
}
