import type { ExpectedExam, ExpectedPatient, LinkAction } from '@hilum/contract/calls/link'
import type { LinkRight } from '@hilum/contract/link-rights'
import { linkUndoMinutes, requestMemoryDays } from '@hilum/contract/limits'
import { sql } from 'kysely'
import { namesSeveral } from '../altered/outgoing-record.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { wipeMailsOfLinks } from '../mail/mail.sql.ts'
import { isNamelessCopy, recipientOfCopy } from '../nameless/nameless-copy.sql.ts'
import { type PatientRow, patientColumns } from '../study/related.sql.ts'

export interface NewLink {
  uuid: string
  accountUuid: string
  createdBy: string
  permissions: readonly LinkRight[]
  expiresAt: Date
  studies: readonly { phi_namespace: string; uuid: string }[]
  secretDigest: Buffer
  /** The secret, sealed for the link's uuid; null where nobody is shown the address. */
  sealedSecret: Buffer | null
  passwordHash?: string | null
  passwordIsDob?: boolean
  maxHits?: number | null
  message?: string
  email?: string
  /** Asks for a code that is mailed to `email`. */
  pinAuth?: boolean
  /** Images of several patients may be shown: a person looked at them. */
  mixedSeen?: boolean
  /** Addresses that are told of its use. */
  notify?: readonly string[]
}

/** A link to upload, into a namespace. */
export interface NewRequest extends Omit<NewLink, 'permissions' | 'studies' | 'passwordIsDob'> {
  namespaceUuid: string
  expected: ExpectedPatient
  /** Undefined where no exam is named. */
  expectedExam?: ExpectedExam
  maxBytes: number
  /** Given where nobody asked, and somebody opened the page of a share code. */
  byShareCode?: { mustApprove: boolean }
}

/** Notes a link and the records that it shows. */
export async function addLink(tx: Tx, link: NewLink): Promise<void> {
  await insertLink(tx, link, 'STUDY_VIEW')
  await sql`
    insert into link_study (link_uuid, phi_namespace, study_uuid)
    select ${link.uuid}, namespace, study
    from unnest(${link.studies.map((one) => one.phi_namespace)}::uuid[], ${link.studies.map((one) => one.uuid)}::uuid[])
      as named (namespace, study)
  `.execute(tx)
}

/** Notes a request for studies: its right to upload follows from its action, and reaches its namespace alone. */
export async function addRequest(tx: Tx, request: NewRequest): Promise<void> {
  const { expected, expectedExam: exam, byShareCode } = request
  await insertLink(tx, { ...request, permissions: [] }, 'STUDY_UPLOAD')
  await sql`
    insert into link_request (link_uuid, namespace_uuid, patient_name, patient_birth_date, patient_sex, patientid,
      study_date, modality, study_description, max_bytes, by_share_code, must_approve)
    values (${request.uuid}, ${request.namespaceUuid}, ${expected.patient_name}, ${expected.patient_birth_date},
      ${expected.patient_sex}, ${expected.patientid}, ${exam?.study_date ?? ''}, ${exam?.modality ?? ''},
      ${exam?.study_description ?? ''}, ${request.maxBytes}, ${byShareCode !== undefined}, ${byShareCode?.mustApprove ?? false})
  `.execute(tx)
}

async function insertLink(tx: Tx, link: Omit<NewLink, 'studies'>, action: LinkAction): Promise<void> {
  await sql`
    insert into link (uuid, account_uuid, created_by, action, permissions, expires_at, secret_digest, sealed_secret,
      password_hash, password_is_dob, max_hits, message, email, pin_auth, mixed_seen, notify)
    values (${link.uuid}, ${link.accountUuid}, ${link.createdBy}, ${action}, ${[...link.permissions]}::text[],
      ${link.expiresAt}, ${link.secretDigest}, ${link.sealedSecret}, ${link.passwordHash ?? null},
      ${link.passwordIsDob ?? false}, ${link.maxHits ?? null}, ${link.message ?? ''}, ${link.email ?? ''}, ${link.pinAuth ?? false},
      ${link.mixedSeen ?? false}, ${[...(link.notify ?? [])]}::text[])
  `.execute(tx)
}

/** The facts of a study on which a link to it depends. */
export interface LinkableStudy {
  patient_birth_date: string
  is_frozen: boolean
  has_images: boolean
  /** The recipient of whom it is a copy without names; null of every other exam. */
  nameless_for: string | null
  must_approve: boolean
  /** The images name several patients. */
  is_mixed: boolean
}

const linkableColumns = sql`
  s.is_frozen, not s.thin and s.arrival <> 'announced' as has_images,
  ${recipientOfCopy('s')} as nameless_for, s.must_approve, ${namesSeveral} as is_mixed`

/** Locks records of one place while a link to them is made, and gives them as they are then; those that are gone are left out. */
export async function lockLinkable(
  tx: Tx,
  phiNamespace: string,
  uuids: readonly string[],
): Promise<(LinkableStudy & PatientRow)[]> {
  const { rows } = await sql<LinkableStudy & PatientRow>`
    select ${patientColumns}, ${linkableColumns}
    from study s
    where s.phi_namespace = ${phiNamespace} and s.uuid = any(${[...uuids]}::uuid[]) and s.deleted_at is null
    order by s.uuid
    for share of s
  `.execute(tx)
  return rows
}

/** A record that a link may show, with the words by which people know an exam. */
interface NamedStudy extends LinkableStudy {
  uuid: string
  study_date: string
  modality: string
  study_description: string
}

/** Facts of records of one place that a link may show. */
export async function listLinkable(db: Db, phiNamespace: string, uuids: readonly string[]): Promise<NamedStudy[]> {
  const { rows } = await sql<NamedStudy>`
    select s.uuid, s.study_date, s.modality, s.study_description, s.patient_birth_date, ${linkableColumns}
    from study s
    where s.phi_namespace = ${phiNamespace} and s.uuid = any(${[...uuids]}::uuid[]) and s.deleted_at is null
  `.execute(db)
  return rows
}

/** Whether a link shows images that name several patients by now, which its maker had not looked at. */
export async function showsUnseenMixed(db: Db, linkUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from link l
    join link_study ls on ls.link_uuid = l.uuid
    join study s on s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid
    where l.uuid = ${linkUuid} and not l.mixed_seen and ${namesSeveral}
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Whether a study of a link is a copy without names. */
export async function showsNameless(db: Db, linkUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from link_study ls
    join study s on s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid
    where ls.link_uuid = ${linkUuid} and ${isNamelessCopy('s')}
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Changes of a link; undefined ones leave it as it is. */
interface LinkChange {
  /** Minutes until the end, from now. */
  minutesLeft?: number | undefined
  /** Null for no end of uses. */
  maxHits?: number | null | undefined
  /** Null for none; a date of birth is not asked for any more either. */
  passwordHash?: string | null | undefined
  permissions?: readonly LinkRight[] | undefined
  isUnlocked: boolean
}

/** The rights of a link, locked until the end of the transaction. */
export async function lockRightsOfLink(tx: Tx, uuid: string): Promise<LinkRight[]> {
  const { rows } = await sql<{ permissions: LinkRight[] }>`
    select to_jsonb(permissions) as permissions
    from link
    where uuid = ${uuid}
    for update
  `.execute(tx)
  return rows[0]?.permissions ?? []
}

/** Changes a link that was not revoked. False when it was. */
export async function changeLink(tx: Tx, uuid: string, change: LinkChange): Promise<boolean> {
  const { minutesLeft, maxHits, passwordHash, permissions, isUnlocked } = change
  // whoever opened it knew the password before
  const { rows } = await sql`
    with closed as (
      delete from session where link_uuid = ${uuid} and ${typeof passwordHash === 'string'}
    )
    update link
    set expires_at = case when ${minutesLeft !== undefined} then now() + make_interval(mins => ${minutesLeft ?? 0}) else expires_at end,
      reminded_at = case when ${minutesLeft !== undefined} then null else reminded_at end,
      max_hits = case when ${maxHits !== undefined} then ${maxHits ?? null}::integer else max_hits end,
      password_hash = case when ${passwordHash !== undefined} then ${passwordHash ?? null}::text else password_hash end,
      password_is_dob = password_is_dob and ${passwordHash === undefined},
      permissions = coalesce(${permissions ? [...permissions] : null}::text[], permissions),
      wrong_passwords = case when ${isUnlocked || passwordHash !== undefined} then 0 else wrong_passwords end
    where uuid = ${uuid} and ended_at is null
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Changes the bytes that a request may store. */
export async function setMostBytes(tx: Tx, linkUuid: string, bytes: number): Promise<void> {
  await sql`update link_request set max_bytes = ${bytes} where link_uuid = ${linkUuid}`.execute(tx)
}

/**
 * Ends a link at once, and what is open through it; nobody is shown its address again. Its secret stays sealed for as long
 * as the link can be brought back. Its mails that wait never leave. False when it had ended.
 */
export async function endLink(db: Db, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    update link
    set ended_at = now()
    where uuid = ${uuid} and ended_at is null
    returning 1
  `.execute(db)
  if (rows.length > 0) await wipeMailsOfLinks(db, [uuid])
  return rows.length > 0
}

/** Ends a link that was to be mailed and cannot be, with the reason. False when it had ended. */
export async function failSending(
  tx: Tx,
  uuid: string,
  failure: 'NOT_PERMITTED' | 'NOT_FOUND' | 'MIXED_PATIENTS',
): Promise<boolean> {
  const { rows } = await sql`
    update link
    set ended_at = now(), sealed_secret = null, send_failure = ${failure}
    where uuid = ${uuid} and ended_at is null and mail_uuid is null
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Ends a link for good: nobody brings it back. */
export async function endLinkForGood(db: Db, uuid: string): Promise<void> {
  await sql`
    update link
    set ended_at = now(), sealed_secret = null
    where uuid = ${uuid} and ended_at is null
  `.execute(db)
}

/**
 * Brings back a link that was revoked a short while ago, with the same address. Undefined when it is too late.
 * @returns whether its mail was taken back before it left; one that is to leave later still is
 */
export async function restoreLink(tx: Tx, uuid: string): Promise<{ lacksMail: boolean } | undefined> {
  const { rows } = await sql<{ lacks_mail: boolean }>`
    update link
    set ended_at = null
    where uuid = ${uuid}
      and sealed_secret is not null
      and ended_at > now() - make_interval(mins => ${linkUndoMinutes})
    returning email <> '' and coalesce(mail_at <= now(), true)
      and not exists (select from mail m where m.uuid = link.mail_uuid) as lacks_mail
  `.execute(tx)
  return rows[0] && { lacksMail: rows[0].lacks_mail }
}

/** Forgets the addresses of links that can be brought back no more. */
export async function wipeEndedAddresses(db: Db): Promise<void> {
  await sql`
    update link
    set sealed_secret = null
    where sealed_secret is not null
      and ended_at <= now() - make_interval(mins => ${linkUndoMinutes})
  `.execute(db)
}

/** A request whose expected patient and exam were erased. */
interface ErasedRequest {
  link_uuid: string
  namespace_uuid: string
  account_uuid: string
}

/**
 * Empties the expected patient and exam of requests that ended long ago, but not of patients under a hold. Uses
 * link_request_to_erase. @returns the requests concerned, at most `most`
 */
export async function eraseExpectedOfEnded(tx: Tx, most: number): Promise<ErasedRequest[]> {
  const { rows } = await sql<ErasedRequest>`
    with old as (
      select r.link_uuid, l.account_uuid
      from link_request r
      join link l on l.uuid = r.link_uuid
      join account a on a.uuid = l.account_uuid
      where r.erased_at is null
        and r.patient_name || r.patient_birth_date || r.patient_sex || r.patientid || r.study_date || r.modality
          || r.study_description <> ''
        and least(l.ended_at, l.expires_at) <= now() - make_interval(days => ${requestMemoryDays})
        and not exists (
          select
          from patient_hold h
          where h.account_uuid = l.account_uuid and h.issuer = a.issuer and folded_id(h.patientid) <> ''
            and folded_id(h.patientid) = folded_id(r.patientid)
        )
      order by r.link_uuid
      limit ${most}
      for update of r skip locked
    )
    update link_request r
    set patient_name = '', patient_birth_date = '', patient_sex = '', patientid = '', study_date = '', modality = '',
      study_description = '', erased_at = now()
    from old
    where r.link_uuid = old.link_uuid
    returning r.link_uuid, r.namespace_uuid, old.account_uuid
  `.execute(tx)
  return rows
}

/** Notes the last mail with the address of a link. */
export async function setLinkMail(tx: Tx, uuid: string, mailUuid: string): Promise<void> {
  await sql`update link set mail_uuid = ${mailUuid} where uuid = ${uuid}`.execute(tx)
}

/** Whom a link is mailed to, and its sealed secret; locked until the end of the transaction. */
export async function lockAddressee(
  tx: Tx,
  uuid: string,
): Promise<{ email: string; sealed_secret: Buffer | null } | undefined> {
  const { rows } = await sql<{ email: string; sealed_secret: Buffer | null }>`
    select email, sealed_secret from link where uuid = ${uuid} and ended_at is null for update
  `.execute(tx)
  return rows[0]
}

/** Notes whom a link is mailed to. */
export async function setLinkEmail(tx: Tx, uuid: string, email: string): Promise<void> {
  await sql`update link set email = ${email} where uuid = ${uuid}`.execute(tx)
}

/** Gives a link another secret: whoever has the old one, or opened the link with it or with a code, is shut out. */
export async function setLinkSecret(tx: Tx, uuid: string, secretDigest: Buffer, sealedSecret: Buffer): Promise<void> {
  await sql`
    with closed as (
      delete from session where link_uuid = ${uuid}
    )
    update link
    set secret_digest = ${secretDigest}, sealed_secret = ${sealedSecret}, pin_digest = null, pin_expires_at = null
    where uuid = ${uuid}
  `.execute(tx)
}
