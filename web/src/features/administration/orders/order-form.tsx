import { orderAdd } from '@hilum/contract/calls/order'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { failureCode } from '../../../api/api-failure.ts'
import { focusFieldFault, ObjectFields } from '../../../fields/object-fields.tsx'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { fieldValues } from '../../../queries/field-parameters.ts'
import { namespacesQuery } from '../../../queries/namespaces.ts'
import {
  type Order,
  type OrderText,
  orderTexts,
  type OrderValues,
  StepRefused,
  type StepText,
  stepTexts,
  type StepValues,
  useSaveOrder,
} from '../../../queries/orders.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { mayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { FormButtons } from '../form-buttons.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { useObjectFields } from '../use-object-fields.ts'
import style from '../users/users.module.css'
import { fieldLabels, orderFault } from './order-words.ts'

interface OrderFormProps {
  /** Undefined for a new one. */
  order: Order | undefined
  onSaved: () => void
  onClose: () => void
}

interface Fault {
  /** The step; empty for the order itself. */
  step: string
  field: string
  text: string
}

/** Enters or changes an order with its steps; a refusal stands by its field. */
export function OrderForm({ order, onSaved, onClose }: OrderFormProps) {
  const { account } = useEstablished()
  const { data: inboxes = [] } = useQuery(namespacesQuery(account.uuid))
  const save = useSaveOrder(account.uuid)
  // an order that was kept while one of its steps was refused is changed by the next try
  const storedUuid = useRef(order?.uuid)
  const [asRead] = useState(order)
  const [values, setValues] = useState<OrderValues>(() => valuesOf(order))
  const loaded = useRef(values)
  // parts that this form has written: the order (by an empty key) and steps
  const written = useRef(new Set<string>())
  const [fault, setFault] = useState<Fault>()
  const [isTried, setTried] = useState(false)
  const custom = useObjectFields('Order', order)
  const put = (part: Partial<OrderValues>) => {
    setValues({ ...values, ...part })
    setFault(undefined)
  }
  const putStep = (key: string, part: Partial<StepValues>) =>
    put({ steps: values.steps.map((one) => (one.key === key ? { ...one, ...part } : one)) })
  const noteStep = (key: string, uuid: string | undefined) => {
    written.current.add(key)
    setValues((before) => ({
      ...before,
      steps: before.steps.flatMap((one) => (one.key !== key ? one : uuid ? { ...one, uuid } : [])),
    }))
  }
  const send = (read: Order | undefined) => {
    const noteOrder = (uuid: string) => {
      written.current.add('')
      storedUuid.current = uuid
      loaded.current = {
        ...loaded.current,
        texts: values.texts,
        namespaceId: values.namespaceId,
        fields: values.fields,
      }
    }
    save.mutate(
      { uuid: storedUuid.current, values, before: loaded.current, read, written: written.current, noteOrder, noteStep },
      { onSuccess: onSaved, onError: (failure) => setFault(faultOf(failure)) },
    )
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!focusFieldFault(event.currentTarget, custom.fields, values.fields, !order)) send(asRead)
  }
  const groups = inboxes.filter(
    (one) => one.kind === 'group' && (mayCall(orderAdd, one.permissions) || one.namespaceId === values.namespaceId),
  )
  const shownSteps = values.steps.filter((one) => !one.isRemoved)
  const title = t(order ? 'orders.editTitle' : 'orders.add')
  const errorAt = (step: string, field: string) => fault?.step === step && fault.field === field && fault.text
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={title} noValidate onSubmit={handleSubmit}>
        {fault && !isShown(fault) && <Banner tone="failed">{fault.text}</Banner>}
        <NativeSelect
          label={t('orders.group')}
          description={values.namespaceId === '' ? t('orders.noGroupText') : undefined}
          value={values.namespaceId}
          data={[
            { value: '', label: t('orders.noGroup') },
            ...groups.map((one) => ({ value: one.namespaceId, label: one.name })),
          ]}
          onChange={(event) => put({ namespaceId: event.currentTarget.value })}
        />
        <div className={style.pair}>
          {orderTexts.map((field) =>
            field === 'patient_sex' ? (
              <NativeSelect
                key={field}
                label={t('field.sex')}
                value={values.texts.patient_sex}
                error={errorAt('', field)}
                data={['', 'F', 'M', 'O'].map((one) => ({ value: one, label: one || '–' }))}
                onChange={(event) => put({ texts: { ...values.texts, patient_sex: event.currentTarget.value } })}
              />
            ) : (
              <TextInput
                key={field}
                label={t(fieldLabels[field])}
                description={field === 'patient_name' ? t('orders.nameForm') : undefined}
                // fields beside each other stand on one line
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                type={field === 'patient_birth_date' ? 'date' : 'text'}
                value={values.texts[field]}
                error={errorAt('', field)}
                autoComplete="off"
                spellCheck={false}
                data-autofocus={field === 'patient_name' || undefined}
                onChange={(event) => put({ texts: { ...values.texts, [field]: event.currentTarget.value } })}
              />
            ),
          )}
        </div>
        <ObjectFields
          {...custom}
          values={values.fields}
          isTried={isTried}
          isNew={!order}
          onChange={(uuid, value) => put({ fields: { ...values.fields, [uuid]: value } })}
        />
        {shownSteps.map((step, at) => (
          <fieldset key={step.key} className={style.part}>
            <legend>{t('orders.stepNumber', { number: at + 1 })}</legend>
            <div className={style.pair}>
              {stepTexts.map((field) => (
                <TextInput
                  key={field}
                  label={t(fieldLabels[field])}
                  type={typeOf(field)}
                  value={step[field]}
                  error={errorAt(step.key, field)}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => putStep(step.key, { [field]: event.currentTarget.value })}
                />
              ))}
            </div>
            <Button
              variant="default"
              size="xs"
              onClick={() =>
                step.uuid
                  ? putStep(step.key, { isRemoved: true })
                  : put({ steps: values.steps.filter((one) => one.key !== step.key) })
              }
            >
              {t('orders.removeStep', { number: at + 1 })}
            </Button>
          </fieldset>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} />}
          onClick={() => put({ steps: [...values.steps, emptyStep()] })}
        >
          {t('orders.addStep')}
        </Button>
        <StaleBanner
          failure={causeOf(save.error)}
          isSaving={save.isPending}
          onSaveMine={() => send(undefined)}
          text={staleText(save.error, shownSteps)}
        />
        <FormButtons isSaving={save.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function typeOf(field: StepText): 'date' | 'time' | 'text' {
  if (field === 'scheduled_procedure_step_start_date') return 'date'
  return field === 'scheduled_procedure_step_start_time' ? 'time' : 'text'
}

const causeOf = (failure: unknown) => (failure instanceof StepRefused ? failure.cause : failure)

function faultOf(failure: unknown): Fault | undefined {
  if (failureCode(causeOf(failure)) === 'STALE') return undefined
  if (failure instanceof StepRefused) return { step: failure.step, ...orderFault(failure.cause) }
  return { step: '', ...orderFault(failure) }
}

/** The step that somebody else changed; undefined where the order itself was changed, of which nothing is saved then. */
function staleText(failure: unknown, shown: readonly StepValues[]): string | undefined {
  if (!(failure instanceof StepRefused)) return undefined
  const at = shown.findIndex(({ key }) => key === failure.step)
  return at < 0 ? t('orders.staleRemoved') : t('orders.staleStep', { number: at + 1 })
}

function isShown({ step, field }: Fault): boolean {
  const known: readonly string[] = step ? stepTexts : orderTexts
  return known.includes(field)
}

/** A date as the field of the browser takes one, and times alike; the server takes both back. */
const dayOf = (date: string) => date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
const timeOf = (time: string) => time.replace(/^(\d{2})(\d{2}).*$/, '$1:$2')

let made = 0
const emptyStep = (): StepValues => ({
  ...(Object.fromEntries(stepTexts.map((field) => [field, ''])) as Record<StepText, string>), // each of the names
  uuid: undefined,
  isRemoved: false,
  key: `new ${++made}`,
})

function valuesOf(order: Order | undefined): OrderValues {
  const texts = Object.fromEntries(orderTexts.map((field) => [field, order?.[field] ?? ''])) as Record<
    OrderText,
    string
  > // each of the names
  return {
    texts: { ...texts, patient_birth_date: dayOf(texts.patient_birth_date) },
    namespaceId: order?.namespace_id ?? '',
    fields: fieldValues(order),
    steps: (order?.sps ?? []).map((step) => ({
      ...(Object.fromEntries(stepTexts.map((field) => [field, step[field]])) as Record<StepText, string>), // each of the names
      scheduled_procedure_step_start_date: dayOf(step.scheduled_procedure_step_start_date),
      scheduled_procedure_step_start_time: timeOf(step.scheduled_procedure_step_start_time),
      uuid: step.uuid,
      isRemoved: false,
      key: step.uuid,
    })),
  }
}
