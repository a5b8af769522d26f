import type { studyUploadRetracted } from '@hilum/contract/calls/study-retract'
import type { OutputOf } from '@hilum/contract/call'
import { type RawBuilder, sql } from 'kysely'
import type { RecipientKind } from '@hilum/contract/calls/study-share'
import { isLive } from '../../access/record-sources.sql.ts'
import { passedOn, sourcesOf } from '../../access/source-rows.sql.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { wipeMailsOfLinks, wipeMailsOfShares } from '../mail/mail.sql.ts'
import { tellsReason } from '../storage/retracted.sql.ts'

export interface RetractedRecord {
  phi_namespace: string
  uuid: string
  account_uuid: string
  /** The record has images as a copy that its recipient kept. */
  is_copy: boolean
  /** Nothing but what the retraction takes back is in it. */
  is_whole: boolean
  /** The record waits for approval: its recipients never knew of it. */
  is_waiting: boolean
  /** Another retraction hides the record already. */
  is_hidden: boolean
}

/** The shares of these records that give access or wait for approval, oldest first. */
export async function listGiven(tx: Tx, studyUuids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select h.uuid from share h where h.study_uuid = any(${studyUuids as string[]}::uuid[]) and h.state = 'delivered' order by h.created, h.uuid
  `.execute(tx)
  return rows.map((row) => row.uuid)
}

/** Everywhere else that a study of one record is: by its shares, by all that was passed on, and by copies of such. */
export async function listReached(
  tx: Tx,
  from: Pick<StudyRecord, 'uuid' | 'study_uid'>,
  shares: readonly string[],
): Promise<RetractedRecord[]> {
  const { rows } = await sql<RetractedRecord>`
    ${reached(from, shares)}
    select s.phi_namespace, s.uuid, s.account_uuid, s.must_approve as is_waiting,
      s.retraction_uuid is not null as is_hidden, exists (
        select
        from ${sourcesOf('s')} o
        where o.copied_from && array(select uuid from reached)
      ) as is_copy, not exists (
        select
        from ${sourcesOf('s')} o
        where ${isLive}
          and not exists (
            select
            from ended e
            where e.phi_namespace = o.phi_namespace and e.study_uuid = o.study_uuid and e.share_uuid = o.share_uuid
              and e.storage_namespace = o.storage_namespace and e.generation = o.generation
          )
          and not coalesce(o.copied_from && array(select uuid from reached), false)
      ) as is_whole
    from study s
    where (s.phi_namespace, s.uuid) in (select phi_namespace, uuid from reached)
      and s.uuid <> ${from.uuid}
    order by s.phi_namespace, s.uuid
  `.execute(tx)
  return rows
}

/** The records that have the study of `from`, as `reached`, and their sources that came from there, as `ended`. */
const reached = (from: Pick<StudyRecord, 'uuid' | 'study_uid'>, shares: readonly string[]): RawBuilder<unknown> => sql`
    with recursive ended as (${passedOn(shares)}), reached as (
      select s.phi_namespace, s.uuid
      from study s
      where s.study_uid = ${from.study_uid} and s.uuid = ${from.uuid}
      union
      select s.phi_namespace, s.uuid
      from reached r
      join study s on s.study_uid = ${from.study_uid}
      join lateral ${sourcesOf('s')} o on true
      where o.copied_from @> array[r.uuid]
        or exists (
          select
          from ended e
          where e.phi_namespace = o.phi_namespace and e.study_uuid = o.study_uuid and e.share_uuid = o.share_uuid
        )
    )`

interface RetractionNotice {
  kind: RecipientKind
  uuid: string
  account_uuid: string
  phi_namespace: string
}

/**
 * Recipients of shares that show a study, and of all that was passed on, each once; those who still wait for it know
 * nothing of it, and those from whom it was taken back before were told.
 */
export async function listRetractionNotices(tx: Tx, shares: readonly string[]): Promise<RetractionNotice[]> {
  const { rows } = await sql<RetractionNotice>`
    with recursive ended as (${passedOn(shares)})
    select h.to_kind as kind, h.to_uuid as uuid, s.account_uuid, s.phi_namespace
    from ended e
    join share h on h.uuid = e.share_uuid and h.state = 'delivered' and not h.awaits_approval
      and (h.expires_at is null or h.expires_at > now())
    join study s on s.phi_namespace = e.phi_namespace and s.uuid = e.study_uuid and not s.must_approve
      and s.retraction_uuid is null
    group by h.to_kind, h.to_uuid, s.account_uuid, s.phi_namespace
    order by h.to_kind, h.to_uuid
  `.execute(tx)
  return rows
}

/**
 * Condition: link `l` reached its addressee: a mail left and did not come back, or somebody opened the link, whose address
 * may have been handed over by hand.
 */
const isReached = sql`(l.hits > 0 or exists (
  select from mail m
  where m.link_uuid = l.uuid and m.recipient = l.email and m.sent_at is not null and m.returned_at is null
))`

/** Addresses to which a mail of links of these records that still show something left, by account. */
export async function listLinkAddressees(
  tx: Tx,
  records: readonly string[],
): Promise<{ account_uuid: string; email: string }[]> {
  const { rows } = await sql<{ account_uuid: string; email: string }>`
    select distinct l.account_uuid, l.email
    from link_study o
    join link l on l.uuid = o.link_uuid
    join study s on s.phi_namespace = o.phi_namespace and s.uuid = o.study_uuid and s.retraction_uuid is null
    where o.study_uuid = any(${records as string[]}::uuid[]) and l.ended_at is null and l.expires_at > now()
      and l.email <> '' and ${isReached}
    order by l.account_uuid, l.email
  `.execute(tx)
  return rows
}

/**
 * Takes back what waits to be mailed of records that are hidden by now: the mails of shares of them, and those of links
 * that show nothing else. A link of which no mail left ends with it, and its sender sees why.
 */
export async function wipeMailsOfHidden(tx: Tx, shares: readonly string[], records: readonly string[]): Promise<void> {
  await wipeMailsOfShares(tx, await listPassedOn(tx, shares))
  const { rows } = await sql<{ uuid: string }>`
    select l.uuid
    from link l
    where l.uuid in (select o.link_uuid from link_study o where o.study_uuid = any(${records as string[]}::uuid[]))
      and l.ended_at is null
      and exists (select from mail m where m.link_uuid = l.uuid and m.sent_at is null and m.returned_at is null)
      and not exists (
        select
        from link_study o
        join study s on s.phi_namespace = o.phi_namespace and s.uuid = o.study_uuid
        where o.link_uuid = l.uuid and s.retraction_uuid is null
      )
    order by l.uuid
    for update of l
  `.execute(tx)
  const links = rows.map((row) => row.uuid)
  await sql`
    update link l
    set ended_at = case when not ${isReached} then now() end,
      sealed_secret = case when ${isReached} then l.sealed_secret end,
      send_failure = case when not ${isReached} then 'NOT_FOUND' end,
      mail_uuid = (
        select m.uuid from mail m where m.link_uuid = l.uuid and m.sent_at is not null order by m.sent_at desc, m.uuid limit 1
      )
    where l.uuid = any(${links}::uuid[])
  `.execute(tx)
  await wipeMailsOfLinks(tx, links)
}

/** Shares, and the shares by which their recipients passed the study on. */
async function listPassedOn(tx: Tx, shares: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ share_uuid: string }>`
    with recursive ended as (${passedOn(shares)})
    select distinct share_uuid from ended order by share_uuid
  `.execute(tx)
  return rows.map((row) => row.share_uuid)
}

/** Notes who takes a study back. */
export async function insertRetraction(
  tx: Tx,
  one: { uuid: string; record: StudyRecord; reason: string; userUuid: string; isNameless: boolean },
): Promise<void> {
  const { record } = one
  await sql`
    insert into retraction (uuid, account_uuid, study_uid, phi_namespace, study_uuid, reason, by_user, is_nameless)
    values (${one.uuid}, ${record.account_uuid}, ${record.study_uid}, ${record.phi_namespace}, ${record.uuid},
      ${one.reason}, ${one.userUuid}, ${one.isNameless})
  `.execute(tx)
}

interface HiddenRecord {
  phi_namespace: string
  uuid: string
  account_uuid: string
  must_approve: boolean
}

/**
 * Hides these records by a retraction; one that is in the bin already leaves it. One that another retraction hides is
 * hidden by both, by this one for now. Nobody is named as who deleted them
 * where no person is given.
 * @returns those that were not deleted before
 */
export async function hideRecords(
  tx: Tx,
  one: { uuid: string; userUuid: string | null },
  records: readonly string[],
): Promise<HiddenRecord[]> {
  const { rows } = await sql<HiddenRecord & { was_shown: boolean }>`
    with before as (
      select s.phi_namespace, s.uuid, s.deleted_at is null as was_shown,
        -- deleted by the retraction and not before
        s.deleted_at is null or coalesce(s.deleted_at = r.at, false) as shows_again
      from study s
      left join retraction r on r.uuid = s.retraction_uuid
      where s.uuid = any(${records as string[]}::uuid[]) and s.retraction_uuid is distinct from ${one.uuid}
    )
    update study s
    set deleted_at = case when b.shows_again then now() else s.deleted_at end,
      deleted_by = case when b.was_shown then ${one.userUuid}::uuid else s.deleted_by end,
      covered_retractions = array_remove(s.covered_retractions || s.retraction_uuid, null),
      retraction_uuid = ${one.uuid}, updated = now(), row_version = s.row_version + 1
    from before b
    where s.phi_namespace = b.phi_namespace and s.uuid = b.uuid
    returning s.phi_namespace, s.uuid, s.account_uuid, s.must_approve, b.was_shown
  `.execute(tx)
  await sql`
    delete from study_lock
    where study_uuid = any(${records as string[]}::uuid[])
  `.execute(tx)
  await sql`
    update stored_study t
    set ended_at = now()
    from study s
    where s.uuid = any(${records as string[]}::uuid[]) and t.storage_namespace = s.phi_namespace
      and t.study_uid = s.study_uid and t.ended_at is null
  `.execute(tx)
  return rows.filter((row) => row.was_shown)
}

/** A retraction, the records that it hides, and their studies: the one taken back, and copies without names of it. */
export interface Retracted {
  uuid: string
  study_uuid: string
  study_uid: string
  /** Of a copy without names. */
  is_nameless: boolean
  records: string[]
  study_uids: string[]
}

/** The retraction that hides a record. */
export async function findRetractionOf(tx: Tx, uuid: string): Promise<Retracted | undefined> {
  const { rows } = await sql<Retracted>`
    select r.uuid, r.study_uuid, r.study_uid, r.is_nameless,
      array(select d.uuid from study d where d.retraction_uuid = r.uuid order by d.uuid) as records,
      array(
        select distinct d.study_uid from study d where d.retraction_uuid = r.uuid order by d.study_uid
      ) as study_uids
    from study s
    join retraction r on r.uuid = s.retraction_uuid
    where s.uuid = ${uuid}
  `.execute(tx)
  return rows[0]
}

interface Shown extends HiddenRecord {
  study_uid: string
  is_shown: boolean
  /** Whether a share made the record. */
  is_shared: boolean
}

/** The oldest retraction in force that began with one of these records. Uses retraction_in_force. */
export async function findInForce(tx: Tx, studyUuids: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    select r.uuid
    from retraction r
    where r.study_uuid = any(${studyUuids as string[]}::uuid[]) and r.undone_at is null
    order by r.at, r.uuid
    limit 1
  `.execute(tx)
  return rows[0]?.uuid
}

/**
 * Keeps records of a study that retractions hide from being shown again with any of these: they go to the bin then. A
 * record that several hide is under the latest, which the first in force is not.
 */
export async function putHiddenIntoBin(tx: Tx, studyUid: string): Promise<void> {
  // `showRecords` shows what was deleted at the moment of the retraction
  await sql`
    update study
    set deleted_at = now(), updated = now(), row_version = row_version + 1
    where study_uid = ${studyUid} and retraction_uuid is not null
  `.execute(tx)
}

/**
 * Shows the records again that a retraction hid, but for the one that it began with: none whose place has a newer record,
 * whose sources have ended meanwhile, that was in the bin before, or that another retraction hides as well: that one hides
 * it now, of several one that others began, so that its place does not show the record while another is in force. Gives
 * all of them.
 */
export async function showRecords(tx: Tx, retraction: Retracted, userUuid: string): Promise<Shown[]> {
  const { rows } = await sql<Shown>`
    with undone as (
      update retraction set undone_at = now(), undone_by = ${userUuid} where uuid = ${retraction.uuid} returning at
    ), hidden as (
      select s.phi_namespace, s.uuid, s.deleted_at = undone.at as was_shown, n.uuid as next, n.at as next_at,
        n.uuid is null
          and s.deleted_at = undone.at
          and exists (
            select
            from ${sourcesOf('s')} o
            where ${isLive}
          )
          and not exists (
            select
            from study d
            where d.phi_namespace = s.phi_namespace and d.study_uid = s.study_uid and d.deleted_at is null
          ) as is_shown
      from study s
      cross join undone
      left join lateral (
        select r.uuid, r.at
        from retraction r
        where r.uuid = any(s.covered_retractions) and r.undone_at is null
        order by r.study_uuid = s.uuid, r.at desc, r.uuid
        limit 1
      ) n on true
      where s.retraction_uuid = ${retraction.uuid} and s.uuid <> ${retraction.study_uuid}
    )
    update study s
    set retraction_uuid = hidden.next, covered_retractions = array_remove(s.covered_retractions, hidden.next),
      updated = now(), row_version = s.row_version + 1,
      deleted_at = case when hidden.is_shown then null when hidden.was_shown then coalesce(hidden.next_at, s.deleted_at) else s.deleted_at end,
      deleted_by = case when not hidden.is_shown then s.deleted_by end
    from hidden
    where s.phi_namespace = hidden.phi_namespace and s.uuid = hidden.uuid
    returning s.phi_namespace, s.uuid, s.study_uid, s.account_uuid, s.must_approve, hidden.is_shown,
      s.source = 'share' as is_shared
  `.execute(tx)
  await sql`
    update stored_study t
    set ended_at = null
    from study s
    join lateral ${sourcesOf('s')} o on true
    where s.uuid = any(${rows.filter((row) => row.is_shown).map((row) => row.uuid)}::uuid[])
      and o.storage_namespace = s.phi_namespace
      and t.storage_namespace = s.phi_namespace and t.study_uid = s.study_uid and t.generation = o.generation
      and not exists (
        select
        from stored_study d
        where d.storage_namespace = t.storage_namespace and d.study_uid = t.study_uid and d.ended_at is null
      )
  `.execute(tx)
  return rows
}

/** Of these studies those that were taken back from a namespace, each with the last time. */
export async function listRetracted(
  db: Db,
  namespaceUuid: string,
  studyUids: readonly string[],
): Promise<OutputOf<typeof studyUploadRetracted>['studies']> {
  const { rows } = await sql<OutputOf<typeof studyUploadRetracted>['studies'][number]>`
    select distinct on (s.study_uid) s.study_uid, case when ${tellsReason('s')} then r.reason else '' end as reason, coalesce(trim(u.first_name || ' ' || u.last_name), '') as by_name,
      to_char(r.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as at
    from study s
    join retraction r on r.uuid = s.retraction_uuid
    left join app_user u on u.uuid = r.by_user and ${tellsReason('s')}
    where s.study_uid = any(${studyUids as string[]}) and s.phi_namespace = ${namespaceUuid}
      and s.retraction_uuid is not null
    order by s.study_uid, r.at desc, r.uuid
  `.execute(db)
  return rows
}
