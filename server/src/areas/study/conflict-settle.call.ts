import type { studyConflictSettle } from '@hilum/contract/calls/study-conflicts'
import { uuidForm } from '@hilum/contract/wire'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { listConflicts, showVersion } from '../ingest/conflict.sql.ts'
import { recountStoredStudy, touchShowingRecords } from '../retention/delete-images.sql.ts'
import { lockStoredStudy } from '../storage/ingest.sql.ts'
import { findOwnStored } from '../storage/record-images.sql.ts'

export const settle: Handler<typeof studyConflictSettle> = async ({ services, input, caller, on, fail }) => {
  const { record } = on
  const versions = await listConflicts(services.db, record, input.sop_uid, 1)
  // the images of a share are the sender's; only there somebody says which one is shown
  if (versions.some((one) => one.storage_namespace !== record.phi_namespace)) throw fail('NOT_PERMITTED')
  const invalid = () => fail('INVALID_PARAMETERS', { subtype: ['sop_uid', 'series_uid', 'version'] })
  const key = await findOwnStored(services.db, record)
  if (!key) throw invalid()
  await services.db.transaction().execute(async (tx) => {
    const stored = await lockStoredStudy(tx, key)
    const before = stored && uuidForm.test(input.version) && (await showVersion(tx, stored, input))
    if (!stored || !before) throw invalid()
    await recountStoredStudy(tx, stored)
    await touchShowingRecords(tx, key, new Date())
    const { sop_uid, version } = input
    await writeStudyAudit(tx, caller, record, 'CONFLICT_SETTLED', { image_uid: sop_uid, shown: version, before })
  })
  services.events.ring()
  return {}
}
