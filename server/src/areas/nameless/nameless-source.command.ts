import { createHash } from 'node:crypto'
import type { NamelessDates } from '@hilum/contract/calls/study-deidentify'
import type { Deidentification } from '@hilum/dicom/deidentify/deidentify-header'
import { namingWords } from '@hilum/dicom/deidentify/naming-words'
import type { ElementEdit } from '@hilum/dicom/splice'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { findOutgoingRecord, type OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { correctionOf } from '../altered/record-edits.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { listImages } from '../storage/record-images.sql.ts'
import { secretOf } from './nameless-copy.sql.ts'
import { type Pseudonyms, pseudonymsOf } from './pseudonyms.ts'

/** A study as a copy without names is made of it. */
export type NamelessSource = {
  images: StoredInstance[]
  edits: readonly ElementEdit[]
  /** Names the images and corrections as they are now. */
  digest: string
  pseudonyms: Pseudonyms
  /** Words of the record that name the patient. */
  words: string[]
}

/** The parts of a study that can leave; undefined while nothing can: it arrives, awaits approval, or is of several patients. */
export async function openNamelessSource(
  services: Services,
  record: StudyRecord,
  recipient: string,
): Promise<NamelessSource | undefined> {
  const isSettled = record.arrival === 'complete' || record.arrival === 'incomplete'
  if (record.deleted || record.must_approve || record.is_retracted || !isSettled) return undefined
  const images = await listImages(services.db, record)
  // after the images: one of another patient that came before they were listed is told of here
  const outgoing = await findOutgoingRecord(services.db, record.phi_namespace, record.uuid)
  if (!outgoing || outgoing.mixed_patients || images.length === 0) return undefined
  const edits = correctionOf({ ...outgoing, mixed_patients: false })?.edits ?? []
  const secret = await secretOf(services.db, record.phi_namespace)
  const patient = patientOfMost(outgoing) ?? record.study_uid
  return {
    images,
    edits,
    digest: digestOf(images, edits),
    pseudonyms: pseudonymsOf(secret, recipient, patient, services.config.uidRoot),
    words: namingWords([outgoing.patient_name, outgoing.patientid, outgoing.accession_number]),
  }
}

/** Without a number each study has a patient of its own: names alone are shared by many. */
function patientOfMost({ patientid, issuer }: OutgoingRecord): string | undefined {
  return patientid.trim() ? JSON.stringify([issuer.trim(), patientid.trim()]) : undefined
}

function digestOf(images: readonly StoredInstance[], edits: readonly ElementEdit[]): string {
  const facts = JSON.stringify([images.map(({ version }) => version), edits])
  return createHash('sha256').update(facts).digest('hex').slice(0, 32)
}

/** How the header of one image is written. @param words those of the image besides */
export function howToWrite(
  { pseudonyms, words }: NamelessSource,
  chosen: { dates: NamelessDates; texts: readonly string[]; isPixelsSeen: boolean },
  own: readonly string[],
): Deidentification {
  const { pseudonym, days, uidOf } = pseudonyms
  return {
    patientName: pseudonym,
    patientId: pseudonym,
    dates: chosen.dates === 'MOVED' ? { kind: 'moved', days } : { kind: 'removed' },
    uidOf,
    texts: new Set(chosen.texts),
    words: [...words, ...own],
    isPixelsSeen: chosen.isPixelsSeen,
  }
}
