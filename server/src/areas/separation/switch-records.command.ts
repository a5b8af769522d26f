import { randomUUID } from 'node:crypto'
import { foldText } from '@hilum/dicom/person-name'
import { listRecordsByUuid } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { StudyEdit } from '../altered/study-edit.ts'
import { asOutside, type AuditEntry, writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { insertRecords } from '../ingest/arriving-record.sql.ts'
import { namesSeveralPatients } from '../ingest/patient-identity.ts'
import { isOtherPatient } from '../storage/other-patient.ts'
import { sayChanged, sayReady } from '../ingest/say-ready.command.ts'
import type { MailText } from '../mail/mail-label.ts'
import { separatedMail } from '../mail/mail-texts.ts'
import {
  findContentVersion,
  recountStoredStudy,
  replaceIdentities,
  touchShowingRecords,
} from '../retention/delete-images.sql.ts'
import type { Demographics } from '../storage/image-facts.ts'
import type { ArrivingIdentity, LockedStoredStudy, StoredKey } from '../storage/ingest.sql.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { listGiven, listRetractionNotices } from '../study/retraction.sql.ts'
import { findReceiver } from '../study/share-recipient.sql.ts'
import { tellRecipient } from '../study/tell-recipient.command.ts'
import { editsOf } from './confirmed-patient.ts'
import { type RecordBefore, type SeparationRow, setSeparation } from './separation.sql.ts'
import {
  findWayIn,
  lockShowing,
  noteSeparated,
  setDemographics,
  setOriginalsAside,
  settleMade,
  type ShowingRecord,
  showFirstVersions,
  stepVersions,
} from './switch.sql.ts'

type Switching = {
  one: SeparationRow
  /** The stored study that the images leave, locked. */
  from: LockedStoredStudy
  /** The one that they were stored in anew, locked. */
  staged: LockedStoredStudy
  /** The demographics of the first image that moves. */
  first: Demographics & { modality: string }
  /** Own issuer of MRNs of the account. */
  issuer: string
  /** Of the web app. */
  address: string
}

/**
 * Moves the images of a split, which are stored anew by now: they leave their stored study for every record that shows
 * it, and a record of their own shows them. The caller holds the sharing of the study and both stored studies.
 * @returns the uuid of the new record
 */
export async function switchRecords(tx: Tx, { one, from, staged, first, issuer, address }: Switching): Promise<string> {
  const by = { userUuid: one.user_uuid, name: one.user_name, clientAddress: '' }
  const showing = await lockShowing(tx, from)
  const images = await setOriginalsAside(tx, one)
  await takeOut(tx, from, one.kept_identities)
  const before = await renameShowing(tx, showing, one)
  await stepVersions(
    tx,
    showing.map(({ uuid }) => uuid),
    one.study_uuid,
  )
  const made = await insertMade(tx, one, staged, first, issuer)
  await setSeparation(tx, one.uuid, { state: 'made', toStudyUuid: made.uuid, toRowVersion: made.version, before })
  await noteSeparated(tx, from)
  const detail = { separation: one.uuid, images, ...(one.reason ? { reason: one.reason } : {}) }
  const to = { account_uuid: one.account_uuid, phi_namespace: one.phi_namespace, uuid: made.uuid }
  await writeStudyAudit(tx, by, to, 'SPLIT', { ...detail, from: one.study_uuid })
  await tellShowing(tx, showing, one, by, { ...detail, to: made.uuid })
  await tellSeparated(tx, 'STUDY_SPLIT', [...showing, made])
  await tellReceivers(tx, one.study_uuid, one.user_uuid, separatedMail(address))
  await sayChanged(
    tx,
    showing.map(({ uuid }) => uuid),
  )
  await sayReady(tx, [to], 'joined', new Date(), one.uuid)
  return made.uuid
}

/** Brings a stored study down to the images that are left, and says of whom they are. */
export async function takeOut(tx: Tx, from: LockedStoredStudy, identities: readonly ArrivingIdentity[]): Promise<void> {
  await showFirstVersions(tx, from)
  await recountStoredStudy(tx, from)
  await touchShowingRecords(tx, from, new Date())
  await sayWhose(tx, from, identities)
}

export async function sayWhose(tx: Tx, key: StoredKey, identities: readonly ArrivingIdentity[]): Promise<void> {
  const version = (await findContentVersion(tx, key)) ?? 0
  await replaceIdentities(tx, key, version, identities, namesSeveralPatients(identities))
}

/**
 * A record shows the patient of its first image, and its corrections. Where either is the patient who left, the record
 * takes the demographics of an image that stays, without corrections: the corrections were made for somebody else.
 */
async function renameShowing(tx: Tx, showing: readonly ShowingRecord[], one: SeparationRow): Promise<RecordBefore[]> {
  const before: RecordBefore[] = []
  for (const { phi_namespace, uuid, values, edits, row_version } of showing) {
    if (!isOfOther(values, edits, one.kept_demographics)) continue
    const original = { ...one.kept_demographics, search: foldText(one.kept_demographics.patient_name) }
    before.push({ phi_namespace, uuid, values, edits, row_version: row_version + 1 })
    await setDemographics(
      tx,
      { phi_namespace, uuid },
      original,
      edits.filter(({ tag }) => !(tag in original)),
    )
  }
  return before
}

function isOfOther(shown: Demographics, edits: readonly StudyEdit[], original: Demographics): boolean {
  const came = { ...shown }
  for (const { tag, old } of edits.toReversed()) if (tag in came) came[tag as keyof Demographics] = old
  // a number of another organisation is no other person
  const byName = (one: Demographics) => ({ ...one, patientid: '', issuer: '' })
  return isOtherPatient(came, original) || isOtherPatient(byName(shown), byName(original))
}

async function insertMade(
  tx: Tx,
  one: SeparationRow,
  staged: LockedStoredStudy,
  { modality, ...demographics }: Switching['first'],
  issuer: string,
): Promise<{ uuid: string; version: number }> {
  const uuid = randomUUID()
  const from = { phi_namespace: one.phi_namespace, uuid: one.study_uuid }
  const { storage_namespace, study_uid, generation } = staged
  const record = {
    ...demographics,
    storage_namespace,
    study_uid,
    generation,
    uuid,
    account_uuid: one.account_uuid,
    search: foldText(demographics.patient_name),
    modality,
    ...(await findWayIn(tx, from)),
    created_by: one.user_uuid,
    by_key: false,
    quiet_seconds: 0,
    mixed_patients: namesSeveralPatients(one.moved_identities),
    modalities: [modality],
  }
  await insertRecords(tx, [record], new Date())
  const key = { phi_namespace: one.phi_namespace, uuid }
  const edits = editsOf(demographics, one.confirmed, { issuer, moved: one.moved_identities, who: one.user_uuid })
  if (edits.length > 0) {
    const changed = Object.fromEntries(edits.map((edit) => [edit.tag, edit.new])) as Partial<Demographics>
    const shown = { ...demographics, ...changed }
    await setDemographics(tx, key, { ...shown, search: foldText(shown.patient_name), modality }, edits)
  }
  await touchShowingRecords(tx, staged, new Date())
  return { uuid, version: await settleMade(tx, key) }
}

/** Notes in the history of every record that showed the images that they moved; where to, in the place alone where they are. */
async function tellShowing(
  tx: Tx,
  showing: readonly ShowingRecord[],
  one: SeparationRow,
  by: NonNullable<AuditEntry['caller']>,
  detail: { separation: string; images: number; to: string },
): Promise<void> {
  for (const record of showing) {
    const isHere = record.uuid === one.study_uuid
    const actor = record.account_uuid === one.account_uuid ? by : asOutside(by)
    await writeStudyAudit(tx, actor, record, 'SPLIT', isHere ? detail : { images: detail.images })
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  }
}

/** Tells the webhooks of each account that images left or came to its records, those that show the study by a share as well. */
export async function tellSeparated(
  tx: Tx,
  event: 'STUDY_SPLIT' | 'STUDY_MERGE',
  records: readonly { uuid: string }[],
): Promise<void> {
  const uuids = new Set(records.map(({ uuid }) => uuid))
  const found = await listRecordsByUuid(tx, [...uuids])
  await tellEvent(
    tx,
    event,
    found.filter((one) => !one.deleted),
  )
}

/** Mails whoever has the exam by a share, as they chose to be told of shares. */
export async function tellReceivers(tx: Tx, studyUuid: string, by: string, mail: MailText): Promise<void> {
  const shares = await listGiven(tx, [studyUuid])
  for (const notice of await listRetractionNotices(tx, shares)) {
    const to = await findReceiver(tx, notice, notice)
    if (to) await tellRecipient(tx, to, by, mail)
  }
}
