import { randomUUID } from 'node:crypto'
import { foldId } from '@hilum/dicom/fold-id'
import { foldText } from '@hilum/dicom/person-name'
import type { Tx } from '../../db/database.ts'
import type { ArrivedImage } from './arrived-image.ts'
import { type NewRecord, addOwnSources, fillRecords, insertRecords, listPatientsOf } from './arriving-record.sql.ts'
import type { Demographics } from '../storage/image-facts.ts'
import { type ArrivingIdentity, type IngestedStudyKey, isSameStudy } from '../storage/ingest.sql.ts'
import type { StudyGain, TouchedRecord } from './list-images.sql.ts'
import { addIdentities, namesSeveralPatients, namesVeryPatient } from './patient-identity.ts'
import { isOtherPatient } from '../storage/other-patient.ts'
import { type ReachedRecord, lockReachedRecords } from './reached-records.sql.ts'

/**
 * Brings the study records up to what arrived: makes the one of the namespace where none is, and gives one that
 * waited for images its demographics.
 * @param shown the records that show these studies so far, and maybe others
 * @returns what to mark on those that were there before
 */
export async function reachRecords(
  tx: Tx,
  images: readonly ArrivedImage[],
  gains: readonly StudyGain[],
  shown: readonly ReachedRecord[],
  at: Date,
): Promise<TouchedRecord[]> {
  const reached = shown.filter((record) => gains.some((gain) => isSameStudy(gain, record)))
  const firstOf = (study: IngestedStudyKey) => images.find((image) => isSameStudy(image, study)) as ArrivedImage
  const missing = gains.filter((gain) => !reached.some((record) => record.is_own && isSameStudy(record, gain)))
  const made =
    missing.length === 0
      ? 0
      : await insertRecords(
          tx,
          missing.map((gain) => newRecord(firstOf(gain), gain)),
          at,
        )
  // somebody announced one of them in between
  if (made < missing.length) {
    const all = (await lockReachedRecords(tx, gains, [])).reached
    return reachRecords(tx, images, gains, all, at)
  }
  const withoutSource = reached.filter((record) => record.is_own && !record.has_own_source)
  if (withoutSource.length > 0) await addOwnSources(tx, withoutSource)
  const waiting = reached.filter((record) => record.is_own && record.awaits_images)
  const ofOthers = await listEditedForOthers(tx, waiting, firstOf)
  if (waiting.length > 0)
    await fillRecords(
      tx,
      waiting.map((record) => filledRecord(record, firstOf(record), ofOthers.has(record.uuid))),
    )
  return reached.map((record) => touchedRecord(record, gains, firstOf(record), ofOthers.has(record.uuid)))
}

function newRecord(image: ArrivedImage, gain: StudyGain): NewRecord {
  const { demographics, modality } = image.facts
  return {
    storage_namespace: image.storage_namespace,
    study_uid: image.study_uid,
    generation: gain.generation,
    uuid: randomUUID(),
    account_uuid: image.account_uuid,
    ...demographics,
    search: foldText(demographics.patient_name),
    modality,
    source: image.source,
    source_ae_title: image.sourceName,
    created_by: image.actor,
    by_key: image.isByKey,
    quiet_seconds: image.quietSeconds,
    mixed_patients: namesSeveralPatients(gain.identities),
    modalities: gain.modalities,
  }
}

const patientFields = ['patient_name', 'patientid', 'issuer', 'patient_birth_date', 'patient_sex'] as const

/**
 * Records on whose patient a person corrected what was announced, and whose first image is of somebody else: the person
 * never saw that one, so no image takes the corrections before somebody says that they are one patient. An MRN that was
 * given on the word of the announcement wants an image that names the very patient.
 */
async function listEditedForOthers(
  tx: Tx,
  waiting: readonly ReachedRecord[],
  firstOf: (study: IngestedStudyKey) => ArrivedImage,
): Promise<ReadonlySet<string>> {
  const edited = waiting.filter(({ edits }) => edits.some(({ tag }) => patientFields.some((field) => field === tag)))
  if (edited.length === 0) return new Set()
  const shown = new Map((await listPatientsOf(tx, edited)).map((one) => [one.uuid, one]))
  const ofOthers = edited.filter((record) => {
    const now = shown.get(record.uuid)
    if (!now) return false
    const announced = patientFields.map((field) => [
      field,
      record.edits.find(({ tag }) => tag === field)?.old ?? now[field],
    ])
    const { demographics } = firstOf(record).facts
    if (record.edits.some(({ isOnWord }) => isOnWord) && !namesVeryPatient(now, demographics)) return true
    return [now, Object.fromEntries(announced) as ArrivingIdentity].every((one) => isOtherPatient(one, demographics))
  })
  return new Set(ofOthers.map(({ uuid }) => uuid))
}

/**
 * An edit made before the first image came replaces what that image says: this is its old value. Where that image is of
 * another patient, it stays an edit of what was announced.
 */
function filledRecord(record: ReachedRecord, image: ArrivedImage, isOfOther: boolean) {
  const { demographics, modality } = image.facts
  const { phi_namespace, uuid } = record
  const made = isOfOther ? record.edits : withoutNumberThatCame(record.edits, demographics)
  const edited = [...new Set(made.map((edit) => edit.tag))]
  const edits = made.map((edit, index) => {
    const isFirst = made.findIndex((one) => one.tag === edit.tag) === index
    return isFirst && !isOfOther && edit.tag in demographics
      ? { ...edit, old: demographics[edit.tag as keyof Demographics] }
      : edit
  })
  return { phi_namespace, uuid, ...demographics, search: foldText(demographics.patient_name), modality, edited, edits }
}

/** Edits without those that wrote, before any image was there, the digits that come now under an authority of their own. */
function withoutNumberThatCame(
  edits: ReachedRecord['edits'],
  came: Pick<Demographics, 'patientid' | 'issuer'>,
): ReachedRecord['edits'] {
  const number = edits.findLast((edit) => edit.tag === 'patientid')?.new
  const isThatCame = number !== undefined && came.issuer !== '' && foldId(number) === foldId(came.patientid)
  return isThatCame ? edits.filter(({ tag }) => tag !== 'patientid' && tag !== 'issuer') : edits
}

function touchedRecord(
  record: ReachedRecord,
  gains: readonly StudyGain[],
  image: ArrivedImage,
  isOfOther: boolean,
): TouchedRecord {
  const gain = gains.find((one) => isSameStudy(one, record))
  return {
    phi_namespace: record.phi_namespace,
    uuid: record.uuid,
    is_own: record.is_own,
    quiet_seconds: image.quietSeconds,
    mixed_patients: isOfOther || namesSeveralPatients(addIdentities(record.other_identities, gain?.identities ?? [])),
    modalities: gain?.modalities ?? [],
  }
}
