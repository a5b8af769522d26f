import { findTagByKeyword, findVr } from '@hilum/dicom/dictionary'
import { parseTag } from '@hilum/dicom/tags'
import { describeValueFault, findValueFault, holdsText } from '@hilum/dicom/value-rules'
import type { CustomFieldRow } from './customfield.sql.ts'

/** The VR of the attribute that a field is mapped to by `dicom_tag`; undefined when it is mapped to none that text can be written to. */
export function mappedVr(dicomTag: unknown): string | undefined {
  if (typeof dicomTag !== 'string' || dicomTag === '') return undefined
  const tag = parseTag(dicomTag) ?? findTagByKeyword(dicomTag)
  const vr = tag === undefined ? undefined : findVr(tag)
  return vr !== undefined && holdsText(vr) ? vr : undefined
}

/** The fault of a value as one of the attribute that the field is mapped to, in words. */
export function faultOfMapped({ type, extra }: Pick<CustomFieldRow, 'type' | 'extra'>, value: string) {
  const vr = mappedVr(extra['dicom_tag'])
  if (vr === undefined) return undefined
  const isSeveral = type === 'multiselect' || type === 'picker'
  const values = isSeveral ? value.split(',').map((one) => one.trim()) : [value]
  const faults = values.map((one) => findValueFault(vr === 'DA' ? one.replaceAll('-', '') : one, vr))
  const fault = faults.find((one) => one !== undefined)
  return fault && describeValueFault(fault)
}
