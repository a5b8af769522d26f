import { type Act, acts, mayDo } from '@hilum/contract/acts'
import type { Asker } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'
import { findReport } from './report.sql.ts'

/** Whether a report is there for an asker: the one who had it made, and who may still do so in its place. */
export async function isOwnReport(db: Db, asker: Asker, uuid: string): Promise<boolean> {
  if (asker.kind === 'link' || asker.derivedStudies) return false
  const report = await findReport(db, asker.userUuid, uuid)
  const act = (Object.keys(acts) as Act[]).find((one) => one === report?.act)
  if (!report || !act) return false
  return (await asker.memberships()).some((one) => one.namespaceUuid === report.namespace_uuid && mayDo(act, one))
}
