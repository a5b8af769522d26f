import { sql } from 'kysely'
import { isTakenBack } from '../../access/taken-back.sql.ts'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

/** A thing that exists and that somebody named. */
export interface NamedThing {
  kind: 'Study' | 'Order' | 'Namespace' | 'Account' | 'Group' | 'User'
  uuid: string
  account_uuid: string
  /** The namespace that holds it; null for accounts, users and orders of no group. */
  namespace_uuid: string | null
  /** Of studies. */
  study_uid: string | null
  must_approve: boolean | null
  deleted: boolean | null
  taken_back: boolean | null
}

/** Names that were sent: uuids, UIDs inside namespaces that were named too, and UIDs wherever they are. */
export interface SentNames {
  uuids: readonly string[]
  studyUids: readonly string[]
  uidsAnywhere: readonly string[]
}

/** Things of these uuids, studies of these UIDs in these namespaces, and all studies of the UIDs asked for anywhere. */
export async function findNamedThings(db: Db, names: SentNames): Promise<NamedThing[]> {
  const ids = sql`${[...names.uuids]}::uuid[]`
  const { rows } = await sql<NamedThing>`
    select 'Study' as kind, uuid, account_uuid, phi_namespace as namespace_uuid, study_uid,
      must_approve, deleted_at is not null as deleted, ${isTakenBack('study')} as taken_back
    from study
    where uuid = any(${ids})
    union all
    select 'Study', uuid, account_uuid, phi_namespace, study_uid, must_approve, deleted_at is not null,
      ${isTakenBack('study')}
    from study
    where phi_namespace = any(${ids}) and study_uid = any(${[...names.studyUids]}::text[])
    union all
    select 'Study', uuid, account_uuid, phi_namespace, study_uid, must_approve, deleted_at is not null,
      ${isTakenBack('study')}
    from study
    where study_uid = any(${[...names.uidsAnywhere]}::text[])
    union all
    select 'Order', uuid, account_uuid, namespace_uuid, null, null, null, null
    from imaging_order
    where uuid = any(${ids})
    union all
    select 'Namespace', uuid, account_uuid, uuid, null, null, null, null
    from namespace
    where uuid = any(${ids})
    union all
    select 'Group', uuid, account_uuid, namespace_uuid, null, null, null, null
    from app_group
    where uuid = any(${ids})
    union all
    select 'Account', uuid, uuid, null, null, null, null, null
    from account
    where uuid = any(${ids})
    union all
    select 'User', user_uuid, account_uuid, null, null, null, null, null
    from account_user
    where user_uuid = any(${ids})
    limit 5000
  `.execute(db)
  return rows
}

/** The addresses of sessions that ended by their time, by the digest of their sid. */
export async function listEndedSessions(
  db: Db,
  sidDigests: readonly Buffer[],
): Promise<{ sid_digest: Buffer; client_address: string }[]> {
  if (sidDigests.length === 0) return []
  const { rows } = await sql<{ sid_digest: Buffer; client_address: string }>`
    select sid_digest, client_address
    from session
    where sid_digest = any(${[...sidDigests]}::bytea[])
    union all
    select t.token_digest, s.client_address
    from session_token t
    join session s on s.uuid = t.session_uuid
    where t.token_digest = any(${[...sidDigests]}::bytea[])
  `.execute(db)
  return rows
}

export interface Refusals {
  accountUuid: string
  /** Null without a session. */
  userUuid: string | null
  /**
   * Key of the line: the person's uuid, after which a supporter's uuid or `key` may stand; the address; or `senderMark`,
   * AE title and address.
   */
  asker: string
  /** Whether a program asked with the person's key. */
  isByKey?: boolean
  /** Of the person, or the AE title of the sender. */
  name: string
  /** The supporter who was signed in as the person. */
  proxy?: string
  clientAddress: string
  act: string
  kind: string
  objectUuid: string
  count: number
}

/** Begins the `asker` of a DICOM sender; their lines are counted apart, so that none of theirs crowds out an address. */
export const senderMark = 'AE '
const ofSender = sql.raw(`like '${senderMark}%'`)
/** Service that a DICOM sender asks for; `DICOM` is any service but these, `HL7` a message about orders. */
export type SenderAct = 'C-STORE' | 'C-FIND' | 'C-MOVE' | 'C-GET' | 'C-ECHO' | 'DICOM' | 'HL7'

/** The account of an installation that has one alone. */
export async function findSoleAccount(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid
    from account
    where closed_at is null
    order by uuid
    limit 2
  `.execute(db)
  return rows.length === 1 ? rows[0]?.uuid : undefined
}

/** Lines that requests without a session may begin in an account's hour; those of further addresses become one. */
const mostAddressLines = 200
/** Stands for all further addresses of an hour. */
const manyAddresses = '*'

/**
 * Counts refusals in their hour. The first of a person's goes into the audit as well; those without a session do not,
 * since nobody without a login may lengthen what is kept for good.
 */
export async function countRefusals(db: Db, refused: Refusals): Promise<void> {
  const {
    accountUuid,
    userUuid,
    asker,
    isByKey = false,
    name,
    proxy = '',
    clientAddress,
    act,
    kind,
    objectUuid,
    count,
  } = refused
  await sql`
    with known as (
      select ${userUuid}::uuid is not null
        or (select count(*) from access_refusal
            where account_uuid = ${accountUuid} and hour = date_trunc('hour', now()) and user_uuid is null
              and (asker ${ofSender}) = (${asker} ${ofSender}))
          < ${mostAddressLines}
        or exists (select from access_refusal
            where account_uuid = ${accountUuid} and hour = date_trunc('hour', now()) and asker = ${asker}
              and act = ${act} and kind = ${kind}) as is_own
    ), counted as (
      insert into access_refusal
        (account_uuid, user_uuid, asker, hour, act, kind, user_name, client_address, last_object, count, proxy, is_by_key)
      select ${accountUuid}::uuid, ${userUuid}::uuid, case when is_own then ${asker} else ${manyAddresses} end,
        date_trunc('hour', now()), ${act}::text, ${kind}::text, case when is_own then ${name}::text else '' end,
        case when is_own then ${clientAddress} else '' end, ${objectUuid}::uuid, ${count}::integer,
        ${proxy}::text, ${isByKey}::boolean
      from known
      on conflict (account_uuid, hour, asker, act, kind) do update
      set count = access_refusal.count + excluded.count, last_at = now(), last_object = excluded.last_object,
        client_address = excluded.client_address
      returning xmax = 0 as is_first
    )
    insert into audit (account_uuid, actor, actor_kind, actor_name, action, type, object_uuid, detail, client_address,
      proxy)
    select ${accountUuid}::uuid, ${userUuid}::uuid, ${isByKey ? 'key' : 'user'}, ${name}, 'ACCESS_REFUSED', ${kind}::text,
      case when ${kind}::text not in ('Study', 'Order') then ${objectUuid}::uuid end, jsonb_build_object('act', ${act}::text), ${clientAddress}, ${proxy}
    from counted
    where is_first and ${userUuid}::uuid is not null
  `.execute(db)
}

/** Refusals are kept for half a year: long enough to look into, and no longer than needed to know whom to ask. */
const storedDays = 180

export async function deleteOldRefusals(db: Db): Promise<void> {
  await sql`
    delete from access_refusal
    where hour < now() - make_interval(days => ${storedDays})
  `.execute(db)
}

interface RefusalRow {
  user_id: string
  user_name: string
  ae_title: string
  is_member: number
  act: string
  kind: string
  count: number
  first: string
  last: string
  last_object: string
  client_address: string
  proxy: string
  is_by_key: number
}

export const refusalColumns = {
  asker: { kind: 'text', column: sql`(r.user_name || ' ' || r.proxy || ' ' || r.client_address)` },
  act: { kind: 'exact', column: sql`r.act` },
  last: { kind: 'stamp', column: sql`r.last_at` },
} satisfies FilterColumns
export const refusalSorts: FilterColumns = { ...refusalColumns, count: { kind: 'integer', column: sql`r.count` } }
/** The latest first; a total order. */
export const refusalOrder = sql`r.last_at desc, r.asker, r.act, r.kind`

const stamp = 'YYYY-MM-DD HH24:MI:SS.US+00'

/** Refusals of an account's things. */
export async function listRefusals(
  db: Db,
  accountUuid: string,
  { where, orderBy, limit }: ListSql,
): Promise<RefusalRow[]> {
  const { rows } = await sql<RefusalRow>`
    select coalesce(r.user_uuid::text, '') as user_id,
      case when r.user_uuid is null then '' else r.user_name end as user_name,
      case when r.user_uuid is null then r.user_name else '' end as ae_title, r.act, r.kind, r.count, r.last_object,
      r.client_address, r.proxy, r.is_by_key::integer as is_by_key,
      (exists (select from account_user m
        where m.account_uuid = r.account_uuid and m.user_uuid = r.user_uuid))::integer as is_member,
      to_char(r.first_at at time zone 'UTC', ${stamp}) as first,
      to_char(r.last_at at time zone 'UTC', ${stamp}) as last,
      ${totalColumn}
    from access_refusal r
    where r.account_uuid = ${accountUuid}
      and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}
