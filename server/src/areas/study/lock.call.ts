import type { studyLock } from '@hilum/contract/calls/study'
import { lockSeconds } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { takeLock } from './study-write.sql.ts'
import { tellLockChanged } from './tell-lock.command.ts'

export const lock: Handler<typeof studyLock> = async ({ services, caller, on, fail }) => {
  const until = await takeLock(services.db, {
    phiNamespace: on.record.phi_namespace,
    uuid: on.record.uuid,
    userUuid: caller.userUuid,
    sessionUuid: caller.sessionUuid,
    seconds: lockSeconds,
  })
  if (!until) throw fail('LOCKED')
  await tellLockChanged(services, on.record)
  return { until }
}
