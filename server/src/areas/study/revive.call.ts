import type { studyRevive } from '@hilum/contract/calls/study-acts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { Handler } from '../handler.ts'
import { unmarkDeleted } from './study-acts.sql.ts'

export const revive: Handler<typeof studyRevive> = async ({ services, caller, on, fail }) => {
  const { record } = on
  await services.db.transaction().execute(async (tx) => {
    if (!(await unmarkDeleted(tx, record))) throw fail('CAN_NOT_REVIVE')
    await writeStudyAudit(tx, caller, record, 'REVIVE')
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  })
  services.events.ring()
  return {}
}
