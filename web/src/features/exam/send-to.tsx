import { studyDownload } from '@hilum/contract/routes/storage-acts'
import '@mantine/core/styles/PasswordInput.layer.css'
import type { Study } from '@hilum/contract/entities/study'
import { tidyAddresses } from '@hilum/contract/mail-address'
import { linkPasswordLength } from '@hilum/contract/limits'
import { isDicomDay } from '@hilum/dicom/dates'
import { Checkbox, NativeSelect, PasswordInput } from '@mantine/core'
import { Textarea, TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { mayCall } from '../../session/use-may.ts'
import { RecipientPicker } from './recipient-picker.tsx'
import { factors, type SendFaults, type SendFormState } from './send-options.ts'
import type { KnownRecipients } from './known-recipients.ts'
import style from './share.module.css'

interface SendToProps {
  form: SendFormState
  studies: readonly Study[]
  /** Organisations that have access to the exam already, or will have. */
  known: KnownRecipients
  faults: SendFaults
  /** Text of the picker of organisations that names none yet. */
  typed: string
  onTyped: (typed: string) => void
  onChange: (part: Partial<SendFormState>) => void
  isFocused: boolean
}

/** The recipients, in the fields of the chosen way of sending (SEND-01). */
export function SendTo(props: SendToProps) {
  const { form, studies, known, typed, onTyped, onChange, isFocused } = props
  const [first] = studies
  if (form.method === 'email') return <ByEmail {...props} />
  if (form.method === 'code') {
    return (
      <TextInput
        size="xs"
        name="send-code"
        autoFocus={isFocused}
        label={t('send.code')}
        description={t('send.codeHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={form.code}
        onChange={(event) => onChange({ code: event.currentTarget.value })}
      />
    )
  }
  return (
    <div>
      <RecipientPicker
        kind="account"
        studyUuid={first?.uuid ?? ''}
        value={form.accounts}
        onChange={(accounts) => onChange({ accounts })}
        typed={typed}
        onTyped={onTyped}
        known={known}
      />
      <p className={style.note}>{t('send.accountText')}</p>
    </div>
  )
}

function ByEmail({ form, studies, faults, onChange, isFocused }: SendToProps) {
  const { least, most } = linkPasswordLength
  const haveBirthDates = studies.every((one) => isDicomDay(one.patient_birth_date))
  return (
    <>
      <Textarea
        size="xs"
        name="send-emails"
        inputMode="email"
        autoFocus={isFocused}
        label={t('send.emails')}
        description={t('send.emailsHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        spellCheck={false}
        rows={1}
        value={form.emails}
        error={faults.emails}
        onChange={(event) => onChange({ emails: event.currentTarget.value })}
        onBlur={() => onChange({ emails: tidyAddresses(form.emails) })}
      />
      <div className={style.pickers}>
        <NativeSelect
          label={t('send.factor')}
          description={
            form.factor === 'none' ? t('links.factorNone') : haveBirthDates ? undefined : t('links.noBirthDate')
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={form.factor}
          onChange={(event) =>
            onChange({ factor: factors.find((one) => one === event.currentTarget.value) ?? 'password' })
          }
          data={factors.map((one) => ({
            value: one,
            label: t(`links.factor.${one}`),
            disabled: one === 'birthDate' && !haveBirthDates,
          }))}
        />
        {form.factor === 'password' && (
          <PasswordInput
            size="xs"
            name="send-password"
            label={t('links.password')}
            description={t('links.passwordRule', { least })}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="new-password"
            maxLength={most}
            value={form.password}
            error={faults.password}
            onChange={(event) => onChange({ password: event.currentTarget.value })}
            visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
          />
        )}
      </div>
      <Checkbox
        size="xs"
        label={t('send.pin')}
        checked={form.asksPin}
        onChange={(event) => onChange({ asksPin: event.currentTarget.checked })}
      />
      {studies.every((one) => mayCall(studyDownload, one.permissions)) && (
        <Checkbox
          size="xs"
          label={t('links.download')}
          checked={form.download}
          onChange={(event) => onChange({ download: event.currentTarget.checked })}
        />
      )}
    </>
  )
}
