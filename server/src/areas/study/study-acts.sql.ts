import { restoreDays } from '@hilum/contract/limits'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.ts'

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

/** Hides a record, unless it is deleted already or a hold on it or its patient keeps it. */
export async function markDeleted(tx: Tx, key: RecordKey, userUuid: string): Promise<'deleted' | 'gone' | 'held'> {
  const { rows } = await sql<{ hold: boolean }>`
    select s.hold or exists (
        select
        from patient_hold h
        where h.account_uuid = s.account_uuid and h.issuer = s.issuer and h.patientid = s.patientid and h.patientid <> ''
      ) as hold
    from study s
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid} and s.deleted_at is null
    for update
  `.execute(tx)
  const [row] = rows
  if (!row) return 'gone'
  if (row.hold) return 'held'
  await sql`
    update study
    set deleted_at = now(), deleted_by = ${userUuid}, updated = now(), row_version = row_version + 1
    where phi_namespace = ${key.phi_namespace} and uuid = ${key.uuid}
  `.execute(tx)
  return 'deleted'
}

/** Shows a deleted record again; false when it is not deleted, or was too long ago. */
export async function unmarkDeleted(tx: Tx, key: RecordKey): Promise<boolean> {
  const { rows } = await sql`
    update study
    set deleted_at = null, deleted_by = null, updated = now(), row_version = row_version + 1
    where phi_namespace = ${key.phi_namespace}
      and uuid = ${key.uuid}
      and deleted_at > now() - make_interval(days => ${restoreDays})
    returning uuid
  `.execute(tx)
  return rows.length > 0
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

export interface TimingRow {
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
