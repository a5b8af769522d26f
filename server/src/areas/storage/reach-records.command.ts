import { randomUUID } from 'node:crypto'
import { foldText } from '@hilum/dicom/person-name'
import type { Tx } from '../../db/database.ts'
import type { ArrivedImage } from './arrived-image.ts'
import { type NewRecord, addOwnSources, fillRecords, insertRecords } from './arriving-record.sql.ts'
import type { Demographics } from './image-facts.ts'
import { type StudyKey, isSameStudy } from './ingest.sql.ts'
import type { StudyGain, TouchedRecord } from './list-images.sql.ts'
import { namesSeveralPatients } from './patient-identity.ts'
import { type ReachedRecord, lockStanding } from './standing.sql.ts'

/**
 * Brings the study records up to what arrived: makes the one of the namespace where none is, and gives one that
 * waited for images its demographics.
 * @param standing the records that show these studies so far, and maybe others
 * @returns what to mark on those that were there before
 */
export async function reachRecords(
  tx: Tx,
  images: readonly ArrivedImage[],
  gains: readonly StudyGain[],
  standing: readonly ReachedRecord[],
  at: Date,
): Promise<TouchedRecord[]> {
  const reached = standing.filter((record) => gains.some((gain) => isSameStudy(gain, record)))
  const firstOf = (study: StudyKey) => images.find((image) => isSameStudy(image, study)) as ArrivedImage
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
    const all = (await lockStanding(tx, gains, [])).reached
    return reachRecords(tx, images, gains, all, at)
  }
  const withoutSource = reached.filter((record) => record.is_own && !record.has_own_source)
  if (withoutSource.length > 0) await addOwnSources(tx, withoutSource)
  const waiting = reached.filter((record) => record.is_own && record.awaits_images)
  if (waiting.length > 0)
    await fillRecords(
      tx,
      waiting.map((record) => filledRecord(record, firstOf(record))),
    )
  return reached.map((record) => touchedRecord(record, gains, firstOf(record)))
}

function newRecord(image: ArrivedImage, gain: StudyGain): NewRecord {
  const { demographics, modality } = image.facts
  return {
    storage_namespace: image.storage_namespace,
    study_uid: image.study_uid,
    uuid: randomUUID(),
    account_uuid: image.account_uuid,
    ...demographics,
    search: foldText(demographics.patient_name),
    modality,
    source: image.source,
    source_ae_title: image.sourceName,
    created_by: image.actor,
    quiet_seconds: image.quietSeconds,
    mixed_patients: namesSeveralPatients(gain.identities),
    modalities: gain.modalities,
  }
}

/** An edit made before the first image came replaces what that image says: this is its old value. */
function filledRecord(record: ReachedRecord, image: ArrivedImage) {
  const { demographics, modality } = image.facts
  const { phi_namespace, uuid } = record
  const edited = [...new Set(record.edits.map((edit) => edit.tag))]
  const edits = record.edits.map((edit, index) => {
    const isFirst = record.edits.findIndex((one) => one.tag === edit.tag) === index
    return isFirst && edit.tag in demographics ? { ...edit, old: demographics[edit.tag as keyof Demographics] } : edit
  })
  return { phi_namespace, uuid, ...demographics, search: foldText(demographics.patient_name), modality, edited, edits }
}

function touchedRecord(record: ReachedRecord, gains: readonly StudyGain[], image: ArrivedImage): TouchedRecord {
  const gain = gains.find((one) => isSameStudy(one, record))
  return {
    phi_namespace: record.phi_namespace,
    uuid: record.uuid,
    is_own: record.is_own,
    quiet_seconds: image.quietSeconds,
    mixed_patients: namesSeveralPatients(gain?.identities ?? []),
    modalities: gain?.modalities ?? [],
  }
}
