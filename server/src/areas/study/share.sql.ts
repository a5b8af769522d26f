import type { RecipientKind, ShareFailure } from '@hilum/contract/calls/study-share'
import { failedShareDays, linkUndoMinutes } from '@hilum/contract/limits'
import { sql } from 'kysely'
import { sourcesByShare, sourcesOfSharedRecord } from '../../access/source-rows.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { wipeMailsOfShares } from '../mail/mail.sql.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'
import { patientToSend } from '../storage/sent-patient.sql.ts'
import { lockSharingOf } from './share-locks.sql.ts'

export interface ShareRow {
  uuid: string
  from_namespace: string
  study_uuid: string
  to_kind: RecipientKind
  to_uuid: string
  message: string
  state: 'scheduled' | 'delivered' | 'stopped' | 'failed'
  by_user: string
  /** Minutes from the delivery to the end. */
  minutes: number | null
  /** Addressed by a share code. */
  by_code: boolean
  /** Takes along what is attached to the record at the delivery. */
  with_attachments: boolean
  /** Values of custom fields of the receiver, by uuid, for the record that the share makes; none once it was delivered. */
  customfields: Readonly<Record<string, string>>
  /** Images of several patients may go: a person looked at them. */
  mixed_seen: boolean
  /** The patient that the exam was of when it was asked for; null of one that does not wait. */
  for_patient: ComparedPatient | null
  is_over: boolean
}

/** The share of a study with a recipient that is in force. */
export interface ShareWith extends ShareRow {
  /** The recipient deleted the record. */
  is_unseen: boolean
  /** Images of the share wait for approval, beside a record that shows others. */
  awaits_approval: boolean
  /** Seconds until it is delivered. */
  seconds_left: number
  /** When a delivered one ends; null for no end. */
  expires_at: Date | null
  /** Minutes until then. */
  minutes_left: number | null
}

const columns = sql`
  h.uuid, h.from_namespace, h.study_uuid, h.to_kind, h.to_uuid, h.message, h.state, h.by_user, h.minutes, h.by_code,
  h.with_attachments, h.customfields, h.mixed_seen, h.for_patient,
  coalesce(h.expires_at <= now(), false) as is_over`

type NewShare = Omit<ShareRow, 'state' | 'is_over' | 'for_patient'> & { delaySeconds: number }

/** Enters a share as one that waits; false when the study is shared there already, or will be. */
export async function insertShare(tx: Tx, one: NewShare): Promise<boolean> {
  const { rows } = await sql`
    insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, message, state, by_user, run_at, minutes,
      by_code, with_attachments, customfields, mixed_seen, for_patient)
    values (${one.uuid}, ${one.from_namespace}, ${one.study_uuid}, ${one.to_kind}, ${one.to_uuid}, ${one.message},
      'scheduled', ${one.by_user}, now() + make_interval(secs => ${one.delaySeconds}), ${one.minutes}, ${one.by_code},
      ${one.with_attachments}, ${JSON.stringify(one.customfields)}::jsonb, ${one.mixed_seen},
      (
        select ${patientToSend}
        from study s
        where ${one.delaySeconds > 0} and s.phi_namespace = ${one.from_namespace} and s.uuid = ${one.study_uuid}
      ))
    on conflict (study_uuid, to_kind, to_uuid) where state in ('scheduled', 'delivered') and goes_with is null do nothing
    returning uuid
  `.execute(tx)
  return rows.length > 0
}

/** Locks a share, and before it the sharing of its study. */
export async function lockShare(tx: Tx, uuid: string): Promise<ShareRow | undefined> {
  await lockSharingOf(tx, uuid)
  const { rows } = await sql<ShareRow>`
    select ${columns} from share h where h.uuid = ${uuid} for update
  `.execute(tx)
  return rows[0]
}

/** Locks the share of a study with somebody, after the sharing of the study (`lockSharing`), that was delivered or will be. */
export async function lockShareWith(
  tx: Tx,
  studyUuid: string,
  to: { kind: RecipientKind; uuid: string },
): Promise<ShareWith | undefined> {
  const { rows } = await sql<ShareWith>`
    select ${columns}, h.awaits_approval, greatest(0, extract(epoch from h.run_at - now()))::float8 as seconds_left,
      h.expires_at, (extract(epoch from h.expires_at - now()) / 60)::float8 as minutes_left,
      h.state = 'delivered' and not exists (
        select
        from ${sourcesByShare} o
        join study s on s.phi_namespace = o.phi_namespace and s.uuid = o.study_uuid
        where s.deleted_at is null
      ) as is_unseen
    from share h
    where h.study_uuid = ${studyUuid} and h.to_kind = ${to.kind} and h.to_uuid = ${to.uuid}
      and h.state in ('scheduled', 'delivered') and h.goes_with is null
    for update of h
  `.execute(tx)
  return rows[0]
}

/** A share that a person stopped a moment ago. */
interface StoppedShare extends ShareRow {
  /** Seconds until it was to begin. */
  seconds_left: number
  /** Whole minutes until it was to end; null where nothing ended it. */
  minutes_left: number | null
  was_delivered: boolean
}

/**
 * The last share of a study with somebody, where a person stopped it a moment ago, or where it failed and its sender sees
 * that still; after `lockSharing`.
 */
export async function lockReturnable(
  tx: Tx,
  studyUuid: string,
  to: { kind: RecipientKind; uuid: string },
): Promise<StoppedShare | undefined> {
  const { rows } = await sql<StoppedShare & { may_return: boolean }>`
    select ${columns}, h.delivered_at is not null as was_delivered, case when h.state = 'stopped'
          then coalesce(ceil(extract(epoch from h.expires_at - now()) / 60)::integer, h.minutes)
          else h.minutes end as minutes_left,
      case when h.state = 'stopped' then greatest(0, round(extract(epoch from h.run_at - now())))::integer else 0 end
        as seconds_left,
      (h.state = 'stopped' and h.ended_by is not null and h.ended_at > now() - make_interval(mins => ${linkUndoMinutes}))
        or (h.state = 'failed' and h.ended_at > now() - make_interval(days => ${failedShareDays})) as may_return
    from share h
    where h.study_uuid = ${studyUuid} and h.to_kind = ${to.kind} and h.to_uuid = ${to.uuid}
    order by h.created desc, h.uuid
    limit 1
    for update of h
  `.execute(tx)
  return rows[0]?.may_return ? rows[0] : undefined
}

/** Marks a share as delivered into a namespace; its time runs from now. Gives when it ends. */
export async function markDelivered(tx: Tx, uuid: string, namespaceUuid: string): Promise<Date | null> {
  const { rows } = await sql<{ expires_at: Date | null }>`
    update share
    set state = 'delivered', to_namespace = ${namespaceUuid}, delivered_at = now(),
      expires_at = now() + make_interval(mins => minutes), customfields = '{}', for_patient = null
    where uuid = ${uuid}
    returning expires_at
  `.execute(tx)
  return rows[0]?.expires_at ?? null
}

/**
 * Lets a delivered share last so many minutes from now, where that is later than its end; what the study came by itself
 * ends the access as before.
 * @returns the end; undefined where the share would become shorter
 */
export async function extendShare(tx: Tx, uuid: string, minutes: number): Promise<Date | undefined> {
  const { rows } = await sql<{ expires_at: Date | null }>`
    update share
    set expires_at = now() + make_interval(mins => ${minutes})
    where uuid = ${uuid} and expires_at < now() + make_interval(mins => ${minutes})
    returning expires_at
  `.execute(tx)
  const [extended] = rows
  if (!extended?.expires_at) return undefined
  await endSourcesWith(tx, uuid)
  return extended.expires_at
}

/** Lets a delivered share last so many minutes from now, or without an end; what was passed on ends no later. */
export async function setShareEnd(tx: Tx, uuid: string, minutes: number | null): Promise<Date | null> {
  const { rows } = await sql<{ expires_at: Date | null }>`
    update share
    set expires_at = now() + make_interval(mins => ${minutes}), minutes = ${minutes}
    where uuid = ${uuid}
    returning expires_at
  `.execute(tx)
  await endSourcesWith(tx, uuid)
  return rows[0]?.expires_at ?? null
}

/** Has what a share gave end with it, or with what the study came by. */
async function endSourcesWith(tx: Tx, uuid: string): Promise<void> {
  await sql`
    update study_source given
    set ends_at = least(o.ends_at, parent.expires_at, h.expires_at)
    from share h
    join lateral ${sourcesOfSharedRecord} o on true
    left join share parent on parent.uuid = o.share_uuid
    where h.uuid = ${uuid}
      and given.share_uuid = h.uuid
      and o.storage_namespace = given.storage_namespace
      and o.generation = given.generation
      and o.share_uuid is not distinct from given.parent_share_uuid
  `.execute(tx)
}

/** Has a delivered share wait for approval, beside a record that shows other images meanwhile. */
export async function markWaiting(tx: Tx, uuid: string): Promise<void> {
  await sql`update share set awaits_approval = true where uuid = ${uuid}`.execute(tx)
}

/** Says why an ended share was not taken, in the words of whoever rejected it. */
export async function markRejected(tx: Tx, uuid: string, reply: string): Promise<void> {
  await sql`
    update share set state = 'failed', failure = 'REJECTED', reply = ${reply} where uuid = ${uuid}
  `.execute(tx)
}

export async function markShareFailed(tx: Tx, uuid: string, failure: ShareFailure): Promise<void> {
  await sql`
    update share set state = 'failed', failure = ${failure}, ended_at = now(), customfields = '{}', for_patient = null where uuid = ${uuid}
  `.execute(tx)
  await detachCompanions(tx, uuid)
  await standAlone(tx, uuid)
}

/**
 * Has the earlier shares that go with one (0232) go with the newest of them instead, which stands alone once the one has
 * ended (`standAlone`): two of one recipient cannot.
 */
export async function detachCompanions(tx: Tx, uuid: string): Promise<void> {
  await sql`
    update share
    set goes_with = (
      select h.uuid
      from share h
      where h.goes_with = ${uuid} and h.state in ('scheduled', 'delivered')
      order by h.created desc, h.uuid
      limit 1
    )
    where goes_with = ${uuid}
  `.execute(tx)
}

/** Has the share stand alone that stands in the place of one that ended. */
export async function standAlone(tx: Tx, ended: string): Promise<void> {
  await sql`
    update share h
    set goes_with = null
    from share e
    where e.uuid = ${ended} and h.study_uuid = e.study_uuid and h.goes_with = h.uuid
  `.execute(tx)
}

/** Marks shares as over; without a user the clock ended them, or the end of what they passed on. */
export async function markStopped(tx: Tx, uuids: readonly string[], userUuid: string | null): Promise<void> {
  await sql`
    update share set state = 'stopped', ended_at = now(), ended_by = ${userUuid}, customfields = '{}', for_patient = null where uuid = any(${uuids as string[]})
  `.execute(tx)
  await wipeMailsOfShares(tx, uuids)
}

/** The record that a share was made from, deleted or not. */
export async function findSharedFrom(
  tx: Tx,
  studyUuid: string,
): Promise<{ phi_namespace: string; uuid: string; account_uuid: string } | undefined> {
  const { rows } = await sql<{ phi_namespace: string; uuid: string; account_uuid: string }>`
    select s.phi_namespace, s.uuid, s.account_uuid from study s where s.uuid = ${studyUuid}
  `.execute(tx)
  return rows[0]
}

/** A sender as another account knows them: with the organisation. To the own account people are known by name. */
export async function findSenderName(
  tx: Tx,
  name: string,
  from: { account_uuid: string },
  to: { account_uuid: string },
): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from account where uuid = ${from.account_uuid} and uuid <> ${to.account_uuid}
  `.execute(tx)
  return [name, rows[0]?.name].filter(Boolean).join(', ')
}

export async function findShare(db: Db, uuid: string): Promise<ShareRow | undefined> {
  const { rows } = await sql<ShareRow>`
    select ${columns} from share h where h.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** The person behind a delayed share, for the record. */
export async function findSharer(db: Db, userUuid: string): Promise<{ name: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name
    from app_user u
    where u.uuid = ${userUuid}
  `.execute(db)
  return rows[0]
}
