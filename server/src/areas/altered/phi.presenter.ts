import { type StudyDicomField, studyDicomFields } from '@hilum/contract/entities/study'
import type { ListedAttribute } from '@hilum/dicom/attribute-list'
import { findEntry } from '@hilum/dicom/dictionary'
import { parseTag } from '@hilum/dicom/tags'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import { studyAttributes } from '@hilum/contract/entities/study-attributes'
import type { RecordDemographics } from './demographics.sql.ts'

/** A record's patient and exam by field name, with what people corrected. */
export function presentPhi(record: Pick<StudyRecord, 'study_uid' | 'phi_namespace'>, found: RecordDemographics) {
  const { study_uid, phi_namespace } = record
  return { study_uid, phi_namespace, phi_version: found.phi_version, ...found.values }
}

/** A record's patient and exam as DICOM attributes, in the order of their tags. */
export function presentRecordAttributes(found: RecordDemographics): { tags: ListedAttribute[] } {
  const tags = studyDicomFields.flatMap((name) => {
    const tag = tagOf(name)
    const value = found.values[name]
    if (tag === undefined || value === undefined) return []
    const vr = studyAttributes[name]?.vr ?? ''
    const keyword = findEntry(tag)?.keyword ?? ''
    return { group: tag >>> 16, element: tag & 0xffff, vr, vl: Buffer.byteLength(value), name: keyword, value }
  })
  return { tags: tags.sort((a, b) => a.group - b.group || a.element - b.element) }
}

/** Patient and exam by field name, where an image says something of them. */
export const phiFields: readonly (readonly [name: StudyDicomField, tag: number])[] = studyDicomFields.flatMap(
  (name) => {
    const tag = tagOf(name)
    return tag === undefined ? [] : [[name, tag] as const]
  },
)

function tagOf(name: StudyDicomField): number | undefined {
  return parseTag(studyAttributes[name]?.tag ?? '')
}
