import { mayDo } from '@hilum/contract/acts'
import type { studyLock } from '@hilum/contract/calls/study'
import { lockSeconds } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { changeLock } from './change-lock.command.ts'
import { findLockHolder, takeLock } from './study-write.sql.ts'

export const lock: Handler<typeof studyLock> = async ({ services, caller, on, fail }) => {
  const until = await changeLock(services, on.record, (tx) =>
    takeLock(tx, {
      phiNamespace: on.record.phi_namespace,
      uuid: on.record.uuid,
      userUuid: caller.userUuid,
      sessionUuid: caller.sessionUuid,
      seconds: lockSeconds,
    }),
  )
  if (!until) {
    // study/get names the same person to the same readers
    const name = mayDo('viewStudy', on) ? await findLockHolder(services.db, on.record.uuid) : ''
    throw fail('LOCKED', { data: { locked_by_name: name } })
  }
  return { until }
}
