import { createHash } from 'node:crypto'
import type { MergeObstacle } from '@hilum/contract/calls/study-merge'
import { attributeOfField } from '@hilum/contract/entities/study-attributes'
import { compareIdentities } from '@hilum/dicom/identity'
import { findValueFault } from '@hilum/dicom/value-rules'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Db } from '../../db/database.ts'
import type { StudyEdit } from '../altered/study-edit.ts'
import { namesSeveralPatients } from '../ingest/patient-identity.ts'
import { asIdentity } from '../storage/compared-patient.ts'
import type { Demographics } from '../storage/image-facts.ts'
import type { StoredKey } from '../storage/ingest.sql.ts'
import { findOwnStored } from '../storage/record-images.sql.ts'
import { findMergeSide, goesOn, type MergeSide } from './merge.sql.ts'
import { listObstacles } from './obstacles.command.ts'

export type PlannedSide = {
  record: StudyRecord
  key: StoredKey | undefined
  /** Undefined of a record without images of its own. */
  side: MergeSide | undefined
  obstacles: MergeObstacle[]
}

export type MergePlan = {
  moves: PlannedSide
  stays: PlannedSide
  verdict: 'same' | 'likely' | 'different'
  digest: string
}

/**
 * Two exams of one place, and whatever keeps the images of one from going to the other. Patients are compared as their
 * records show them.
 */
export async function planMerge(
  db: Db,
  { moving, staying }: { moving: StudyRecord; staying: StudyRecord },
  userUuid: string,
): Promise<MergePlan> {
  const [moves, stays] = [await planSide(db, moving, userUuid), await planSide(db, staying, userUuid)]
  const verdict =
    moves.side && stays.side
      ? compareIdentities(asIdentity(moves.side), asIdentity(stays.side)).verdict
      : ('different' as const)
  if (moves.side && stays.side && verdict === 'different') moves.obstacles.push('other-patient')
  if (await goesOn(db, staying, moving.study_uid)) stays.obstacles.push('went-on')
  const facts = [moves, stays].map(({ record, key, side }) => [
    record.uuid,
    key?.generation,
    side?.content_version,
    side && demographicsOf(side),
  ])
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
  return { moves, stays, verdict, digest }
}

async function planSide(db: Db, record: StudyRecord, userUuid: string): Promise<PlannedSide> {
  const key = await findOwnStored(db, record)
  const side = key && (await findMergeSide(db, record, key))
  const obstacles: MergeObstacle[] = await listObstacles(db, record, key, userUuid)
  if (side && side.seqs.length === 0) obstacles.push('empty')
  if (side && (record.mixed_patients || namesSeveralPatients(side.identities))) obstacles.push('mixed')
  return { record, key, side, obstacles }
}

const fields = [
  'patient_name',
  'patientid',
  'issuer',
  'patient_birth_date',
  'patient_sex',
  'accession_number',
  'study_description',
  'study_date',
  'study_time',
  'referring_physician',
] as const satisfies readonly (keyof Demographics)[]

function demographicsOf(side: MergeSide): Demographics {
  return Object.fromEntries(fields.map((field) => [field, side[field]])) as Demographics // each of them
}

/**
 * Patient and exam that moved images are given: those of the exam that stays as its images came, since its corrections
 * apply to them on top. Of a value that it does not have, a correction of the exam that they leave is written into them,
 * which would be lost with it. Any other, and one that no image can hold, leaves the image its own.
 */
export function writtenOf(stays: MergeSide, moves: MergeSide): Partial<Demographics> {
  const came = asCame(demographicsOf(stays), stays.edits)
  const isTheirs = (field: keyof Demographics) => came[field] === '' && !isEdited(stays, field)
  const written: Partial<Demographics> = {}
  for (const field of fields) {
    if (field === 'issuer' || (isTheirs(field) && !isEdited(moves, field))) continue
    const value = isTheirs(field) ? moves[field] : came[field]
    if (isWritable(field, value)) written[field] = value
  }
  // an issuer belongs to its number: none of another number stands beside this one
  const issuer = isTheirs('patientid') ? moves.issuer : came.issuer
  if (written.patientid !== undefined && isWritable('issuer', issuer)) written.issuer = issuer
  return written
}

function isEdited({ edits }: MergeSide, field: keyof Demographics): boolean {
  return edits.some(({ tag }) => tag === field)
}

function asCame(shown: Demographics, edits: readonly StudyEdit[]): Demographics {
  const came = { ...shown }
  for (const { tag, old } of edits.toReversed()) if (tag in came) came[tag as keyof Demographics] = old
  return came
}

function isWritable(field: string, value: string): boolean {
  if (field === 'issuer') return findValueFault(value, 'LO') === undefined
  const { vr, isMultiple } = attributeOfField(field as Exclude<keyof Demographics, 'issuer'>)
  return findValueFault(value, vr, isMultiple) === undefined
}
