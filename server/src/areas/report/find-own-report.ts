import { type Act, acts, mayDo } from '@hilum/contract/acts'
import type { Asker, Caller } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'
import { findReport, type MadeReport } from './report.sql.ts'

/**
 * A report as it is there for an asker: for the one who had it made, and who may still do so in its place and see and
 * report the studies of every place that it holds patients of.
 */
export async function findOwnReport(
  db: Db,
  asker: Asker,
  uuid: string,
): Promise<{ caller: Caller; report: MadeReport } | undefined> {
  if (asker.kind === 'link' || asker.derivedStudies) return undefined
  const report = await findReport(db, asker.userUuid, uuid)
  const act = (Object.keys(acts) as Act[]).find((one) => one === report?.act)
  if (!report || !act) return undefined
  const memberships = await asker.memberships()
  const may = (place: string, asked: Act) => memberships.some((one) => one.namespaceUuid === place && mayDo(asked, one))
  const isThere =
    may(report.namespace_uuid, act) && report.places.every((place) => may(place, act) && may(place, 'viewStudy'))
  return isThere ? { caller: asker, report } : undefined
}
