import { maxWebhookUrl, type WebhookEvent, webhookEvents, type WebhookMethod } from '@hilum/contract/calls/webhook'
import { Checkbox, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { useSaveWebhook, type Webhook, type WebhookValues } from '../../../queries/webhooks.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormButtons } from '../form-buttons.tsx'
import style from '../routing/routing.module.css'
import { StaleBanner } from '../stale-banner.tsx'
import { titleOfForm } from '../title-of-form.ts'

interface WebhookFormProps {
  /** Undefined for a new one. */
  webhook: Webhook | undefined
  /** With the secret, where the webhook got one. */
  onSaved: (secret: string | undefined) => void
  onClose: () => void
}

const methods = [
  { value: 'POST_JSON', label: 'POST, JSON' },
  { value: 'PUT', label: 'PUT, JSON' },
  { value: 'POST', label: 'POST, form' },
  { value: 'GET', label: 'GET' },
  { value: 'GET_JSON', label: 'GET, JSON' },
] satisfies { value: WebhookMethod; label: string }[]

export function WebhookForm({ webhook, onSaved, onClose }: WebhookFormProps) {
  const { account } = useEstablished()
  // the webhook as the form was opened: a reading in the background would let it save over a change that nobody saw
  const [opened] = useState(webhook)
  const save = useSaveWebhook(account.uuid, opened)
  const [values, setValues] = useState<WebhookValues>({
    name: webhook?.name ?? '',
    event: webhookEvents.find((one) => one === webhook?.event) ?? 'ROUTE_RULE',
    url: webhook?.url ?? 'https://',
    method: webhook?.method ?? 'POST_JSON',
    suspended: webhook?.suspended === 1 ? 1 : 0,
    retry: webhook?.retry === 0 ? 0 : 1,
    new_secret: 0,
  })
  const [fault, setFault] = useState('')
  const put = (part: Partial<WebhookValues>) => {
    setValues({ ...values, ...part })
    setFault('')
  }
  const send = (version: number | undefined) => {
    if (values.name.trim() === '') return setFault(t('webhooks.missingName'))
    save.mutate(
      { ...values, row_version: version },
      { onSuccess: onSaved, onError: (failure) => setFault(faultText(failure)) },
    )
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    send(opened?.row_version)
  }
  const title = t(webhook ? 'webhooks.editTitle' : 'webhooks.add')
  return (
    <Dialog title={titleOfForm(title, webhook?.name)} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={title} noValidate onSubmit={handleSubmit}>
        <TextInput
          label={t('webhooks.name')}
          value={values.name}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          onChange={(event) => put({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('webhooks.url')}
          value={values.url}
          maxLength={maxWebhookUrl}
          type="text"
          inputMode="url"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => put({ url: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('webhooks.event')}
          description={t(`webhooks.eventHelp.${values.event === 'ROUTE_RULE' ? 'rule' : 'all'}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={values.event}
          data={webhookEvents.map((value) => ({ value, label: t(`webhooks.event.${value}`) }))}
          onChange={(event) => put({ event: event.currentTarget.value as WebhookEvent })} // one of the options above
        />
        <NativeSelect
          label={t('webhooks.method')}
          value={values.method}
          data={methods}
          onChange={(event) => put({ method: event.currentTarget.value as WebhookMethod })} // one of the options above
        />
        <Checkbox
          size="xs"
          label={t('webhooks.on')}
          checked={values.suspended === 0}
          onChange={(event) => put({ suspended: event.currentTarget.checked ? 0 : 1 })}
        />
        <Checkbox
          size="xs"
          label={t('webhooks.retry')}
          checked={values.retry === 1}
          onChange={(event) => put({ retry: event.currentTarget.checked ? 1 : 0 })}
        />
        {webhook && (
          <Checkbox
            size="xs"
            label={t('webhooks.newSecret')}
            checked={values.new_secret === 1}
            onChange={(event) => put({ new_secret: event.currentTarget.checked ? 1 : 0 })}
          />
        )}
        {fault && <Banner tone="failed">{fault}</Banner>}
        <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={() => send(undefined)} />
        <FormButtons isSaving={save.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** Empty where StaleBanner tells it. */
function faultText(failure: unknown): string {
  if (failureCode(failure) === 'STALE') return ''
  if (!(failure instanceof ApiFailure)) return t('webhooks.undone')
  if (failure.code !== 'INVALID_URL') return t('webhooks.undone')
  return t(failure.subtype === 'PRIVATE_ADDRESS' ? 'webhooks.privateUrl' : 'webhooks.badUrl')
}
