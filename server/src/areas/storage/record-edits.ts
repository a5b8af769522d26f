import type { Correction } from '@hilum/dicom/node/correct-file'
import type { ElementEdit } from '@hilum/dicom/splice'
import { parseTag, Tag } from '@hilum/dicom/tags'
import { studyAttributes } from '../study/study-attributes.ts'
import type { StudyEdit } from '../study/study-edit.ts'

/** An edit as the record keeps it. */
export type RecordEdit = StudyEdit

/** What a record's edits change in its files: for each attribute from the value that came to the one now in force. */
export function correctionOf(recordEdits: readonly RecordEdit[]): Correction | undefined {
  const byTag = new Map<number, ElementEdit>()
  for (const edit of recordEdits) {
    const tag = edit.tag === 'issuer' ? Tag.IssuerOfPatientID : parseTag(studyAttributes[edit.tag]?.tag ?? '')
    if (tag === undefined) continue
    byTag.set(tag, { tag, old: byTag.get(tag)?.old ?? edit.old, new: edit.new })
  }
  const mrn = byTag.get(Tag.PatientID)
  const issuer = byTag.get(Tag.IssuerOfPatientID)
  // an issuer belongs to its MRN: where another number stands, it stays that number's
  if (mrn && issuer) issuer.follows = { tag: mrn.tag, old: mrn.old }
  // they describe the issuer that was there: the new one has its name alone
  if (issuer) issuer.drops = [Tag.IssuerOfPatientIDQualifiersSequence]
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
