import { parseBoundedJson } from '@hilum/contract/bounded-json'
import { StorageError } from '@hilum/contract/storage-errors'
import { studyDicomFields } from '@hilum/contract/entities/study'
import { findTagByKeyword } from '@hilum/dicom/dictionary'
import { parseTag, Tag } from '@hilum/dicom/tags'
import { isAcceptableUid } from '@hilum/dicom/uid'
import { describeValueFault, findValueFault } from '@hilum/dicom/value-rules'
import type { WriteElement } from '@hilum/dicom/write-part10'
import { studyAttributes } from '@hilum/contract/entities/study-attributes'

/** VRs of attributes that a form may give to a wrapped file beside patient and exam. */
const furtherVrs: Readonly<Record<number, string>> = {
  [Tag.StudyInstanceUID]: 'UI',
  [Tag.Modality]: 'CS',
  [Tag.StudyID]: 'SH',
  [Tag.SeriesDescription]: 'LO',
  [Tag.SeriesNumber]: 'IS',
  [Tag.InstanceNumber]: 'IS',
  [Tag.InstitutionName]: 'LO',
  0x00180015: 'CS',
  0x00200060: 'CS',
  0x00204000: 'LT',
}
const vrs = new Map<number, string>([
  ...Object.values(studyAttributes).map(({ tag, vr }) => [Number.parseInt(tag, 16), vr] as const),
  ...Object.entries(furtherVrs).map(([tag, vr]) => [Number(tag), vr] as const),
])
const multiple: ReadonlySet<number> = new Set(
  Object.values(studyAttributes).flatMap(({ tag, isMultiple }) => (isMultiple ? [Number.parseInt(tag, 16)] : [])),
)

/**
 * The values of a form as DICOM elements: a JSON object by field name (`patient_name`), keyword (`PatientName`) or tag
 * (`00100010`). Attributes that a wrapped file cannot have are passed over.
 * @throws StorageError JSON_DESERIALIZE_EXCEPTION, VALIDATION_ERROR
 */
export function readWrapAttributes(text: string | undefined): Map<number, WriteElement> {
  const elements = new Map<number, WriteElement>()
  for (const [name, sent] of Object.entries(parse(text))) {
    const tag = attributeNamed(name)
    const vr = tag === undefined ? undefined : vrs.get(tag)
    if (tag === undefined || vr === undefined || sent === null) continue
    const text = String(sent).trim()
    const value = vr === 'DA' ? text.replaceAll('-', '') : text
    const fault = vr === 'UI' ? undefined : findValueFault(value, vr, multiple.has(tag))
    if (fault) throw new StorageError('VALIDATION_ERROR', `${name}: ${describeValueFault(fault)}`, { tag: name })
    elements.set(tag, { tag, vr, value })
  }
  const uid = elements.get(Tag.StudyInstanceUID)?.value
  if (uid !== undefined && !isAcceptableUid(String(uid))) {
    throw new StorageError('VALIDATION_ERROR', 'The Study Instance UID cannot be used as an identifier')
  }
  return elements
}

function parse(text: string | undefined): Record<string, unknown> {
  if (!text) return {}
  try {
    const value: unknown = parseBoundedJson(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    throw new StorageError('JSON_DESERIALIZE_EXCEPTION', 'The tags are not readable as JSON', {}, { cause: error })
  }
  throw new StorageError('JSON_DESERIALIZE_EXCEPTION', 'The tags must be one JSON object')
}

function attributeNamed(name: string): number | undefined {
  const field = studyDicomFields.find((one) => one === name)
  if (field) return parseTag(studyAttributes[field]?.tag ?? '')
  return parseTag(name) ?? findTagByKeyword(name)
}
