import '@mantine/core/styles/Radio.layer.css'
import { longestValue } from '@hilum/contract/custom-field-rules'
import type { CustomField } from '@hilum/contract/entities/page-fields'
import { Checkbox, NativeSelect, Radio } from '@mantine/core'
import { Textarea, TextInput } from './text-input.tsx'
import { t } from '../labels/label.ts'
import { fieldLabel, fieldOptions, labelOf } from './custom-field-text.ts'
import style from './custom-field-input.module.css'

interface CustomFieldInputProps {
  field: CustomField
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

/** ENTITY-30: the control of a custom field's type; types that are not known here are filled as text. */
export function CustomFieldInput({ field, value, fault, onChange }: CustomFieldInputProps) {
  const options = fieldOptions(field.options)
  const common = {
    label: fieldLabel(field),
    description: options.hint,
    error: fault,
    required: field.required === 1,
  }
  const letters = { maxLength: longestValue(options), autoComplete: 'off' }
  switch (field.type) {
    case 'memo':
      return (
        <Textarea
          {...common}
          {...letters}
          value={value}
          rows={4}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'select':
      return (
        <NativeSelect
          {...common}
          value={value}
          data={[{ value: '', label: t('fields.choose') }, ...choices(field, value)]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'radio':
      return (
        <Radio.Group {...common} value={value} onChange={onChange}>
          <div className={style.options}>
            {field.required !== 1 && <Radio size="xs" value="" label={t('fields.clear')} />}
            {choices(field, value).map((choice) => (
              <Radio key={choice.value} size="xs" {...choice} />
            ))}
          </div>
        </Radio.Group>
      )
    case 'multiselect':
    case 'picker':
      return (
        <Checkbox.Group
          {...common}
          value={value === '' ? [] : value.split(',')}
          onChange={(chosen) => onChange(chosen.join(','))}
        >
          <div className={style.options}>
            {choices(field, '').map((choice) => (
              <Checkbox key={choice.value} {...choice} />
            ))}
          </div>
        </Checkbox.Group>
      )
    case 'checkbox':
    case 'bool':
      return (
        <Checkbox
          {...common}
          checked={value === '1'}
          onChange={(event) => onChange(event.currentTarget.checked ? '1' : '0')}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          {...letters}
          type={field.type === 'date' ? 'date' : 'text'}
          inputMode={field.type === 'number' ? 'decimal' : undefined}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}

/** The options, and a value that is none of them any more, so that it is not lost unseen. */
function choices(field: CustomField, value: string): { value: string; label: string }[] {
  const values = fieldOptions(field.options).values ?? []
  const all = value === '' || values.includes(value) ? values : [...values, value]
  return all.map((one) => ({ value: one, label: labelOf(field, one) }))
}
