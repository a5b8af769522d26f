import type { ExpectedExam, ExpectedPatient, Link, LinkAction, LinkState } from '@hilum/contract/calls/link'
import { listedLinkUses } from '@hilum/contract/limits'
import type { LinkRight } from '@hilum/contract/link-rights'
import { type RawBuilder, sql } from 'kysely'
import { isOwnStoredOf } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'
import { expectedExamSql, isIncompleteUpload } from './link-upload.sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'
import { hasOpenSession, stateOfLink } from './link-session.sql.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'

/** Columns that links are found and sorted by. */
export const linkColumns = {
  uuid: { kind: 'uuid', column: sql.ref('l.uuid') },
  action: { kind: 'exact', column: sql.ref('l.action') },
  email: { kind: 'text', column: sql.ref('l.email') },
  max_hits: { kind: 'integer', column: sql.ref('l.max_hits') },
  minutes_alive: { kind: 'integer', column: sql`round(extract(epoch from l.expires_at - l.created) / 60)::integer` },
  password_is_dob: { kind: 'flag', column: sql.ref('l.password_is_dob') },
  pin_auth: { kind: 'flag', column: sql.ref('l.pin_auth') },
  created: { kind: 'stamp', column: sql.ref('l.created') },
  namespace_id: { kind: 'uuid', column: sql.ref('n.uuid') },
} as const satisfies FilterColumns

export const newestLinks = sql`l.created desc, l.uuid`

export interface LinkRow {
  uuid: string
  sealed_secret: Buffer | null
  action: LinkAction
  /** Null of a request. */
  study_uuid: string | null
  study_count: number
  account_uuid: string
  namespace_uuid: string
  namespace_name: string
  message: string
  email: string
  /** The last mail with the address of the link. */
  mail_uuid: string | null
  mail: Link['mail']
  reminded_at: string | null
  notify: string[]
  has_password: boolean
  password_is_dob: boolean
  pin_auth: boolean
  max_hits: number | null
  minutes_alive: number
  created: string
  created_by_name: string
  expires_at: string
  state: LinkState
  ended_at: string | null
  hits: number
  permissions: LinkRight[]
  uses: { opened_at: string; client_address: string }[]
  /** Null of a link that shows a study. */
  expected: ExpectedPatient | null
  expected_exam: ExpectedExam | null
  expected_erased_at: string | null
  max_bytes: number
  stored_bytes: number
  sender: string
  by_share_code: boolean
  /** Of the MRNs that the link's account gives. */
  own_issuer: string
  arrivals: ArrivalRow[]
}

/** A study as it came: its date YYYYMMDD, its modalities, and the words of its description, series and body parts. */
export interface ArrivedExam {
  study_date: string
  modalities: readonly string[]
  descriptions: readonly string[]
}

/** A study that was announced by a request and got an image, with the patient of the record that it is shown by now. */
export interface ArrivalRow {
  /** Null when the record is gone. */
  study_uuid: string | null
  must_approve: boolean
  image_count: number
  expected_count: number
  ended_at: string | null
  is_incomplete: boolean
  patient: ComparedPatient
  exam: ArrivedExam
  /** Words of the record itself, beside those of its series and images. */
  named: { modality: string; study_description: string }
}

const stamp = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`

const mailOf = sql`(
    select json_build_object('state', case
        when m.given_up then 'given_up'
        when m.cancelled then 'cancelled'
        when m.held then 'held'
        when m.returned_at is not null then 'returned'
        when m.sent_at is not null then 'sent'
        when m.last_error is not null then 'failed'
        else 'queued'
      end,
      'at', ${stamp(sql`coalesce(m.returned_at, m.sent_at, m.tried_at, m.created)`)}, 'error', coalesce(m.last_error, ''))
    from mail m
    where m.uuid = l.mail_uuid
  )`

const columns = sql`
  l.uuid, l.action, l.sealed_secret, ls.study_uuid,
  (select count(*) from link_study c where c.link_uuid = l.uuid)::integer as study_count, l.account_uuid, n.uuid as namespace_uuid, n.name as namespace_name,
  l.message, l.email, l.mail_uuid, ${stamp(sql`l.reminded_at`)} as reminded_at, ${mailOf} as mail, to_jsonb(l.notify) as notify, l.password_hash is not null as has_password, l.password_is_dob, l.pin_auth, l.max_hits,
  round(extract(epoch from l.expires_at - l.created) / 60)::integer as minutes_alive, ${stamp(sql`l.created`)} as created,
  coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as created_by_name,
  ${stamp(sql`l.expires_at`)} as expires_at, ${stateOfLink} as state,
  ${stamp(sql`case when l.ended_at is not null then l.ended_at when l.expires_at <= now() then l.expires_at end`)} as ended_at, l.hits, to_jsonb(l.permissions) as permissions,
  (
    select coalesce(json_agg(json_build_object('opened_at', ${stamp(sql`o.opened_at`)}, 'client_address', o.client_address)
      order by o.opened_at desc, o.uuid), '[]')
    from (
      select uuid, opened_at, client_address
      from link_use
      where link_uuid = l.uuid
      order by opened_at desc, uuid
      limit ${listedLinkUses}
    ) o
  ) as uses,
  case when r.link_uuid is not null then json_build_object('patient_name', r.patient_name,
    'patient_birth_date', r.patient_birth_date, 'patient_sex', r.patient_sex, 'patientid', r.patientid) end as expected,
  case when r.link_uuid is not null then ${expectedExamSql} end as expected_exam,
  ${stamp(sql`r.erased_at`)} as expected_erased_at,
  coalesce(r.max_bytes, 0)::float8 as max_bytes, coalesce(r.stored_bytes, 0)::float8 as stored_bytes,
  coalesce(r.sender, '') as sender, coalesce(r.by_share_code, false) as by_share_code, a.issuer as own_issuer,
  (
    select coalesce(json_agg(json_build_object('study_uuid', s.uuid, 'must_approve', coalesce(s.must_approve, false),
      'image_count', coalesce(t.image_count + t.conflict_count, 0), 'expected_count', p.image_count,
      'ended_at', ${stamp(sql`p.ended_at`)}, 'is_incomplete', ${isIncompleteUpload},
      'patient', json_build_object('patient_name', coalesce(s.patient_name, ''), 'patientid', coalesce(s.patientid, ''),
        'issuer', coalesce(s.issuer, ''), 'patient_birth_date', coalesce(s.patient_birth_date, ''),
        'patient_sex', coalesce(s.patient_sex, '')),
      'exam', json_build_object('study_date', coalesce(s.study_date, ''),
        'modalities', array_append(coalesce(s.modalities, '{}'), coalesce(s.modality, '')),
        'descriptions', (
          select array_append(coalesce(array_agg(distinct e.description || ' ' || e.body_part), '{}'), coalesce(s.study_description, ''))
          from series e
          where e.storage_namespace = t.storage_namespace and e.study_key = t.key
        )),
      'named', json_build_object('modality', coalesce(s.modality, ''), 'study_description', coalesce(s.study_description, '')))
      order by p.created desc, p.study_uid), '[]')
    from link_upload p
    left join study s on s.phi_namespace = p.namespace_uuid and s.study_uid = p.study_uid and s.deleted_at is null
    left join stored_study t on ${isOwnStoredOf('s')}
    where p.link_uuid = l.uuid and p.first_at is not null
  ) as arrivals`

const fromLinks = sql`
  link l
  left join link_study ls on ls.link_uuid = l.uuid
  left join link_request r on r.link_uuid = l.uuid
  join namespace n on n.uuid = coalesce(ls.phi_namespace, r.namespace_uuid)
  join account a on a.uuid = l.account_uuid
  join app_user u on u.uuid = l.created_by`

/** Links to a record. */
export async function listLinks(
  db: Db,
  record: { phi_namespace: string; uuid: string },
  { where, orderBy, limit }: ListSql,
): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select ${columns}, ${totalColumn}
    from ${fromLinks}
    where ls.phi_namespace = ${record.phi_namespace} and ls.study_uuid = ${record.uuid} and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/** Condition: no study comes any more by request `r`, whose link is `l`: that is over, or used up with nothing on its way. */
const isOver = sql`(
  l.ended_at is not null
  or l.expires_at <= now()
  or (
    -- null: opened any number of times
    coalesce(l.hits >= l.max_hits, false)
    and not ${hasOpenSession}
    and not exists (
      select
      from link_upload p
      where p.link_uuid = l.uuid and p.first_at is not null and p.ended_at is null
    )
  )
)`

/**
 * Requests for studies of some namespaces: those that are open, those that are over, or where neither is asked for those
 * that were not cancelled, until a month after their end. Uses link_request_of_namespace.
 */
export async function listRequests(
  db: Db,
  namespaceUuids: readonly string[],
  ended: boolean | undefined,
  { where, orderBy, limit }: ListSql,
): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select ${columns}, ${totalColumn}
    from ${fromLinks}
    where r.namespace_uuid = any(${[...namespaceUuids]}::uuid[])
      and ${ended === undefined ? sql`l.ended_at is null and l.expires_at > now() - interval '30 days'` : ended ? isOver : sql`not ${isOver}`}
      -- a page of a share code that was opened is no request until something comes
      and (not r.by_share_code or r.begun_at is not null)
      and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Requests by which images of a study came, the newest first; those that ended long ago or were cancelled among them.
 * Uses link_upload_of_study.
 */
export async function listRequestsOfStudy(
  db: Db,
  record: { phi_namespace: string; study_uid: string },
  most: number,
): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select ${columns}
    from ${fromLinks}
    where r.namespace_uuid = ${record.phi_namespace}
      and l.uuid in (
        select p.link_uuid
        from link_upload p
        where p.namespace_uuid = ${record.phi_namespace} and p.study_uid = ${record.study_uid} and p.first_at is not null
      )
    order by ${newestLinks}
    limit ${most}
  `.execute(db)
  return rows
}

/** Whether studies may still come by a request that somebody made; a page of a share code is none. */
const isOpenRequest = sql`${stateOfLink} in ('open', 'locked') and not r.by_share_code`

/** Open requests of a namespace that name a patient, the newest first. Uses link_request_of_namespace. */
export async function listExpecting(db: Db, namespaceUuid: string, most: number): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select ${columns}
    from ${fromLinks}
    where r.namespace_uuid = ${namespaceUuid} and ${isOpenRequest}
      and r.patient_name || r.patientid || r.patient_birth_date <> ''
    order by ${newestLinks}
    limit ${most}
  `.execute(db)
  return rows
}

/** @returns open requests of a namespace. Uses link_request_of_namespace. */
export async function countOpenRequests(db: Db, namespaceUuid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from link_request r
    join link l on l.uuid = r.link_uuid
    left join link_study ls on ls.link_uuid = l.uuid
    where r.namespace_uuid = ${namespaceUuid} and ${isOpenRequest}
  `.execute(db)
  return rows[0]?.count ?? 0
}

export async function findLink(db: Db, uuid: string): Promise<LinkRow | undefined> {
  const { rows } = await sql<LinkRow>`
    select ${columns}
    from ${fromLinks}
    where l.uuid = ${uuid}
    order by ls.study_uuid
    limit 1
  `.execute(db)
  return rows[0]
}
