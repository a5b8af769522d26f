import type { LinkAction, LinkState } from '@hilum/contract/calls/link'
import { linkPasswordTries } from '@hilum/contract/limits'
import type { LinkRight } from '@hilum/contract/link-rights'
import { type RawBuilder, sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import type { Db, Tx } from '../../db/database.ts'

/** Whether link `l` shows a study at this moment: one with images that nobody deleted, took back or has yet to approve. */
const showsStudy: RawBuilder<unknown> = sql`exists (
  select
  from link_study ls
  join study s on s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid
  where ls.link_uuid = l.uuid
    and s.deleted_at is null
    and not s.must_approve
    and not s.thin
    and s.arrival <> 'announced'
    and ${hasLiveSource('s')}
)`

/** Condition: somebody opened link `l` and has that browser session still. */
export const hasOpenSession: RawBuilder<unknown> = sql`exists (
  select
  from session o
  where o.link_uuid = l.uuid and o.expires_at > now()
    and o.last_used + make_interval(mins => o.idle_minutes) > now()
)`

/** The state of link `l`. */
export const stateOfLink: RawBuilder<LinkState> = sql`(
  case
    when l.ended_at is not null then 'ended'
    when l.expires_at <= now() then 'expired'
    when l.hits >= l.max_hits then 'used'
    when l.wrong_passwords >= ${linkPasswordTries} then 'locked'
    when l.action = 'STUDY_VIEW' and not ${showsStudy} then 'waiting'
    else 'open'
  end
)`

/** A link as somebody at its address meets it. */
export interface KnockedLink {
  uuid: string
  account_uuid: string
  action: LinkAction
  state: LinkState
  secret_digest: Buffer
  password_hash: string | null
  password_is_dob: boolean
  pin_auth: boolean
  /** Digest of the sid of an open session of this request that whoever knocks had; null without one. */
  goes_on_from: Buffer | null
}

/**
 * The link of an address. Whoever had a session of a request that is open still goes on with its use, also of a used up one.
 * @param secretDigest of the secret in the address
 * @param earlierSid digest of the sid of that session
 */
export function findKnockedLink(db: Db, secretDigest: Buffer, earlierSid?: Buffer): Promise<KnockedLink | undefined> {
  return findKnockedWhere(db, sql`l.secret_digest = ${secretDigest}`, earlierSid)
}

/** The same link as it is now. */
export function findKnockedLinkAgain(db: Db, uuid: string, earlierSid?: Buffer): Promise<KnockedLink | undefined> {
  return findKnockedWhere(db, sql`l.uuid = ${uuid}`, earlierSid)
}

async function findKnockedWhere(
  db: Db,
  where: RawBuilder<unknown>,
  earlierSid: Buffer | undefined,
): Promise<KnockedLink | undefined> {
  const { rows } = await sql<KnockedLink>`
    select l.uuid, l.account_uuid, l.action, ${stateOfLink} as state, l.secret_digest, l.password_hash, l.password_is_dob, l.pin_auth,
      (
        select o.sid_digest
        from session o
        where o.sid_digest = ${earlierSid ?? null}::bytea and o.link_uuid = l.uuid and l.action = 'STUDY_UPLOAD'
          and o.expires_at > now() and o.last_used + make_interval(mins => o.idle_minutes) > now()
      ) as goes_on_from
    from link l
    where ${where}
  `.execute(db)
  return rows[0]
}

/**
 * Counts a password as wrong before it is looked at, so that a hundred at once are not a hundred tries; opening the link
 * takes that back. False when no try is left.
 */
export async function takePasswordTry(db: Db, linkUuid: string): Promise<boolean> {
  const { rows } = await sql`
    update link
    set wrong_passwords = wrong_passwords + 1
    where uuid = ${linkUuid} and wrong_passwords < ${linkPasswordTries}
    returning 1
  `.execute(db)
  return rows.length > 0
}

/** Dates of birth of the patients whose studies a link shows; of one without any the empty one. */
export async function listBirthDates(db: Db, linkUuid: string): Promise<string[]> {
  const { rows } = await sql<{ patient_birth_date: string }>`
    select distinct s.patient_birth_date
    from link_study ls
    join study s on s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid
    where ls.link_uuid = ${linkUuid} and s.deleted_at is null
  `.execute(db)
  return rows.map((row) => row.patient_birth_date)
}

/**
 * Counts one use of a link, unless it has ended, was used up, or has another address, or asks for another password or code,
 * than those that were looked at. A code opens the link once.
 */
export async function countLinkUse(
  tx: Tx,
  link: Pick<KnockedLink, 'uuid' | 'secret_digest' | 'password_hash' | 'password_is_dob' | 'pin_auth'>,
  pinDigest: Buffer | null,
  use: { uuid: string; clientAddress: string },
): Promise<boolean> {
  const { rows } = await sql`
    with used as (
      update link
      set hits = hits + 1, wrong_passwords = 0, pin_digest = null, pin_expires_at = null
      where uuid = ${link.uuid}
        and ended_at is null
        and expires_at > now()
        and (max_hits is null or hits < max_hits)
        and secret_digest = ${link.secret_digest}
        and password_hash is not distinct from ${link.password_hash}
        and password_is_dob = ${link.password_is_dob}
        and pin_auth = ${link.pin_auth}
        and (not pin_auth or (pin_digest = ${pinDigest} and pin_expires_at > now()))
      returning uuid
    )
    insert into link_use (uuid, link_uuid, client_address)
    select ${use.uuid}, uuid, ${use.clientAddress}
    from used
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Whether a use of a link goes on: the link has not ended, nor been given another address or password than those looked at. */
export async function goOnWithUse(
  tx: Tx,
  link: Pick<KnockedLink, 'uuid' | 'secret_digest' | 'password_hash' | 'password_is_dob'>,
): Promise<boolean> {
  const { rows } = await sql`
    update link
    set wrong_passwords = 0
    where uuid = ${link.uuid}
      and ended_at is null
      and expires_at > now()
      and secret_digest = ${link.secret_digest}
      and password_hash is not distinct from ${link.password_hash}
      and password_is_dob = ${link.password_is_dob}
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/**
 * Adds a session of a link, for so many minutes and no longer than the link, or the session that it goes on from, lasts.
 * @returns its end and the account of the link; undefined when the link has ended
 */
export async function addLinkSession(
  tx: Tx,
  session: {
    uuid: string
    sidDigest: Buffer
    linkUuid: string
    minutes: number
    clientAddress: string
    userAgent: string
    /** Of the session and the date of birth that opened it. */
    birthDateDigest: Buffer | null
    /** Digest of the sid of the session that it goes on from. */
    goesOnFrom: Buffer | null
  },
): Promise<{ expires: string; account_uuid: string } | undefined> {
  const { uuid, sidDigest, linkUuid, minutes, clientAddress, userAgent, birthDateDigest, goesOnFrom } = session
  const { rows } = await sql<{ expires: string; account_uuid: string }>`
    with live as (
      select uuid, account_uuid, least(
          expires_at,
          now() + make_interval(mins => ${minutes}),
          (select o.expires_at from session o where o.sid_digest = ${goesOnFrom}::bytea)
        ) as ends
      from link
      where uuid = ${linkUuid} and ended_at is null and expires_at > now()
      for share
    ), added as (
      insert into session (uuid, sid_digest, link_uuid, client_address, user_agent, method, idle_minutes, expires_at,
        birth_date_digest)
      select ${uuid}, ${sidDigest}, live.uuid, ${clientAddress}, ${userAgent}, 'link', ${minutes}, live.ends,
        ${birthDateDigest}::bytea
      from live
      returning expires_at
    )
    select to_char(added.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as expires, live.account_uuid
    from added, live
  `.execute(tx)
  return rows[0]
}

/** Account, message, end and rights of an opened link, and the keys of its studies. */
export interface OpenedLink {
  account_uuid: string
  message: string
  account_name: string
  expires_at: string
  permissions: LinkRight[]
  studies: { phi_namespace: string; uuid: string }[]
}

export async function findOpenedLink(db: Db, linkUuid: string): Promise<OpenedLink | undefined> {
  const { rows } = await sql<OpenedLink>`
    select l.account_uuid, l.message, a.name as account_name,
      to_char(l.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as expires_at,
      to_jsonb(l.permissions) as permissions,
      (
        select coalesce(json_agg(json_build_object('phi_namespace', ls.phi_namespace, 'uuid', ls.study_uuid)
          order by ls.study_uuid), '[]')
        from link_study ls
        where ls.link_uuid = l.uuid
      ) as studies
    from link l
    join account a on a.uuid = l.account_uuid
    where l.uuid = ${linkUuid} and l.action = 'STUDY_VIEW'
  `.execute(db)
  return rows[0]
}

/** Studies that a link shows and that are there, one of them perhaps waiting for approval. */
export async function listLinkedStudies(
  tx: Tx,
  linkUuid: string,
): Promise<{ account_uuid: string; phi_namespace: string; uuid: string; must_approve: boolean }[]> {
  const { rows } = await sql<{ account_uuid: string; phi_namespace: string; uuid: string; must_approve: boolean }>`
    select s.account_uuid, s.phi_namespace, s.uuid, s.must_approve
    from link_study ls
    join study s on s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid
    where ls.link_uuid = ${linkUuid} and s.deleted_at is null
    order by s.uuid
  `.execute(tx)
  return rows
}

/** Whether the use that was counted in this transaction is the first of a link in the hour of the clock. Uses link_use_of_link. */
export async function isFirstUseOfHour(tx: Tx, linkUuid: string): Promise<boolean> {
  const { rows } = await sql<{ is_first: boolean }>`
    select count(*) < 2 as is_first
    from (
      select
      from link_use
      where link_uuid = ${linkUuid} and opened_at >= date_trunc('hour', now())
      limit 2
    ) used
  `.execute(tx)
  return rows[0]?.is_first ?? false
}

/** Uses of a link in the last hour of the clock before this one that had any, but for its first. Uses link_use_of_link. */
export async function countUntoldUses(tx: Tx, linkUuid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select greatest(count(*) - 1, 0)::integer as count
    from link_use
    where link_uuid = ${linkUuid}
      and opened_at < date_trunc('hour', now())
      and opened_at >= (
        select date_trunc('hour', max(opened_at))
        from link_use
        where link_uuid = ${linkUuid} and opened_at < date_trunc('hour', now())
      )
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Stores the code that a link asks for from now on, for so many minutes.
 * @returns to whom the link is addressed at this moment; undefined when there is no such link any more
 */
export async function putPin(
  tx: Tx,
  linkUuid: string,
  pinDigest: Buffer,
  minutes: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    update link
    set pin_digest = ${pinDigest}, pin_expires_at = now() + make_interval(mins => ${minutes})
    where uuid = ${linkUuid}
    returning email
  `.execute(tx)
  return rows[0]?.email
}

/** The digest of the code that a link asks for; undefined where none was mailed, or its time is over. */
export async function findPin(db: Db, linkUuid: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ pin_digest: Buffer | null }>`
    select pin_digest
    from link
    where uuid = ${linkUuid} and pin_expires_at > now()
  `.execute(db)
  return rows[0]?.pin_digest ?? undefined
}
