import { ApiError } from '@hilum/contract/errors'
import { type StudyTag, studyTags } from '@hilum/contract/entities/study'

/** One change of a record by a person: what stood there, what stands there now. Stored bytes never change. */
export interface StudyEdit {
  /** The issuer changes with the MRN alone. */
  tag: StudyTag | 'issuer'
  old: string
  new: string
  who: string
  when: string
}

/** The tags that are columns of the record; the others are kept together in `demographics`. */
export const columnTags = [
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
] as const satisfies readonly StudyTag[]

const maxTextLength = 1024

/**
 * The tags that were sent, in the forms of DICOM: dates as YYYYMMDD (`YYYY-MM-DD` is read too), no control characters.
 * @throws ApiError INVALID_FIELD naming the tag
 */
export function readSentTags(input: Readonly<Record<string, unknown>>): Partial<Record<StudyTag, string>> {
  const sent: Partial<Record<StudyTag, string>> = {}
  for (const tag of studyTags) {
    const value = input[tag]
    if (typeof value === 'string') sent[tag] = tag.endsWith('_date') ? readDate(tag, value) : readText(tag, value)
  }
  return sent
}

/** A text of one line. @throws ApiError INVALID_FIELD naming the field */
export function readText(field: string, value: string): string {
  if (value.length > maxTextLength || /[\u0000-\u001f\u007f]/.test(value))
    throw new ApiError('INVALID_FIELD', { subtype: field })
  return value.trim()
}

function readDate(tag: StudyTag, value: string): string {
  const digits = value.trim().replace(/^(\d{4})-(\d{2})-(\d{2}).*$/, '$1$2$3')
  if (digits !== '' && !/^\d{4}(\d{2}(\d{2})?)?$/.test(digits)) throw new ApiError('INVALID_FIELD', { subtype: tag })
  return digits
}
