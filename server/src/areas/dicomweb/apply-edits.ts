import type { DicomJson, JsonAttribute, JsonPersonName } from '@hilum/dicom/json'
import { studyAttributes } from '../study/study-attributes.ts'
import type { StudyEdit } from '../study/study-edit.ts'
import { attribute, personName } from './qido.presenter.ts'

/** A record's edits on one instance: each only where the instance still holds the old value (`design` §5.1). */
export function applyEdits(json: DicomJson, edits: readonly StudyEdit[]): DicomJson {
  const changed: DicomJson = { ...json }
  for (const edit of edits) {
    const known = studyAttributes[edit.tag]
    if (!known || textOf(changed[known.tag]) !== edit.old) continue
    changed[known.tag] = known.vr === 'PN' ? personName(edit.new) : attribute(known.vr, edit.new)
  }
  return changed
}

function textOf(found: JsonAttribute | undefined): string {
  const value = found?.Value?.[0]
  if (value === undefined || value === null) return ''
  if (found?.vr === 'PN') return nameText(value as JsonPersonName)
  return typeof value === 'object' ? '' : String(value)
}
function nameText({ Alphabetic = '', Ideographic = '', Phonetic = '' }: JsonPersonName): string {
  return [Alphabetic, Ideographic, Phonetic].join('=').replace(/=+$/, '')
}
