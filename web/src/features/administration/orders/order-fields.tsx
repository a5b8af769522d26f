import type { CustomField } from '@hilum/contract/entities/page-fields'
import { faultText, findFault } from '../../../fields/custom-field-fault.ts'
import { CustomFieldInput } from '../../../fields/custom-field-input.tsx'
import type { OrderValues } from '../../../queries/orders.ts'

interface OrderFieldsProps {
  fields: readonly CustomField[]
  values: OrderValues['fields']
  /** Faults are told once somebody tried to save. */
  isTried: boolean
  isNew: boolean
  onChange: (uuid: string, value: string) => void
}

/** The custom fields of an order, to be filled. */
export function OrderFields({ fields, values, isTried, isNew, onChange }: OrderFieldsProps) {
  return fields.map((field) => {
    const value = values[field.uuid] ?? field.value
    const fault = isTried ? faultOfField(field, value, isNew) : undefined
    return (
      <CustomFieldInput
        key={field.uuid}
        field={field}
        value={value}
        fault={fault && faultText(fault)}
        onChange={(next) => onChange(field.uuid, next)}
      />
    )
  })
}

/** Whether a field keeps the order from being saved. A field that lacks in an order of another system does not. */
export function hasFieldFault(fields: readonly CustomField[], values: OrderValues['fields'], isNew: boolean): boolean {
  return fields.some((field) => faultOfField(field, values[field.uuid] ?? field.value, isNew) !== undefined)
}

function faultOfField(field: CustomField, value: string, isNew: boolean) {
  return isNew || value !== field.value ? findFault(field, value) : undefined
}
