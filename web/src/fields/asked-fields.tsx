import type { CustomField } from '@hilum/contract/entities/page-fields'
import { faultText, findFault } from './custom-field-fault.ts'
import { CustomFieldInput } from './custom-field-input.tsx'
import style from './asked-fields.module.css'

type Answers = Readonly<Record<string, string>>

interface AskedFieldsProps {
  fields: readonly CustomField[]
  /** Says who asks. */
  legend: string
  /** Values by the fields' uuids. */
  answers: Answers
  /** Sending was tried: what lacks is said. */
  isAsked: boolean
  onChange: (answers: Record<string, string>) => void
}

/** Custom fields that the receiver asks for, of every exam that is sent. */
export function AskedFields({ fields, legend, answers, isAsked, onChange }: AskedFieldsProps) {
  if (fields.length === 0) return null
  return (
    <fieldset className={style.answers}>
      <legend>{legend}</legend>
      {fields.map((field) => {
        const value = answers[field.uuid] ?? ''
        const fault = isAsked || value !== '' ? findFault(field, value) : undefined
        return (
          <div key={field.uuid} data-field={field.uuid}>
            <CustomFieldInput
              field={field}
              value={value}
              fault={fault && faultText(fault)}
              onChange={(typed) => onChange({ ...answers, [field.uuid]: typed })}
            />
          </div>
        )
      })}
    </fieldset>
  )
}

/** The answers to fields that are asked for at this moment. */
export function answersTo(fields: readonly CustomField[], answers: Answers): Record<string, string> {
  return Object.fromEntries(fields.map(({ uuid }) => [uuid, (answers[uuid] ?? '').trim()]))
}

export function focusField(page: Element | null, { uuid }: CustomField): void {
  page?.querySelector<HTMLElement>(`[data-field="${uuid}"] :is(input, textarea, select)`)?.focus()
}
