import type { AccessAct } from '@hilum/contract/route'
import { createHash } from 'node:crypto'
import type { Asker } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Database } from '../../db/database.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { noteFirstAccess } from './access.sql.ts'
import { writeStudyAudit } from './audit.sql.ts'

const MAX_REMEMBERED = 10_000

/** Accesses known to be on record, so that the thousand frames of one viewing ask the database once. */
const remembered = new Set<string>()

/** The detail that makes an access another one than without it. Names and numbers only: it is kept for good. */
export type AccessDetail = { anonymize_tags: string[] }

/**
 * Puts an access to a study's images on record, once per session, act, detail and study. Await it before the first byte leaves.
 */
export async function recordAccess(
  db: Database,
  caller: Asker,
  access: Pick<StudyAccess, 'record'>,
  action: AccessAct,
  detail?: AccessDetail,
): Promise<void> {
  const { record } = access
  const act = detail ? `${action}/${digestOf(detail)}` : action
  const key = `${caller.sessionUuid}/${act}/${record.uuid}`
  if (remembered.has(key)) return
  await db.transaction().execute(async (tx) => {
    if (!(await noteFirstAccess(tx, caller.sessionUuid, act, record.uuid))) return
    await writeStudyAudit(tx, caller, record, action, detail)
    // a program that is told of a study reads it: telling of that would call it for ever
    if (caller.kind !== 'key') await tellEvent(tx, action === 'REPORT_VIEW' ? 'STUDY_REPORT_VIEW' : action, [record])
  })
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.add(key)
}

function digestOf(detail: AccessDetail): string {
  return createHash('sha256').update(JSON.stringify(detail)).digest('hex').slice(0, 32)
}
