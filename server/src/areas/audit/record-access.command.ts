import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Database } from '../../db/database.ts'
import { noteFirstAccess } from './access.sql.ts'
import { writeStudyAudit } from './audit.sql.ts'

export type AccessAction = 'STUDY_VIEW' | 'STUDY_DOWNLOAD' | 'REPORT_VIEW'

const MAX_REMEMBERED = 10_000

/** What this process has seen on record, so that the thousand frames of one viewing ask the database once. */
const remembered = new Set<string>()

/**
 * Puts an access to a study's images on record, once per session, act and study. Await it before the first byte leaves.
 */
export async function recordAccess(
  db: Database,
  caller: Caller,
  access: Pick<StudyAccess, 'record'>,
  action: AccessAction,
): Promise<void> {
  const { record } = access
  const key = `${caller.sessionUuid}/${action}/${record.uuid}`
  if (remembered.has(key)) return
  await db.transaction().execute(async (tx) => {
    if (!(await noteFirstAccess(tx, caller.sessionUuid, action, record.uuid))) return
    await writeStudyAudit(tx, caller, record, action)
  })
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.add(key)
}
