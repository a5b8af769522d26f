import type { CustomFieldObject, CustomFieldType } from '@hilum/contract/calls/customfield'
import { filledGateFields } from '@hilum/contract/gate-fields'
import { type FieldAccess, fieldAccesses } from '@hilum/contract/study-field-access'
import { t } from '../../../labels/label.ts'
import type { CustomFieldDefinition } from '../../../queries/custom-field-definitions.ts'

/** Objects whose fields somebody fills; definitions of the others are kept for outside clients. */
export const filledObjects = ['Study', 'Order', 'User_account', 'Group', 'Location', 'Account'] as const

/** Types that a new field may have; the others of the wire act as one of these. */
export const offeredTypes = [
  'text',
  'memo',
  'number',
  'date',
  'select',
  'radio',
  'multiselect',
  'checkbox',
] as const satisfies readonly CustomFieldType[]

const pages = ['summary', 'exchange'] as const
export type FieldPage = (typeof pages)[number]

export function objectName(object: CustomFieldObject): string {
  const filled = filledObjects.find((one) => one === object)
  return filled ? t(`customFields.object.${filled}`) : t('customFields.object.other', { name: object })
}

export function typeName(type: CustomFieldType): string {
  return t(`customFields.type.${type}`)
}

/** Pages that show a field of exams; one that names no pages stands in the summary. */
export function pagesOf({ ui_json }: Pick<CustomFieldDefinition, 'ui_json'>): FieldPage[] {
  const chosen = ui_json?.show_on_pages ?? ['summary']
  const names = typeof chosen === 'string' ? chosen.split(',').map((name) => name.trim()) : chosen
  return pages.filter((page) => names.includes(page))
}

/** A field that nominations write, and nobody fills: what is sent for it is passed over. */
export function isOfNominations({ gate_key: key }: Pick<CustomFieldDefinition, 'gate_key'>): boolean {
  return key !== '' && !filledGateFields.has(key)
}

/** Access to a field where no role has a setting for it. */
export function accessOf({ field_flag }: Pick<CustomFieldDefinition, 'field_flag'>): FieldAccess {
  return fieldAccesses.find((one) => one === field_flag) ?? 'F'
}
