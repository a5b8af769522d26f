import { ApiError } from '@hilum/contract/errors'
import { type StudyDicomField, studyDicomFields } from '@hilum/contract/entities/study'
import { attributeOfField } from '@hilum/contract/entities/study-attributes'
import { hasUnreadCharacter } from '@hilum/dicom/text'
import { describeValueFault, findValueFault, type ValueFault } from '@hilum/dicom/value-rules'

/** One change of a record by a person: the value before and the value now. Stored bytes never change. */
export interface StudyEdit {
  /** The issuer changes with the MRN alone. */
  tag: StudyDicomField | 'issuer'
  old: string
  new: string
  who: string
  when: string
  /** Of an issuer that changed alone: the MRN that it is of. */
  of?: string
  /**
   * Of an MRN: the numbers that the images carried by then, which it replaces. An image that comes under another one keeps
   * that. Before any image, those that the editor said they would carry; absent without these: the MRN replaces any.
   */
  mrns?: readonly string[]
  /** The MRN, perhaps the same before and after, was said to be that of all images, of which some carry another one. */
  isOfAll?: true
  /** The MRN that the patient keeps although somebody else has it, for a reason that the editor gave. */
  held?: string
  /** Digests of the people who had that MRN by then: the reason is about them. Absent in edits of earlier releases, which hold for any. */
  heldWith?: readonly string[]
  /**
   * Of an MRN written before the first image: the one who has the number already is the patient that was announced. The
   * first image has to name that patient, else no image takes the edit.
   */
  isOnWord?: true
}

/** An edit without one of its notes. */
export function withoutNote(edit: StudyEdit, note: 'held' | 'isOfAll'): StudyEdit {
  const rest = { ...edit }
  delete rest[note]
  if (note === 'held') delete rest.heldWith
  return rest
}

/** The tags that are columns of the record; the others are kept together in `demographics`. */
export const columnAttributes = [
  'patient_name',
  'patientid',
  'patient_sex',
  'patient_birth_date',
  'patient_birth_time',
  'patient_age',
  'accession_number',
  'study_description',
  'study_date',
  'study_time',
  'modality',
  'referring_physician',
] as const satisfies readonly StudyDicomField[]

const maxTextLength = 1024

/** The tags that were sent, in the forms in which records keep them: dates as YYYYMMDD, times as HHMMSS, the sex in capitals. */
export function readSentDicomFields(
  input: Readonly<Record<string, unknown>>,
): Partial<Record<StudyDicomField, string>> {
  const sent: Partial<Record<StudyDicomField, string>> = {}
  for (const tag of studyDicomFields) {
    const value = input[tag]
    if (typeof value === 'string') sent[tag] = inStoredForm(tag, value.trim())
  }
  return sent
}

function inStoredForm(tag: StudyDicomField, value: string): string {
  if (tag.endsWith('_date')) return value.replace(/^(\d{4})-(\d{2})-(\d{2})(T.*)?$/, '$1$2$3')
  if (tag.endsWith('_time')) return value.replace(/^(\d{2}):(\d{2})(?::(\d{2}(\.\d{1,6})?))?$/, '$1$2$3')
  return tag === 'patient_sex' ? value.toUpperCase() : value
}

/**
 * Makes sure that every value can be written into the images when they leave.
 * @throws ApiError INVALID_FIELD naming the first tag that cannot, with the reason in words
 */
export function demandWritable(tags: Partial<Record<StudyDicomField, string>>): void {
  for (const [tag, value] of Object.entries(tags) as [StudyDicomField, string][]) {
    const { vr, isMultiple } = attributeOfField(tag)
    const fault = findValueFault(value, vr, isMultiple) ?? tooLong(value, vr)
    if (fault) throw new ApiError('INVALID_FIELD', { subtype: tag, data: describeValueFault(fault) })
  }
}

function tooLong(value: string, vr: string): ValueFault | undefined {
  return value.length > maxTextLength ? { kind: 'too-long', vr, most: maxTextLength } : undefined
}

/** Fields of a record that a client may send and that are no attributes of its images. */
export interface SentColumns {
  integration_key?: string
  source_ae_title?: string
  destination_ae_title?: string
  /** Images that the study should have; the number never falls. */
  expected_count?: number
}
export const sentColumns = [
  'integration_key',
  'source_ae_title',
  'destination_ae_title',
  'expected_count',
] as const satisfies readonly (keyof SentColumns)[]

/** @throws ApiError INVALID_FIELD, INVALID_INTEGER naming the field */
export function readSentColumns(input: Readonly<Record<string, unknown>>): SentColumns {
  const columns: SentColumns = {}
  for (const name of ['integration_key', 'source_ae_title', 'destination_ae_title'] as const) {
    const value = input[name]
    if (typeof value === 'string') columns[name] = readEditText(name, value)
  }
  const count = input.image_count
  if (typeof count !== 'number') return columns
  if (count < 0 || count > maxExpected) throw new ApiError('INVALID_INTEGER', { subtype: 'image_count' })
  return { ...columns, expected_count: count }
}

const maxExpected = 2 ** 31 - 1

/** The assigning authority of an MRN, which images shall hold. @throws ApiError INVALID_FIELD naming the field */
export function readIssuer(value: string): string {
  const issuer = readEditText('issuer', value)
  if (findValueFault(issuer, 'LO')) throw new ApiError('INVALID_FIELD', { subtype: 'issuer' })
  return issuer
}

/** A text of one line without a sign for characters that could not be read. @throws ApiError INVALID_FIELD naming the field */
export function readEditText(field: string, value: string): string {
  if (hasUnreadCharacter(value)) {
    const data = describeValueFault({ kind: 'unread-character', vr: 'LO' })
    throw new ApiError('INVALID_FIELD', { subtype: field, data })
  }
  if (value.length > maxTextLength || /[\u0000-\u001f\u007f]/.test(value))
    throw new ApiError('INVALID_FIELD', { subtype: field })
  return value.trim()
}
