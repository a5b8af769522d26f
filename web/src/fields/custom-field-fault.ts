import type { CustomFieldType } from '@hilum/contract/calls/customfield'
import { customFieldFault, type CustomFieldFault } from '@hilum/contract/custom-field-rules'
import type { CustomField } from '@hilum/contract/entities/page-fields'
import { ApiFailure } from '../api/api-failure.ts'
import { t } from '../labels/label.ts'
import { fieldOptions } from './custom-field-text.ts'

/** Why a field does not take a value; undefined where it does. */
export function findFault({ type, required, options }: CustomField, value: string): CustomFieldFault | undefined {
  const rules = { type: type as CustomFieldType, required: required === 1, options: fieldOptions(options) } // a type not known here is ruled as text
  return customFieldFault(rules, value, new Date())
}

export function faultText(fault: CustomFieldFault): string {
  return fault.kind === 'tooLong' ? t('fields.fault.tooLong', { most: fault.most }) : t(`fields.fault.${fault.kind}`)
}

/** The server's sentences about values that it refused; undefined for another failure. */
export function refusedFieldsText(failure: unknown): string | undefined {
  if (!(failure instanceof ApiFailure) || failure.code !== 'INVALID_CUSTOMFIELD') return undefined
  return Array.isArray(failure.subtype) ? failure.subtype.join('. ') : undefined
}
