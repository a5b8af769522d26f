import { type StudyTag, studyTags } from '@hilum/contract/entities/study'
import { findEntry } from '@hilum/dicom/dictionary'
import type { DicomHeader } from '@hilum/dicom/read'
import type { ElementEdit } from '@hilum/dicom/splice'
import { parseTag } from '@hilum/dicom/tags'
import { findText } from '@hilum/dicom/values'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import { studyAttributes } from '../study/study-attributes.ts'
import type { RecordDemographics } from './demographics.sql.ts'
import type { ImageTag } from './image-tags.presenter.ts'

/** A record's patient and exam by field name, with what people corrected. */
export function presentPhi(record: Pick<StudyRecord, 'study_uid' | 'phi_namespace'>, found: RecordDemographics) {
  const { study_uid, phi_namespace } = record
  return { study_uid, phi_namespace, phi_version: found.phi_version, ...found.values }
}

/** A record's patient and exam as DICOM attributes, in the order of their tags. */
export function presentRecordTags(found: RecordDemographics): { tags: ImageTag[] } {
  const tags = studyTags.flatMap((name) => {
    const tag = tagOf(name)
    const value = found.values[name]
    if (tag === undefined || value === undefined) return []
    const vr = studyAttributes[name]?.vr ?? ''
    const keyword = findEntry(tag)?.keyword ?? ''
    return { group: tag >>> 16, element: tag & 0xffff, vr, vl: Buffer.byteLength(value), name: keyword, value }
  })
  return { tags: tags.sort((a, b) => a.group - b.group || a.element - b.element) }
}

/** What one image says of its patient and exam; a record's edits replace what is still the old value. */
export function presentImagePhi(header: DicomHeader, edits: readonly ElementEdit[]) {
  const values = studyTags.flatMap((name) => {
    const tag = tagOf(name)
    const held = tag === undefined ? undefined : findText(header.dataSet, tag)
    const edit = edits.find((one) => one.tag === tag && one.old === (held ?? ''))
    const value = edit ? edit.new : held
    return value ? [[name, value] as const] : []
  })
  return Object.fromEntries(values)
}

function tagOf(name: StudyTag): number | undefined {
  return parseTag(studyAttributes[name]?.tag ?? '')
}
