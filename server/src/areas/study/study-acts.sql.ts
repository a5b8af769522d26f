import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'

/** Columns that timings are found and sorted by. */
export const timingColumns = {
  created: { kind: 'stamp', column: sql.ref('t.created') },
  event: { kind: 'exact', column: sql.ref('t.event') },
  size: { kind: 'integer', column: sql.ref('t.size') },
} as const satisfies FilterColumns

export const newestTimings = sql`t.id desc`

interface RecordKey {
  phi_namespace: string
  uuid: string
}

/** Puts a user's star on a record or takes it off. */
export async function setStar(db: Db, userUuid: string, key: RecordKey, isStarred: boolean): Promise<void> {
  if (isStarred) {
    await sql`
      insert into study_star (user_uuid, phi_namespace, study_uuid)
      values (${userUuid}, ${key.phi_namespace}, ${key.uuid})
      on conflict do nothing
    `.execute(db)
    return
  }
  await sql`delete from study_star where user_uuid = ${userUuid} and study_uuid = ${key.uuid}`.execute(db)
}

export async function insertTiming(
  db: Db,
  one: { storageNamespace: string; studyUid: string; event: string; size: number | null; userUuid: string },
): Promise<void> {
  await sql`
    insert into study_timing (storage_namespace, study_uid, event, size, by_user)
    values (${one.storageNamespace}, ${one.studyUid}, ${one.event}, ${one.size}::bigint, ${one.userUuid})
  `.execute(db)
}

interface TimingRow {
  created: string
  event: string
  size: number | null
}

export async function listTimings(
  db: Db,
  key: { storage_namespace: string; study_uid: string },
  { where, orderBy, limit }: ListSql,
): Promise<TimingRow[]> {
  const { rows } = await sql<TimingRow>`
    select to_char(t.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as created, t.event, t.size,
      ${totalColumn}
    from study_timing t
    where t.storage_namespace = ${key.storage_namespace} and t.study_uid = ${key.study_uid} and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}
