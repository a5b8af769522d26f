import { sql } from 'kysely'
import { isShown } from '../../access/record-sources.sql.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import { instanceColumns, type StoredInstance } from '../storage/instance.sql.ts'

export interface HeaderWanted {
  storage_namespace: string | null
  study_key: number | null
  series_uid?: string
  sop_uid?: string
}

/**
 * One image that the scope shows for each study, series or instance named, always the same one: the first in the order of the index, which
 * costs no sorting. All of `wanted` name the same level.
 */
export async function findHeaders(
  db: Db,
  scope: StudyScope,
  wanted: readonly HeaderWanted[],
): Promise<Map<number, StoredInstance>> {
  const [first] = wanted
  if (!first) return new Map()
  const { rows } = await sql<StoredInstance & { place: number }>`
    /* prepared */
    select w.place::int as place, ${instanceColumns}
    from unnest(
      ${wanted.map((one) => one.storage_namespace)}::uuid[],
      ${wanted.map((one) => one.study_key)}::bigint[],
      ${wanted.map((one) => one.series_uid ?? '')}::text[],
      ${wanted.map((one) => one.sop_uid ?? '')}::text[]
    ) with ordinality as w(storage_namespace, study_key, series_uid, sop_uid, place)
    cross join lateral (
      select *
      from instance i
      where i.storage_namespace = w.storage_namespace
        and i.study_key = w.study_key
        ${first.series_uid === undefined ? sql`` : sql`and i.series_uid = w.series_uid`}
        ${first.sop_uid === undefined ? sql`` : sql`and i.sop_uid = w.sop_uid`}
        and i.is_primary
        and ${isShown(scope.withholdsReports)}
      order by i.series_uid, i.sop_uid
      limit 1
    ) i
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    order by w.place
  `.execute(db)
  return new Map(rows.map(({ place, ...location }) => [place - 1, location]))
}
