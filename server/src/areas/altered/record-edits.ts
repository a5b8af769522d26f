import type { Correction } from '@hilum/dicom/node/correct-file'
import type { ElementEdit } from '@hilum/dicom/splice'
import { foldId } from '@hilum/dicom/fold-id'
import { parseTag, Tag, tagToHex } from '@hilum/dicom/tags'
import { type StudyAttribute, studyAttributes } from '@hilum/contract/entities/study-attributes'
import { withDescribed } from './described-values.ts'
import type { StudyEdit } from './study-edit.ts'

/** Names the way in which corrections are made, in the tags of cached answers: raised when files leave differently. */
export const correctionForm = 'c8'

/** An edit as the record keeps it. */
export type RecordEdit = StudyEdit

const issuerAttribute: StudyAttribute = { tag: tagToHex(Tag.IssuerOfPatientID), vr: 'LO' }

/** The parts of a record that corrections need: its edits, the issuer of its MRN, and whether its images are of several patients. */
type EditedRecord = {
  edits: readonly RecordEdit[]
  issuer: string
  mixed_patients: boolean
  /** All images get the accession number of the record, whatever each of them names. */
  one_accession?: boolean
  accession_number?: string
  /** All images get the MRN of the record and its authority, whatever each of them names. */
  one_mrn?: boolean
  patientid?: string
  /** When the record was made, as digits in UTC: since then its images leave so. */
  created?: string
}

/** Attributes of the exam that the record has from its images: one with another value has it for a reason, and keeps it. */
const ownOfImages: ReadonlySet<RecordEdit['tag']> = new Set([
  'accession_number',
  'study_description',
  'study_date',
  'study_time',
  'referring_physician',
])

/**
 * The correction of files by a record's edits: for each attribute from the value that came to the one now in force.
 * Values of the patient hold for all images while these are of one, however each of them writes the name.
 */
export function correctionOf(record: EditedRecord): Correction | undefined {
  const { edits: recordEdits, mixed_patients } = record
  const byTag = new Map<number, ElementEdit>()
  /** Attributes that other images may name otherwise, though the record showed the value before. */
  const isOfAll = new Set<number>()
  for (const edit of recordEdits) {
    const attribute = edit.tag === 'issuer' ? issuerAttribute : studyAttributes[edit.tag]
    const tag = parseTag(attribute?.tag ?? '')
    if (tag === undefined) continue
    const isForAll = !mixed_patients && !ownOfImages.has(edit.tag)
    if (isForAll && (edit.tag === 'patientid' || edit.tag === 'issuer')) isOfAll.add(tag)
    const isMultiple = attribute?.isMultiple ?? false
    // an image of another number than those that were seen, or the one written, keeps its own
    const among = edit.mrns ? { among: [...edit.mrns, edit.new] } : {}
    byTag.set(tag, { tag, old: byTag.get(tag)?.old ?? edit.old, new: edit.new, isForAll, isMultiple, ...among })
  }
  const mrn = byTag.get(Tag.PatientID)
  // an image whose number came from another authority than those of the others gets the issuer of the number written
  if (mrn && !byTag.has(Tag.IssuerOfPatientID) && record.issuer)
    byTag.set(Tag.IssuerOfPatientID, { tag: Tag.IssuerOfPatientID, old: '', new: record.issuer })
  const issuer = byTag.get(Tag.IssuerOfPatientID)
  // an issuer belongs to its MRN: where another number stands, it stays that number's
  if (mrn && issuer) issuer.follows = { tag: mrn.tag, old: mrn.old, isForAll: mrn.isForAll ?? false, ...amongOf(mrn) }
  const of = recordEdits.find((edit) => edit.tag === 'issuer')?.of
  if (!mrn && issuer && of !== undefined) issuer.follows = { tag: Tag.PatientID, old: of }
  const isSaid = ({ tag }: ElementEdit) => mrn !== undefined && isOfAll.has(tag)
  const changed = [...byTag.values()].filter((edit) => edit.old !== edit.new || isSaid(edit))
  const forAll = [...(record.one_accession ? oneAccession(record) : []), ...(record.one_mrn ? oneMrn(record) : [])]
  const edits = [...changed.filter((edit) => forAll.every(({ tag }) => tag !== edit.tag)), ...forAll]
  if (edits.length === 0) return undefined
  const newest =
    recordEdits
      .map((edit) => edit.when)
      .sort()
      .at(-1) ??
    record.created ??
    ''
  return { edits: edits.map(withDescribed), modifiedAt: dicomDateTime(newest) }
}

/**
 * Issuers of the MRNs under which the images of a record leave, as `correctionOf` corrects those of one patient; of images
 * without a number none.
 */
export function outgoingIssuers(
  record: { patientid: string; issuer: string; edits: readonly RecordEdit[]; one_mrn: boolean },
  identities: readonly { patientid: string; issuer: string }[],
): string[] {
  const { patientid, issuer, edits } = record
  const said = edits.find(({ tag }) => tag === 'issuer')
  const ofRecord = patientid === '' && !said ? [] : [issuer]
  if (record.one_mrn) return ofRecord
  const written = edits.find(({ tag }) => tag === 'patientid')
  const isWritten = written !== undefined
  const seen = written?.mrns && new Set([...written.mrns, patientid, ''].map(foldId))
  const unseen = seen ? identities.filter((one) => !seen.has(foldId(one.patientid))).map((one) => one.issuer) : []
  if (isWritten && (issuer || patientid === '')) return [...ofRecord, ...unseen]
  const isSaidOf = (one: { patientid: string }) => said && (said.of === undefined || said.of === one.patientid)
  const ofImages = identities.filter((one) => (isWritten || one.patientid !== '') && !isSaidOf(one))
  return [...ofRecord, ...ofImages.map((one) => one.issuer)]
}

const amongOf = ({ among }: ElementEdit) => (among ? { among } : {})

function oneAccession({ accession_number = '' }: EditedRecord): ElementEdit[] {
  return [{ tag: Tag.AccessionNumber, old: '', new: accession_number, isForAll: true }]
}

function oneMrn({ patientid = '', issuer }: EditedRecord): ElementEdit[] {
  return [
    { tag: Tag.PatientID, old: '', new: patientid, isForAll: true },
    { tag: Tag.IssuerOfPatientID, old: '', new: issuer, isForAll: true },
  ]
}

/** `2026-01-31 12:34:56…` as YYYYMMDDHHMMSS+0000. */
function dicomDateTime(stamp: string): string {
  const digits = stamp.replace(/\D/g, '').slice(0, 14)
  return digits.length === 14 ? `${digits}+0000` : '19700101000000+0000'
}
