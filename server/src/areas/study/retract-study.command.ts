import { randomUUID } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import { findRecordByUid, type StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { sayShownAgain } from '../ingest/say-ready.command.ts'
import { retractedLinkMail, retractedMail } from '../mail/mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { failCopiesOf, isNameless, listCopiesOf, listLiveCopyUids } from '../nameless/nameless-copy.sql.ts'
import { endSourcesOf } from './ended-sources.sql.ts'
import {
  findRetractionOf,
  hideRecords,
  insertRetraction,
  listGiven,
  listLinkAddressees,
  listReached,
  listRetractionNotices,
  type RetractedRecord,
  type Retracted,
  showRecords,
  wipeMailsOfHidden,
} from './retraction.sql.ts'
import { lockSharingOfAll } from '../storage/lock-sharing.sql.ts'
import { lockReached } from './share-locks.sql.ts'
import { findReceiver } from './share-recipient.sql.ts'
import { lockToShare, refreshRecord } from './shared-record.sql.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { tellRecipient } from './tell-recipient.command.ts'

/**
 * Takes a study back everywhere it went: hides the owner's record, those of all recipients with the copies that they kept,
 * and by that every link, viewer and download of it. Copies without names go as a whole, wherever they went: those that
 * were made in its place each by a retraction of its own without the reason, which is about the study, and with it what was
 * made of them; those that recipients made with the study. A recipient who has images of another way keeps those. Nothing
 * is deleted: the records keep their sources, stars and corrections, and are purged by nobody. The bytes of a copy that
 * left as files are out of reach.
 * @param address of the web app, where mails lead
 * @returns how many copies without names went along, and in how many other places all of it was; undefined when the study
 *   is gone
 */
export async function retractStudy(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  { reason, address }: { reason: string; address: string },
): Promise<{ copies: number; places: number } | undefined> {
  const plan = await lockAllReached(tx, record)
  const { source } = await lockToShare(tx, record, record.phi_namespace)
  if (!source || source.deleted) return undefined
  const done: Done = { records: new Map(), copies: new Set() }
  for (const copyUid of await listLiveCopyUids(tx, record.phi_namespace, record.uuid)) {
    const copy = await findRecordByUid(tx, record.phi_namespace, copyUid)
    if (copy) await takeBackWithCopies(tx, caller, copy, { reason: '', address }, plan, done)
    done.copies.add(copyUid)
  }
  await takeBackWithCopies(tx, caller, record, { reason, address }, plan, done)
  const places = [...done.records.values()].filter((namespace) => namespace !== record.phi_namespace).length
  return { copies: done.copies.size, places }
}

/** Records that an act has reached so far, with their places, and the copies without names among them. */
interface Done {
  records: Map<string, string>
  copies: Set<string>
}

type Hideable = Pick<StudyRecord, 'uuid' | 'study_uid' | 'phi_namespace' | 'account_uuid'>
type Reached = Awaited<ReturnType<typeof findReached>>

/** Begins a retraction with a record, and takes back with it the copies that no retraction of the same act took. */
async function takeBackWithCopies(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  { reason, address }: { reason: string; address: string },
  plan: ReadonlyMap<string, Reached>,
  done: Done,
): Promise<void> {
  const isCopy = await isNameless(tx, record)
  const act = { uuid: randomUUID(), reason, address, userUuid: caller.userUuid, isNameless: isCopy }
  await insertRetraction(tx, { ...act, record })
  const take = async (one: Hideable, original?: Hideable) => {
    const reached = plan.get(one.uuid) ?? (await findReached(tx, one))
    await takeBack(tx, caller, act, one, reached, original)
    for (const { uuid, phi_namespace: namespace } of [one, ...reached.reached]) done.records.set(uuid, namespace)
  }
  await take(record)
  for (const copy of await listCopiesOf(tx, record)) {
    // a record that has the copy of its maker went with it
    if (done.records.has(copy.uuid)) continue
    await take(copy, record)
    done.copies.add(copy.study_uid)
  }
}

/**
 * All that a study of this record went to, and the copies without names of it, by record; locked together, and the making
 * of copies ended.
 */
async function lockAllReached(tx: Tx, record: Hideable): Promise<Map<string, Reached>> {
  const before = await listCopiesOf(tx, record)
  await lockSharingOfAll(tx, [record.study_uid, ...before.map((one) => one.study_uid)])
  const all = [record, ...(await listCopiesOf(tx, record))]
  // copies that were made meanwhile
  await lockSharingOfAll(
    tx,
    all.map((one) => one.study_uid),
  )
  for (const one of all) await failCopiesOf(tx, one.uuid)
  const plan = new Map<string, Reached>()
  for (const one of all) plan.set(one.uuid, await findReached(tx, one))
  const found = [...plan.values()]
  await lockReached(tx, {
    shares: found.flatMap((one) => one.shares),
    given: { from: record, toNamespace: record.phi_namespace },
    besides: [...all, ...found.flatMap((one) => one.reached)].map(({ uuid }) => uuid),
  })
  return plan
}

/**
 * Hides a record and all that its study went to by a retraction, puts it on record and tells the people. At copies without
 * names neither the reason nor a person nor another record is named: whoever has one could learn whose it is.
 * @param original the record that is taken back, when this one is a copy without names of it
 */
async function takeBack(
  tx: Tx,
  caller: Caller,
  act: { uuid: string; reason: string; address: string; userUuid: string; isNameless: boolean },
  record: Hideable,
  { shares, reached }: Reached,
  original?: Hideable,
): Promise<void> {
  const notices = await listRetractionNotices(tx, shares)
  const hidden = [record, ...reached.filter((one) => one.is_whole)].map((one) => one.uuid)
  const addressees = await listLinkAddressees(tx, hidden)
  const isAudited = !act.isNameless && !original
  await tellEvent(
    tx,
    'STUDY_DELETE',
    await hideRecords(tx, { uuid: act.uuid, userUuid: isAudited ? act.userUuid : null }, hidden),
  )
  await wipeMailsOfHidden(tx, shares, hidden)
  for (const partial of reached.filter((one) => !one.is_whole)) {
    await endSourcesOf(tx, partial, shares)
    await refreshRecord(tx, partial, false)
  }
  const detail = { retraction: act.uuid, reason: act.reason }
  if (original) await writeStudyAudit(tx, undefined, record, 'RETRACT')
  else await writeStudyAudit(tx, caller, record, 'RETRACT', { ...detail, places: reached.length })
  await writeEvent(tx, original ? 'retracted' : 'study', record.phi_namespace, record.uuid)
  for (const one of reached) {
    if (isAudited) await writeStudyAudit(tx, caller, one, 'RETRACT', { ...detail, from: record.uuid })
    else await writeStudyAudit(tx, undefined, one, 'RETRACT')
    // whoever was told that it was taken back is not told again
    await writeEvent(tx, one.is_waiting || one.is_hidden ? 'study' : 'retracted', one.phi_namespace, one.uuid)
  }
  for (const one of notices) {
    const to = await findReceiver(tx, one, one)
    if (to) await tellRecipient(tx, to, caller.userUuid, retractedMail(act.address))
  }
  for (const { account_uuid: accountUuid, email: recipient } of addressees)
    await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...retractedLinkMail() })
}

/** All that a study of one record went to, locked together with it. */
async function lockReachedOf(tx: Tx, record: Hideable): Promise<Reached> {
  const found = await findReached(tx, record)
  await lockReached(tx, { shares: found.shares, besides: [record, ...found.reached].map(({ uuid }) => uuid) })
  return found
}

/** All that a study of this record went to; also what was passed on from copies that recipients kept. */
async function findReached(tx: Tx, record: Hideable): Promise<{ shares: string[]; reached: RetractedRecord[] }> {
  for (let owners = [record.uuid]; ; ) {
    const shares = await listGiven(tx, owners)
    const reached = await listReached(tx, record, shares)
    const copies = reached.filter((one) => one.is_copy && one.is_whole && !owners.includes(one.uuid))
    if (copies.length === 0) return { shares, reached }
    owners = [...owners, ...copies.map((one) => one.uuid)]
  }
}

/**
 * Hides by a retraction what of a copy without names was stored after the retraction had hidden all else, and where it
 * went.
 */
export async function hideHalf(tx: Tx, retraction: string, half: StudyRecord): Promise<void> {
  const { reached } = await lockReachedOf(tx, half)
  const hidden = [half, ...reached.filter((one) => one.is_whole)]
  const uuids = hidden.map((one) => one.uuid)
  await tellEvent(tx, 'STUDY_DELETE', await hideRecords(tx, { uuid: retraction, userUuid: null }, uuids))
  for (const one of hidden) {
    await writeStudyAudit(tx, undefined, one, 'RETRACT')
    await writeEvent(tx, 'retracted', one.phi_namespace, one.uuid)
  }
}

/**
 * Shows the recipients again what a retraction hid; part of restoring the owner's record, for a caller who holds all that
 * it reaches (`lockRetracted`).
 */
export async function undoRetraction(tx: Tx, caller: Caller, retraction: Retracted): Promise<void> {
  const shown = (await showRecords(tx, retraction, caller.userUuid)).filter((one) => one.is_shown)
  for (const one of shown) {
    await refreshRecord(tx, one, false)
    const isAudited = !retraction.is_nameless && one.study_uid === retraction.study_uid
    if (isAudited) await writeStudyAudit(tx, caller, one, 'REVIVE', { retraction: retraction.uuid })
    else await writeStudyAudit(tx, undefined, one, 'REVIVE')
    await writeEvent(tx, 'study', one.phi_namespace, one.uuid)
  }
  await sayShownAgain(tx, shown, new Date())
}

/** Locks all that showing a retracted record again reaches; undefined for one that was not retracted. */
export async function lockRetracted(tx: Tx, record: StudyRecord): Promise<Retracted | undefined> {
  if (!record.is_retracted) return undefined
  const before = await findRetractionOf(tx, record.uuid)
  await lockSharingOfAll(tx, [record.study_uid, ...(before?.study_uids ?? [])])
  const retraction = await findRetractionOf(tx, record.uuid)
  const given = { from: record, toNamespace: record.phi_namespace }
  if (retraction) await lockReached(tx, { shares: [], given, besides: retraction.records })
  return retraction
}
