import type { DeletedExam, RetainedEntry, PurgedExam } from '@hilum/contract/calls/retention'
import { restoreDays } from '@hilum/contract/limits'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import { isHeld } from '../storage/hold.sql.ts'
import { lastDaySql } from '../storage/retention-days.sql.ts'
import { dueAt, mustStay, nameOfPerson, stampSql, retentionCause } from './retention-cause.sql.ts'

const examColumns = sql`s.uuid, s.phi_namespace as namespace_id, coalesce(n.name, '') as namespace_name, s.study_uid,
      s.patient_name, s.patientid, s.issuer, s.study_date, s.study_description`

/** Columns that kept things are found and sorted by. None is of a patient, since lists stand in addresses. */
export const retainedColumns = {
  kind: { kind: 'exact', column: sql.ref('t.kind') },
  reason: { kind: 'text', column: sql.ref('t.reason') },
  namespace_name: { kind: 'text', column: sql.ref('t.namespace_name') },
  since: { kind: 'stamp', column: sql.ref('t.at') },
} as const satisfies FilterColumns

export const retainedSorts: FilterColumns = {
  ...retainedColumns,
  until: { kind: 'stamp', column: sql.ref('t.retain_until') },
}

export const newestRetained = sql`t.at desc nulls last, t.kind, t.uuid, t.patientid`

type RetainedRow = Omit<RetainedEntry, 'is_deleted'> & { is_deleted: boolean }

/**
 * Holds of an account and dates of retention that are not over. The person and moment of one are on record with the
 * exam; those of a patient's hold stand in its own row, of which the first way that the number is written counts.
 */
export async function listRetained(
  db: Db,
  accountUuid: string,
  now: Date,
  { where, orderBy, limit }: ListSql,
): Promise<RetainedRow[]> {
  const onRecord = (action: string) => sql`
        select a.at, a.actor_name, a.detail
        from audit a
        where a.object_uuid = s.uuid and a.action = ${action} and (a.action <> 'EDIT' or a.detail ? 'retain_until')
        order by a.at desc, a.id desc
        limit 1`
  const { rows } = await sql<RetainedRow>`
    select t.kind, t.uuid, t.namespace_id, t.namespace_name, t.study_uid, t.patient_name, t.patientid, t.issuer, t.study_date,
      t.study_description, t.is_deleted, ${lastDaySql(sql`t.retain_until`)} as until, t.reason, t.by_name,
      ${stampSql(sql`t.at`)} as since, ${totalColumn}
    from (
      select 'study' as kind, ${examColumns}, s.deleted_at is not null as is_deleted, null::timestamptz as retain_until,
        s.hold_reason as reason, coalesce(r.actor_name, '') as by_name, r.at
      from study s
      left join namespace n on n.uuid = s.phi_namespace
      left join lateral (${onRecord('HOLD')}) r on true
      where s.account_uuid = ${accountUuid} and s.hold
      union all
      select 'date', ${examColumns}, s.deleted_at is not null, s.retain_until, coalesce(r.detail ->> 'reason', ''),
        coalesce(nullif(r.actor_name, ''), r.detail ->> 'machine_user', ''), r.at
      from study s
      left join namespace n on n.uuid = s.phi_namespace
      left join lateral (${onRecord('EDIT')}) r on true
      where s.account_uuid = ${accountUuid} and s.retain_until > ${now}
      union all
      select 'patient', null, null, '', '', '', h.patientid, h.issuer, '', '', false, null, h.reason,
        ${nameOfPerson(sql`h.by_user`)}, h.at
      from (
        select distinct on (h.issuer, coalesce(nullif(folded_id(h.patientid), ''), h.patientid)) h.*
        from patient_hold h
        where h.account_uuid = ${accountUuid}
        order by h.issuer, coalesce(nullif(folded_id(h.patientid), ''), h.patientid), h.patientid
      ) h
    ) t
    where ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

export const binColumns = {
  kept_by: { kind: 'exact', column: sql.ref('t.kept_by') },
  namespace_name: { kind: 'text', column: sql.ref('t.namespace_name') },
  deleted_at: { kind: 'stamp', column: sql.ref('t.deleted') },
  due_at: { kind: 'stamp', column: sql.ref('t.due') },
} as const satisfies FilterColumns

export const firstDue = sql`t.due nulls last, t.uuid`

/** Deleted exams of an account, each with what keeps it. Uses study_bin_of_account. */
export async function listBin(
  db: Db,
  accountUuid: string,
  now: Date,
  { where, orderBy, limit }: ListSql,
): Promise<DeletedExam[]> {
  const { rows } = await sql<DeletedExam>`
    select t.uuid, t.namespace_id, t.namespace_name, t.study_uid, t.patient_name, t.patientid, t.issuer, t.study_date,
      t.study_description, ${stampSql(sql`t.deleted`)} as deleted_at, ${nameOfPerson(sql`t.deleted_by`)} as deleted_by,
      t.kept_by, ${lastDaySql(sql`t.retain_until`)} as retain_until, ${stampSql(sql`t.due`)} as due_at, ${totalColumn}
    from (
      select b.*, case when b.kept_by in ('hold', 'patient', 'retraction') then null else b.first_due end as due
      from (
        select ${examColumns}, s.deleted_at as deleted, s.deleted_by, s.retain_until, ${retentionCause(now)} as kept_by,
          ${dueAt(restoreDays)} as first_due
        from study s
        left join namespace n on n.uuid = s.phi_namespace
        where s.account_uuid = ${accountUuid} and s.deleted_at is not null
      ) b
    ) t
    where ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/** How many deleted exams of an account go with the next purge, later, and not before a hold or a retraction ends. */
export async function countBin(
  db: Db,
  accountUuid: string,
  now: Date,
): Promise<{ due: number; later: number; held: number }> {
  const { rows } = await sql<{ due: number; later: number; held: number }>`
    select count(*) filter (where not t.is_held and t.due < ${now})::integer as due,
      count(*) filter (where not t.is_held and t.due >= ${now})::integer as later,
      count(*) filter (where t.is_held)::integer as held
    from (
      select (${isHeld} or s.retraction_uuid is not null) as is_held, ${dueAt(restoreDays)} as due
      from study s
      where s.account_uuid = ${accountUuid} and s.deleted_at is not null
    ) t
  `.execute(db)
  return rows[0] ?? { due: 0, later: 0, held: 0 }
}

/** How many deleted exams of an account must stay at a moment. */
export async function countStaying(tx: Tx, accountUuid: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from study s
    where s.account_uuid = ${accountUuid} and s.deleted_at is not null and ${mustStay(now)}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

export const purgedColumns = {
  at: { kind: 'stamp', column: sql.ref('a.at') },
  namespace_name: { kind: 'text', column: sql`coalesce(n.name, '')` },
  study_uid: { kind: 'exact', column: sql`(a.detail ->> 'study_uid')` },
} as const satisfies FilterColumns

export const latestPurge = sql`a.at desc, a.id desc`

/** Exams of an account that are gone for good, as they are on record. Uses audit_purges. */
export async function listPurged(
  db: Db,
  accountUuid: string,
  { where, orderBy, limit }: ListSql,
): Promise<PurgedExam[]> {
  const { rows } = await sql<PurgedExam>`
    select a.id::text as uuid, ${stampSql(sql`a.at`)} as at, coalesce(a.object_uuid::text, '') as study_id,
      coalesce(a.detail ->> 'study_uid', '') as study_uid, coalesce(n.name, '') as namespace_name,
      a.detail ->> 'deleted_at' as deleted_at, coalesce(a.detail ->> 'deleted_by', '') as deleted_by,
      coalesce(a.detail ->> 'machine_user', '') as operator, coalesce(a.detail ->> 'reason', '') as reason, ${totalColumn}
    from audit a
    left join namespace n on n.uuid = a.phi_namespace
    where a.account_uuid = ${accountUuid} and a.action = 'PURGE' and a.type = 'Study' and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

interface RuledPlace {
  namespace_id: string
  name: string
  kind: 'account' | 'group' | 'location'
  retention_days: number | null
}

/**
 * The places of an account that can have a rule of their own: its inbox, groups and locations, deleted ones among them
 * while exams of theirs are in the bin.
 */
export async function listRuledPlaces(db: Db, accountUuid: string): Promise<RuledPlace[]> {
  const { rows } = await sql<RuledPlace>`
    select n.uuid as namespace_id, n.name, n.kind, v.value::integer as retention_days
    from namespace n
    left join setting v on v.scope = 'namespace' and v.scope_uuid = n.uuid and v.key = 'retention_days'
      and v.value ~ '^\\d{1,5}$'
    where n.account_uuid = ${accountUuid} and n.kind in ('account', 'group', 'location')
      and (n.gone_at is null or exists (select from study s where s.phi_namespace = n.uuid))
    order by n.kind, lower(n.name), n.uuid
  `.execute(db)
  return rows
}

/** An exam of an account, deleted or not, under a lock. */
export async function lockExam(
  tx: Tx,
  accountUuid: string,
  uuid: string,
): Promise<
  | { uuid: string; phi_namespace: string; account_uuid: string; study_uid: string; retain_until: string | null }
  | undefined
> {
  const { rows } = await sql<{
    uuid: string
    phi_namespace: string
    account_uuid: string
    study_uid: string
    retain_until: string | null
  }>`
    select s.uuid, s.phi_namespace, s.account_uuid, s.study_uid, ${lastDaySql(sql`s.retain_until`)} as retain_until
    from study s
    where s.account_uuid = ${accountUuid} and s.uuid = ${uuid}
    for update
  `.execute(tx)
  return rows[0]
}

/** Keeps a record through a day, or no longer than others. */
export async function setRetainUntil(
  tx: Tx,
  { phi_namespace, uuid }: { phi_namespace: string; uuid: string },
  lastDay: string | null,
): Promise<void> {
  await sql`
    update study
    set retain_until = (${lastDay}::date + 1)::timestamp at time zone 'UTC', updated = now(), row_version = row_version + 1
    where phi_namespace = ${phi_namespace} and uuid = ${uuid}
  `.execute(tx)
}
