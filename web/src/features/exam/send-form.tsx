import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import type { Study } from '@hilum/contract/entities/study'
import { shareExpiresSetting } from '@hilum/contract/calls/account-connect'
import { studyShare } from '@hilum/contract/calls/study-share'
import { linkLimitsOf } from '@hilum/contract/account-settings'
import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { Textarea, TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { type SendMethod, sendMethods, useSendStudies } from '../../queries/sending.ts'
import { useEstablished } from '../../session/session-store.ts'
import { mayCallOnAll, partOf } from '../../session/use-may.ts'
import { useDraft } from '../../state/drafts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconSend } from '../../ui/icons.ts'
import { SendAttachments } from './send-attachments.tsx'
import { SendOutcomeList } from './send-outcome.tsx'
import { SendTo } from './send-to.tsx'
import {
  delays,
  endsOf,
  isDefaultApplied,
  nothingSent,
  progressAfter,
  sendFaults,
  sentBefore,
  recipientsOf,
  type SendFaults,
  type SendFormState as Form,
  secondsUntil,
  withoutServed,
} from './send-options.ts'
import { ExamGuard } from './exam-guard.tsx'
import type { KnownRecipients } from './known-recipients.ts'
import style from './share.module.css'
import { useAskedFields } from './use-asked-fields.tsx'
import { useMixedSeen } from './use-mixed-seen.tsx'

interface SendFormProps {
  studies: readonly Study[]
  patients: number
  /** Recipients that have access to the exam already, or will have. */
  known: KnownRecipients
  /** Begins anew after a result. */
  onMore: () => void
  /** A form that stands in the place of a result takes the focus. */
  isAgain: boolean
}

/** How, to whom, with what words, from when, until when (SEND-01, SEND-04, SEND-05). */
export function SendForm({ studies, patients, known, onMore, isAgain }: SendFormProps) {
  const { account } = useEstablished()
  const element = useRef<HTMLFormElement>(null)
  const flags = studies.map(({ permissions }) => permissions)
  const methods = sendMethods.filter((one) => mayCallOnAll(partOf(studyShare, one), flags))
  const defaultMinutes = Number(account.settings[shareExpiresSetting] ?? 0)
  const limits = linkLimitsOf(account.settings)
  const [form, setForm] = useState<Form>({
    method: methods[0] ?? 'account',
    accounts: [],
    emails: '',
    code: '',
    factor: 'password',
    password: '',
    asksPin: false,
    when: 'now',
    at: '',
    minutes: methods[0] === 'email' ? limits.minutes : defaultMinutes,
    withAttachments: false,
    download: false,
  })
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useDraft(`send ${studies.map(({ uuid }) => uuid).join(' ')}`)
  const [faults, setFaults] = useState<SendFaults>({})
  const { timeZone } = usePreferences()
  const { send, undo } = useSendStudies()
  const [progress, setProgress] = useState(nothingSent)
  const asked = useAskedFields(form, patients, element)
  const mixed = useMixedSeen(studies)
  if (methods.length === 0) return <Banner tone="neutral">{t('send.notPermitted')}</Banner>

  const put = (part: Partial<Form>) => {
    setForm({ ...form, ...part })
    setFaults({})
  }
  const handleMethod = (method: SendMethod) =>
    put({ method, withAttachments: false, minutes: method === 'email' ? limits.minutes : defaultMinutes })
  const recipients = recipientsOf(form)
  const isReady = recipients.length > 0 && !send.isPending && !asked.isLooking
  const handleSend = async () => {
    const now = Date.now()
    const found = sendFaults(form, message, now, timeZone)
    setFaults(found)
    const wrong = Object.keys(found)[0] ?? (form.method === 'account' && typed.trim() ? 'account' : undefined)
    if (wrong) {
      const field = element.current?.elements.namedItem(wrong === 'account' ? wrong : `send-${wrong}`)
      if (field instanceof HTMLElement) field.focus()
      return
    }
    if (!isReady || !mixed.demand() || !(await asked.demand())) return
    const factor = form.factor === 'password' ? { kind: form.factor, password: form.password } : { kind: form.factor }
    const { minutes, withAttachments, download, asksPin } = form
    const given = {
      minutes: minutes === defaultMinutes && isDefaultApplied(form) ? undefined : minutes,
      withAttachments,
      download,
      factor,
      asksPin,
      answers: asked.answers,
      isMixedSeen: mixed.isSeen,
    }
    const options = { studies, recipients, message, ...given }
    send.mutate(
      { ...options, delaySeconds: secondsUntil(form, now, timeZone), without: sentBefore(progress) },
      {
        onSuccess: (results) => {
          const next = progressAfter(progress, results)
          setProgress(next)
          // whoever has got everything is mailed no second link by the next press
          setForm((before) => withoutServed(before, results))
          if (next.lacking.size === 0) setMessage('')
        },
      },
    )
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void handleSend()
  }
  const outcome = (send.data || send.isError) && (
    <SendOutcomeList {...{ send, undo, patients, onMore }} {...progress} onRetry={() => void handleSend()} />
  )
  const isEverywhere = progress.lacking.size === 0 && send.data?.every(({ failure }) => !failure)
  if (undo.isSuccess || isEverywhere) return outcome
  const ends = endsOf(form.method, limits.most)
  return (
    <form ref={element} className={style.form} aria-label={t('send.form')} noValidate onSubmit={handleSubmit}>
      {/* the message is a draft, which stays */}
      <ExamGuard isDirty={recipients.length > 0 || form.password !== ''} text={t('send.unsent')} />
      {/* the exams go by the form as it was when it was sent */}
      <fieldset className={style.closable} disabled={asked.isLooking || send.isPending}>
        <SegmentedControl
          size="xs"
          transitionDuration={0}
          aria-label={t('send.method')}
          value={form.method}
          onChange={(value) => handleMethod(methods.find((one) => one === value) ?? form.method)}
          data={methods.map((one) => ({ value: one, label: t(`send.method.${one}`) }))}
        />
        <SendTo
          form={form}
          studies={studies}
          known={known}
          faults={faults}
          typed={typed}
          onTyped={setTyped}
          onChange={put}
          isFocused={isAgain}
        />
        {asked.fields}
        <Textarea
          size="xs"
          name="send-message"
          label={t('send.message')}
          description={form.method === 'email' && t('send.messageMail')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={message}
          rows={2}
          resize="vertical"
          error={faults.message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <SendAttachments
          studies={studies}
          isMailed={form.method === 'email'}
          isChosen={form.withAttachments}
          onChoose={(withAttachments) => put({ withAttachments })}
        />
        <div className={style.pickers}>
          <NativeSelect
            label={t('send.when')}
            value={form.when}
            onChange={(event) => put({ when: delays.find((one) => one === event.currentTarget.value) ?? 'now' })}
            data={delays.map((one) => ({ value: one, label: t(`send.when.${one}`) }))}
          />
          {form.when === 'at' && (
            <TextInput
              size="xs"
              type="datetime-local"
              name="send-at"
              label={t('send.at')}
              value={form.at}
              error={faults.at}
              onChange={(event) => put({ at: event.currentTarget.value })}
            />
          )}
          <NativeSelect
            label={t('send.until')}
            value={form.minutes}
            onChange={(event) => put({ minutes: Number(event.currentTarget.value) })}
            data={[
              ...ends.map((one) => ({ value: String(one), label: t(`share.until.${one}`) })),
              ...(ends.some((one) => one === form.minutes)
                ? []
                : [
                    {
                      value: String(form.minutes),
                      label: t('connections.expiresOther', { count: form.minutes }),
                    },
                  ]),
            ]}
          />
        </div>
        {mixed.field}
      </fieldset>
      <div className={style.actions}>
        <Button
          type="submit"
          leftSection={<IconSend size={15} />}
          disabled={!isReady && !send.isPending && !asked.isLooking}
          loading={send.isPending || asked.isLooking}
          // a message under a field that is left would move the button away from under the pointer
          onMouseDown={(event) => event.preventDefault()}
        >
          {t('send.button', { count: studies.length })}
        </Button>
        {recipients.length === 0 && <span className={style.note}>{t(`send.chooseFirst.${form.method}`)}</span>}
      </div>
      {outcome}
    </form>
  )
}
