import type { CustomField } from '@hilum/contract/entities/page-fields'
import { faultText, findFault } from './custom-field-fault.ts'
import { CustomFieldInput } from './custom-field-input.tsx'

/** Values by the fields' uuids. */
type FieldValues = Readonly<Record<string, string>>

interface ObjectFieldsProps {
  fields: readonly CustomField[]
  values: FieldValues
  /** Faults are told once somebody tried to save. */
  isTried: boolean
  isNew: boolean
  onChange: (values: FieldValues) => void
}

/** The custom fields of an order, a person, a place or an organisation, to be filled. */
export function ObjectFields({ fields, values, isTried, isNew, onChange }: ObjectFieldsProps) {
  return fields.map((field) => {
    const value = values[field.uuid] ?? field.value
    const fault = isTried ? faultOfField(field, value, isNew) : undefined
    return (
      <CustomFieldInput
        key={field.uuid}
        field={field}
        value={value}
        fault={fault && faultText(fault)}
        onChange={(next) => onChange({ ...values, [field.uuid]: next })}
      />
    )
  })
}

/** Whether a field keeps its object from being saved. A field that lacks in an object from before it was required does not. */
export function hasFieldFault(fields: readonly CustomField[], values: FieldValues, isNew: boolean): boolean {
  return fields.some((field) => faultOfField(field, values[field.uuid] ?? field.value, isNew) !== undefined)
}

function faultOfField(field: CustomField, value: string, isNew: boolean) {
  return isNew || value !== field.value ? findFault(field, value) : undefined
}
