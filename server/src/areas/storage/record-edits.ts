import type { ElementEdit } from '@hilum/dicom/splice'
import { Tag } from '@hilum/dicom/tags'

/** An edit as the record keeps it. */
export type RecordEdit = { tag: string; old: string; new: string; when: string }

const tagOfField: Record<string, number> = {
  patient_name: Tag.PatientName,
  patientid: Tag.PatientID,
  patient_birth_date: Tag.PatientBirthDate,
  patient_sex: Tag.PatientSex,
  patient_age: Tag.PatientAge,
  patient_birth_time: 0x00100032,
  accession_number: Tag.AccessionNumber,
  study_description: Tag.StudyDescription,
  study_date: Tag.StudyDate,
  study_time: Tag.StudyTime,
  referring_physician: Tag.ReferringPhysicianName,
}

export type Correction = {
  edits: ElementEdit[]
  /** When the newest of them was made, as DT. */
  modifiedAt: string
}

/** What a record's edits change in its files: for each attribute from the value that came to the one now in force. */
export function correctionOf(recordEdits: readonly RecordEdit[]): Correction | undefined {
  const byTag = new Map<number, ElementEdit>()
  for (const edit of recordEdits) {
    const tag = tagOfField[edit.tag]
    if (tag === undefined) continue
    byTag.set(tag, { tag, old: byTag.get(tag)?.old ?? edit.old, new: edit.new })
  }
  const edits = [...byTag.values()].filter((edit) => edit.old !== edit.new)
  if (edits.length === 0) return undefined
  const newest =
    recordEdits
      .map((edit) => edit.when)
      .sort()
      .at(-1) ?? ''
  return { edits, modifiedAt: dicomDateTime(newest) }
}

/** `2026-01-31 12:34:56…` as YYYYMMDDHHMMSS+0000. */
function dicomDateTime(stamp: string): string {
  const digits = stamp.replace(/\D/g, '').slice(0, 14)
  return digits.length === 14 ? `${digits}+0000` : '19700101000000+0000'
}
