import { studyAttributes } from '@hilum/contract/entities/study-attributes'
import { StorageError } from '@hilum/contract/storage-errors'
import type { AttributeChange } from '@hilum/dicom/anonymize'
import { findVr } from '@hilum/dicom/dictionary'
import { isPrivateTag, Tag, tagToHex } from '@hilum/dicom/tags'
import { describeValueFault, findValueFault, valueFromText } from '@hilum/dicom/value-rules'
import type { OutgoingRecord } from './outgoing-record.sql.ts'
import type { StoredInstance, StoredSeries } from '../storage/instance.sql.ts'

/** Changes of attributes as they leave, by tag. */
export type AttributeChanges = ReadonlyMap<number, AttributeChange>

const MAX_TAGS = 1000
const OMIT = '__DELETE__'

/**
 * The parameter `anonymize_tags`: `tag=value` between commas, tags as decimal numbers, `__DELETE__` for what is to be left
 * out. A comma cannot stand in a value.
 * @throws StorageError ANONYMIZE_TAGS_FORMAT_ERROR
 */
export function readAnonymizeAttributes(text: string): AttributeChanges {
  const changes = new Map<number, AttributeChange>()
  for (const part of text.split(',')) {
    // a zero in front shows a tag in hexadecimal digits, which would be another one in decimal
    const [, digits = '', value = ''] = /^\s*([1-9]\d{0,9})\s*=(.*)$/s.exec(part) ?? []
    const tag = Number(digits)
    if (digits === '' || tag > 0xffffffff) {
      throw refused('The tags are a list of tag=value between commas, with tags as decimal numbers: 1048592=NAME')
    }
    if (changes.has(tag)) throw refused(`${nameOf(tag)} stands in the list twice`)
    if (changes.size >= MAX_TAGS) throw refused(`The list holds more than ${MAX_TAGS} tags`)
    changes.set(tag, changeOf(tag, value))
  }
  return changes
}

function changeOf(tag: number, text: string): AttributeChange {
  if (isNeeded(tag)) throw refused(`${nameOf(tag)} cannot be replaced: the image is found, read or drawn by it`)
  const vr = findVr(tag)
  if (text === OMIT) return { vr, value: undefined }
  if (isPrivateTag(tag)) throw refused(`${nameOf(tag)} is private and can only be left out: ${OMIT}`)
  const fault = findValueFault(text, vr, !singleTags.has(tag))
  const value = fault ? undefined : valueFromText(text, vr)
  if (fault) throw refused(`${nameOf(tag)} cannot hold the value given, its VR is ${vr}: ${describeValueFault(fault)}`)
  if (value === undefined) throw refused(`${nameOf(tag)} cannot hold the value given: its VR is ${vr}`)
  return { vr, value }
}

/** Attributes of patient and exam with one value. */
const singleTags: ReadonlySet<number> = new Set(
  Object.values(studyAttributes).flatMap(({ tag, isMultiple }) => (isMultiple ? [] : [Number.parseInt(tag, 16)])),
)

const neededAttributes: ReadonlySet<number> = new Set([
  Tag.SpecificCharacterSet,
  Tag.SOPClassUID,
  Tag.SOPInstanceUID,
  Tag.StudyInstanceUID,
  Tag.SeriesInstanceUID,
])
/** Attributes that say what can be seen in the pixels, and are no part of how these are drawn. */
const tellingAttributes: ReadonlySet<number> = new Set([Tag.BurnedInAnnotation, 0x00280302, 0x00280303])

function isNeeded(tag: number): boolean {
  const group = tag >>> 16
  const isDescribingPixels = group === 0x0028 && !tellingAttributes.has(tag)
  // attributes behind the pixel data never leave with such a file
  const isOutside = group < 0x0008 || group >= 0x7fe0 || (tag & 0xffff) === 0
  return neededAttributes.has(tag) || isDescribingPixels || isOutside
}

function nameOf(tag: number): string {
  const hex = tagToHex(tag)
  return `Tag ${tag} (${hex.slice(0, 4)},${hex.slice(4)})`
}

function refused(reason: string): StorageError {
  return new StorageError('ANONYMIZE_TAGS_FORMAT_ERROR', reason)
}

const recordFields = {
  patient_name: Tag.PatientName,
  patientid: Tag.PatientID,
  patient_birth_date: Tag.PatientBirthDate,
  patient_sex: Tag.PatientSex,
  study_date: Tag.StudyDate,
  study_time: Tag.StudyTime,
  study_description: Tag.StudyDescription,
  accession_number: Tag.AccessionNumber,
} as const
const seriesFields = {
  modality: Tag.Modality,
  description: Tag.SeriesDescription,
  series_date: Tag.SeriesDate,
  series_time: Tag.SeriesTime,
  body_part: Tag.BodyPartExamined,
} as const

/** A record as it leaves beside the images: of a replaced value nothing but the new one. */
export function anonymizeRecord(record: OutgoingRecord, changes: AttributeChanges): OutgoingRecord {
  return { ...record, ...replacedIn(recordFields, changes) }
}

export function anonymizeSeries(series: StoredSeries, changes: AttributeChanges): StoredSeries {
  const series_number = replacedNumber(Tag.SeriesNumber, series.series_number, changes)
  return { ...series, ...replacedIn(seriesFields, changes), series_number }
}

export function anonymizeInstance(instance: StoredInstance, changes: AttributeChanges): StoredInstance {
  return { ...instance, instance_number: replacedNumber(Tag.InstanceNumber, instance.instance_number, changes) }
}

function replacedIn<Field extends string>(
  fields: Readonly<Record<Field, number>>,
  changes: AttributeChanges,
): Partial<Record<Field, string>> {
  const replaced: Partial<Record<Field, string>> = {}
  for (const [field, tag] of Object.entries(fields) as [Field, number][]) {
    if (changes.has(tag)) replaced[field] = textOf(tag, changes)
  }
  return replaced
}

function replacedNumber(tag: number, own: number | null, changes: AttributeChanges): number | null {
  if (!changes.has(tag)) return own
  const text = textOf(tag, changes)
  return text === '' ? null : Number(text)
}

function textOf(tag: number, changes: AttributeChanges): string {
  const value = changes.get(tag)?.value
  return typeof value === 'string' ? (value.split('\\')[0] ?? '') : ''
}
