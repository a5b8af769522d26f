import type { studyDelete } from '@hilum/contract/calls/study-acts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { Handler } from '../handler.ts'
import { findKeeper } from '../storage/delete-images.sql.ts'
import { markDeleted } from './study-acts.sql.ts'

export const remove: Handler<typeof studyDelete> = async ({ services, caller, on, fail }) => {
  const { record } = on
  await services.db.transaction().execute(async (tx) => {
    // of any record of the same images: a freeze reaches all shared copies
    const keeper = await findKeeper(tx, record)
    if (keeper) throw fail('NOT_PERMITTED', { subtype: keeper })
    const outcome = await markDeleted(tx, record, caller.userUuid)
    if (outcome === 'gone') throw fail('NOT_FOUND')
    if (outcome === 'held') throw fail('NOT_PERMITTED', { subtype: 'hold' })
    await writeStudyAudit(tx, caller, record, 'DELETE', { study_uid: record.study_uid })
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  })
  services.events.ring()
  return {}
}
