import { findValueFault } from '@hilum/dicom/value-rules'
import { t } from './label.ts'

/** Why a text cannot be the one value of a DICOM attribute of this VR, for the line beside its field; undefined when it can. */
export function valueFaultText(text: string, vr: string): string | undefined {
  const fault = findValueFault(text, vr)
  if (!fault) return undefined
  return fault.kind === 'too-long' ? t('value.too-long', { most: fault.most }) : t(`value.${fault.kind}`)
}
