import type { CustomField } from '@hilum/contract/entities/page-fields'
import { t } from '../labels/label.ts'
import { FailedBanner } from '../ui/failed-banner.tsx'
import { LoadingState } from '../ui/quiet-state.tsx'
import { focusField } from './asked-fields.tsx'
import { faultText, findFault } from './custom-field-fault.ts'
import { CustomFieldInput } from './custom-field-input.tsx'

/** Values by the fields' uuids. */
type FieldValues = Readonly<Record<string, string>>

interface ObjectFieldsProps {
  /** Undefined while they are not known. */
  fields: readonly CustomField[] | undefined
  isFailed?: boolean
  onRetry?: () => void
  values: FieldValues
  /** Faults are told once somebody tried to save. */
  isTried: boolean
  isNew: boolean
  onChange: (uuid: string, value: string) => void
}

/** The custom fields of an order, a person, a place or an organisation, to be filled. */
export function ObjectFields({ fields, isFailed, onRetry, values, isTried, isNew, onChange }: ObjectFieldsProps) {
  if (!fields && isFailed && onRetry) {
    return (
      <FailedBanner retry={t('button.retry')} onRetry={onRetry}>
        {t('customFields.failed')}
      </FailedBanner>
    )
  }
  if (!fields) return <LoadingState label={t('loading')} />
  return fields.map((field) => {
    const value = values[field.uuid] ?? field.value
    const fault = isTried ? faultOfField(field, value, isNew) : undefined
    return (
      <div key={field.uuid} data-field={field.uuid}>
        <CustomFieldInput
          field={field}
          value={value}
          fault={fault && faultText(fault)}
          onChange={(next) => onChange(field.uuid, next)}
        />
      </div>
    )
  })
}

/**
 * Whether its fields keep an object from being saved: they are not known yet, or one has a fault, which gets the focus. A
 * field that lacks in an object from before it was required has none.
 */
export function focusFieldFault(
  form: Element,
  fields: readonly CustomField[] | undefined,
  values: FieldValues,
  isNew: boolean,
): boolean {
  const wrong = fields?.find((field) => faultOfField(field, values[field.uuid] ?? field.value, isNew) !== undefined)
  if (wrong) focusField(form, wrong)
  return !fields || wrong !== undefined
}

function faultOfField(field: CustomField, value: string, isNew: boolean) {
  return isNew || value !== field.value ? findFault(field, value) : undefined
}
