import type { CustomField } from '@hilum/contract/entities/page-fields'
import type { Study } from '@hilum/contract/entities/study'
import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { ApiFailure, failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import type { Gatekeeper, useNominations } from '../../queries/nominations.ts'
import { useDraft } from '../../state/drafts.ts'
import { Banner } from '../../ui/banner.tsx'
import { failureText } from './act-failure.tsx'
import { faultText, findFault } from '../../fields/custom-field-fault.ts'
import { CustomFieldInput } from '../../fields/custom-field-input.tsx'
import { columnsOf } from '../../fields/custom-field-text.ts'
import panel from './exam-panel.module.css'
import style from './nominate.module.css'

interface NominateFormProps {
  study: Study
  gatekeepers: readonly Gatekeeper[]
  nominate: ReturnType<typeof useNominations>['nominate']
}

/** Chooses a gatekeeper group, and asks what it wants to know (NOMINATE-01, NOMINATE-06, NOMINATE-07). */
export function NominateForm({ study, gatekeepers, nominate }: NominateFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useDraft(`nominate ${study.uuid}`)
  const [chosen, setChosen] = useState(() => (gatekeepers.length === 1 ? (gatekeepers[0]?.uuid ?? '') : ''))
  const [isTried, setTried] = useState(false)
  const gatekeeper = gatekeepers.find((one) => one.uuid === chosen)
  const fields = gatekeeper?.customfields ?? []
  const typed = answersIn(draft)
  const valueOf = ({ uuid }: CustomField) =>
    typed[uuid] ?? study.customfields.find((one) => one.uuid === uuid)?.value ?? ''
  const wrong = fields.filter((field) => findFault(field, valueOf(field)))
  const isClosed = gatekeeper !== undefined && gatekeeper.closed_fields > 0
  const isBroken = isClosed || (gatekeeper !== undefined && gatekeeper.missing_fields > 0)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const [first] = wrong
    if (first) {
      form.current?.querySelector<HTMLElement>(`[data-field="${first.uuid}"] :is(input, textarea, select)`)?.focus()
    } else if (gatekeeper && !isBroken && !nominate.isPending) {
      const answers = Object.fromEntries(fields.map((field) => [field.uuid, valueOf(field)]))
      nominate.mutate({ groupId: gatekeeper.uuid, answers }, { onSuccess: () => setDraft('') })
    }
  }
  return (
    <form ref={form} aria-label={t('nominate.title')} className={style.form} noValidate onSubmit={handleSubmit}>
      <NativeSelect
        label={t('nominate.gatekeeper')}
        value={chosen}
        data={[
          { value: '', label: t('nominate.choose') },
          ...gatekeepers.map(({ uuid, name }) => ({ value: uuid, label: name })),
        ]}
        onChange={(event) => {
          setChosen(event.currentTarget.value)
          setTried(false)
          nominate.reset()
        }}
      />
      {gatekeeper !== undefined && gatekeeper.missing_fields > 0 && (
        <Banner tone="failed">{t('nominate.fieldsGone', { count: gatekeeper.missing_fields })}</Banner>
      )}
      {isClosed && <Banner tone="failed">{t('nominate.fieldsClosed')}</Banner>}
      {fields.length > 0 && (
        <div className={style.fields}>
          {fields.map((field) => {
            const fault = isTried ? findFault(field, valueOf(field)) : undefined
            return (
              <div key={field.uuid} data-field={field.uuid} style={{ '--columns': columnsOf(field) } as object}>
                <CustomFieldInput
                  field={field}
                  value={valueOf(field)}
                  fault={fault && faultText(fault)}
                  onChange={(value) => setDraft(JSON.stringify({ ...typed, [field.uuid]: value }))}
                />
              </div>
            )
          })}
        </div>
      )}
      {isTried && wrong.length > 0 && <Banner tone="failed">{t('nominate.mandatory')}</Banner>}
      {nominate.isError && <Banner tone="failed">{nominateFailure(nominate.error)}</Banner>}
      <div className={panel.actions}>
        <Button type="submit" disabled={!gatekeeper || isBroken} loading={nominate.isPending}>
          {t(study.nomination ? 'nominate.again' : 'nominate.submit')}
        </Button>
      </div>
    </form>
  )
}

function answersIn(draft: string): Record<string, string> {
  return draft === '' ? {} : (JSON.parse(draft) as Record<string, string>) // written by this form alone
}

const reasons = ['ALREADY_EXISTS', 'PENDING', 'NOT_READY', 'PHANTOM'] as const

/** ERROR-23: the nomination was not taken, and why. */
export function nominateFailure(failure: unknown): string {
  const code = failureCode(failure)
  if (code === 'MISSING_FIELDS') return t('nominate.mandatory')
  if (code === 'NOT_PERMITTED' && failure instanceof ApiFailure && failure.subtype === 'group_id')
    return `${t('nominate.failed')}. ${t('nominate.reason.elsewhere')}`
  if (code === 'NOT_SUPPORTED') return t('nominate.notConfigured')
  const known = reasons.find((one) => one === code)
  return `${t('nominate.failed')}. ${known ? t(`nominate.reason.${known}`) : failureText(failure)}`
}
