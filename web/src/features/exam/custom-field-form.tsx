import type { CustomField } from '@hilum/contract/entities/page-fields'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { useChangeFields } from '../../queries/exam-acts.ts'
import { Banner } from '../../ui/banner.tsx'
import { ActFailure } from './act-failure.tsx'
import { faultText, findFault } from '../../fields/custom-field-fault.ts'
import { CustomFieldInput } from '../../fields/custom-field-input.tsx'
import style from './custom-fields.module.css'
import panel from './exam-panel.module.css'

interface CustomFieldFormProps {
  study: Study
  fields: readonly CustomField[]
  /** Changes so far, as JSON of values by the fields' uuids. */
  draft: string
  onDraft: (draft: string) => void
  onSaved: () => void
  onCancel: () => void
}

/** Custom fields to be filled; only what was changed is sent, so that two people may fill different ones. */
export function CustomFieldForm({ study, fields, draft, onDraft, onSaved, onCancel }: CustomFieldFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [isTried, setTried] = useState(false)
  const change = useChangeFields(study)
  const changed = changesIn(draft, fields)
  const isLocked = study.is_locked === 1
  const faultOf = (field: CustomField) => {
    const fault = findFault(field, changed[field.uuid] ?? field.value)
    return fault && (isTried || changed[field.uuid] !== undefined) ? faultText(fault) : undefined
  }
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), [])
  const handleChange = (field: CustomField, value: string) => {
    const { [field.uuid]: _before, ...rest } = changed
    const next = value === field.value ? rest : { ...rest, [field.uuid]: value }
    onDraft(Object.keys(next).length > 0 ? JSON.stringify(next) : '')
  }
  const save = () => change.mutate(changed, { onSuccess: onSaved })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const wrong = fields.find((field) => findFault(field, changed[field.uuid] ?? field.value))
    if (wrong)
      form.current?.querySelector<HTMLElement>(`[data-field="${wrong.uuid}"] :is(input, textarea, select)`)?.focus()
    else if (!isLocked && !change.isPending && Object.keys(changed).length > 0) save()
  }
  return (
    <form ref={form} className={style.form} aria-label={t('fields.form')} noValidate onSubmit={handleSubmit}>
      {fields.map((field) => (
        <div key={field.uuid} data-field={field.uuid}>
          <CustomFieldInput
            field={field}
            value={changed[field.uuid] ?? field.value}
            fault={faultOf(field)}
            onChange={(value) => handleChange(field, value)}
          />
        </div>
      ))}
      {isLocked && <Banner tone="priority">{t('fields.locked')}</Banner>}
      {isTried && Object.keys(changed).length === 0 && <p className={panel.note}>{t('fields.nothing')}</p>}
      {change.isError && <Failure failure={change.error} onRetry={save} />}
      <div className={style.actions}>
        <Button type="submit" disabled={isLocked} loading={change.isPending}>
          {t('fields.save')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('button.cancel')}
        </Button>
      </div>
    </form>
  )
}

/** The server's words for each field that it did not take; anything else as for every act. */
function Failure({ failure, onRetry }: { failure: Error; onRetry: () => void }) {
  const faults = failure instanceof ApiFailure && failure.code === 'INVALID_CUSTOMFIELD' ? failure.subtype : undefined
  if (!Array.isArray(faults)) return <ActFailure text={t('fields.failed')} failure={failure} onRetry={onRetry} />
  return (
    <Banner tone="failed">
      {t('fields.failed')}
      <ul className={style.faults}>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </Banner>
  )
}

/** Changes in the draft, but for values that the fields have meanwhile. */
function changesIn(draft: string, fields: readonly CustomField[]): Record<string, string> {
  if (draft === '') return {}
  const stored = JSON.parse(draft) as Record<string, string> // written by this form alone
  const changed = fields.filter(({ uuid, value }) => stored[uuid] !== undefined && stored[uuid] !== value)
  return Object.fromEntries(changed.map(({ uuid }) => [uuid, stored[uuid] ?? '']))
}
