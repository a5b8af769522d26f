import { studyDownload } from '@hilum/contract/routes/storage-acts'
import '@mantine/core/styles/PasswordInput.layer.css'
import { linkLimitsOf } from '@hilum/contract/account-settings'
import type { Study } from '@hilum/contract/entities/study'
import { isMailable, readOneAddress, readAddresses, tidyAddresses } from '@hilum/contract/mail-address'
import { linkPasswordLength, maxLinkMessage, maxNotified } from '@hilum/contract/limits'
import { isDicomDay } from '@hilum/dicom/dates'
import { Button, Checkbox, NativeSelect, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { wasDoneBefore } from '../../api/once-keys.ts'
import { Textarea, TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import type { LinkFields, useLinks } from '../../queries/links.ts'
import { useEstablished } from '../../session/session-store.ts'
import { mayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconLink } from '../../ui/icons.ts'
import { ExamGuard } from './exam-guard.tsx'
import { EarlierExams } from './link-earlier.tsx'
import { linkFault } from './link-words.ts'
import { mayGiveFiles } from './may-give-files.ts'
import style from './links.module.css'
import share from './share.module.css'
import { useMixedSeen } from './use-mixed-seen.tsx'

/** Minutes until the link ends, and how often it may be opened; 0 is any number of times. */
const ends = [60, 1440, 10080, 43200, 129600, 525600] as const
const uses = [0, 1, 3, 10] as const
const factors = ['password', 'birthDate', 'none'] as const
const { least } = linkPasswordLength

interface LinkFormProps {
  /** Studies of one place, which the link shows. */
  studies: readonly Study[]
  make: ReturnType<typeof useLinks>['make']
  onDone: () => void
  onCancel: () => void
}

/** ENTITY-22: what a link gives, to whom, for how long. Typed values stay when the link could not be made. */
export function LinkForm({ studies, make, onDone, onCancel }: LinkFormProps) {
  const { account } = useEstablished()
  const limits = linkLimitsOf(account.settings)
  const [minutes, setMinutes] = useState(limits.minutes)
  const [hits, setHits] = useState(0)
  const [factor, setFactor] = useState<(typeof factors)[number]>('password')
  const [password, setPassword] = useState('')
  const [email, setEmail] = useState('')
  const [asksPin, setAsksPin] = useState(false)
  const [message, setMessage] = useState('')
  const [notify, setNotify] = useState('')
  const [download, setDownload] = useState(false)
  const [withFiles, setWithFiles] = useState(false)
  const [withEarlier, setWithEarlier] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const mixed = useMixedSeen(studies)
  const [first] = studies
  const single = studies.length === 1 ? first : undefined
  const birthDates = new Set(studies.map((study) => study.patient_birth_date))
  const hasBirthDate = birthDates.size === 1 && studies.every((study) => isDicomDay(study.patient_birth_date))
  const tooMany = message.trim().length - maxLinkMessage
  const isShort = factor === 'password' && password.length < least
  const isNoEmail = email.trim() !== '' && !isMailable(readOneAddress(email))
  const notifyFault = notifiedFault(notify)
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsAsked(true)
    if (make.isPending) return
    const wrong = isShort
      ? 'link-password'
      : isNoEmail
        ? 'link-email'
        : tooMany > 0
          ? 'link-message'
          : notifyFault
            ? 'link-notify'
            : undefined
    if (wrong) {
      const field = event.currentTarget.elements.namedItem(wrong)
      if (field instanceof HTMLElement) field.focus()
      return
    }
    if (!mixed.demand()) return
    const options: LinkFields = {
      minutes_alive: minutes,
      ...(hits > 0 ? { max_hits: hits } : {}),
      ...(factor === 'password' ? { password } : {}),
      ...(factor === 'birthDate' ? { password_is_dob: 1 } : {}),
      ...(email.trim() ? { email: readOneAddress(email) } : {}),
      ...(email.trim() && asksPin ? { pin_auth: 1 } : {}),
      ...(notify.trim() ? { notify: notify.trim() } : {}),
      ...(message.trim() ? { message: message.trim() } : {}),
      ...(download ? { download: 1 } : {}),
      ...(withFiles ? { attachments: 1 } : {}),
      ...(withEarlier ? { include_priors: 1 } : {}),
      ...(mixed.isSeen ? { mixed_patients: 1 } : {}),
    }
    make.mutate(options, { onSuccess: onDone })
  }
  return (
    <form className={style.form} aria-label={t('links.form')} noValidate onSubmit={handleSubmit}>
      <ExamGuard
        isDirty={[password, email, message, notify].some((one) => one.trim() !== '')}
        text={t('links.unmade')}
      />
      <div className={share.pickers}>
        <NativeSelect
          autoFocus
          label={t('links.until')}
          value={minutes}
          onChange={(event) => setMinutes(Number(event.currentTarget.value))}
          data={[
            ...ends
              .filter((one) => one <= limits.most)
              .map((one) => ({ value: String(one), label: t(`links.until.${one}`) })),
            ...(ends.some((one) => one === minutes)
              ? []
              : [{ value: String(minutes), label: t('connections.expiresOther', { count: minutes }) }]),
          ]}
        />
        <NativeSelect
          label={t('links.uses')}
          value={hits}
          onChange={(event) => setHits(Number(event.currentTarget.value))}
          data={uses.map((one) => ({ value: String(one), label: t(`links.uses.${one}`) }))}
        />
        <NativeSelect
          label={t('links.factor')}
          description={
            factor === 'none'
              ? t('links.factorNone')
              : hasBirthDate
                ? undefined
                : t(birthDates.size > 1 ? 'links.otherBirthDates' : 'links.noBirthDate')
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={factor}
          onChange={(event) => setFactor(factors.find((one) => one === event.currentTarget.value) ?? 'password')}
          data={factors.map((one) => ({
            value: one,
            label: t(`links.factor.${one}`),
            disabled: one === 'birthDate' && !hasBirthDate,
          }))}
        />
        {factor === 'password' && (
          <PasswordInput
            size="xs"
            name="link-password"
            label={t('links.password')}
            description={t('links.passwordRule', { least })}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="new-password"
            maxLength={linkPasswordLength.most}
            value={password}
            error={isAsked && isShort && t('links.passwordShort', { least })}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
          />
        )}
      </div>
      <TextInput
        size="xs"
        type="email"
        name="link-email"
        label={t('links.email')}
        description={t('links.emailHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={email}
        error={isAsked && isNoEmail && t('links.emailWrong')}
        onChange={(event) => setEmail(event.currentTarget.value)}
        onBlur={() => setEmail(tidyAddresses(email))}
      />
      <Checkbox
        size="xs"
        label={t('links.pin')}
        description={email.trim() === '' && t('links.pinNoEmail')}
        disabled={email.trim() === ''}
        checked={asksPin && email.trim() !== ''}
        onChange={(event) => setAsksPin(event.currentTarget.checked)}
      />
      <Textarea
        size="xs"
        name="link-message"
        label={t('links.message')}
        description={t('links.messageHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        rows={3}
        value={message}
        error={tooMany > 0 && t('links.messageTooLong', { most: maxLinkMessage, count: tooMany })}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        name="link-notify"
        label={t('links.notify')}
        description={t('request.notifyHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={notify}
        error={isAsked && notifyFault}
        onChange={(event) => setNotify(event.currentTarget.value)}
        onBlur={() => setNotify(tidyAddresses(notify))}
      />
      {single && <EarlierExams studyUuid={single.uuid} isChosen={withEarlier} onChoose={setWithEarlier} />}
      {studies.every((study) => mayCall(studyDownload, study.permissions)) && (
        <Checkbox
          size="xs"
          label={t('links.download')}
          checked={download}
          onChange={(event) => setDownload(event.currentTarget.checked)}
        />
      )}
      {mayGiveFiles(studies) && (
        <Checkbox
          size="xs"
          label={t('links.files')}
          description={t('links.filesHint')}
          checked={withFiles}
          onChange={(event) => setWithFiles(event.currentTarget.checked)}
        />
      )}
      {mixed.field}
      {wasDoneBefore(make.error) && <Banner tone="priority">{t('links.madeBefore')}</Banner>}
      {make.isError && !wasDoneBefore(make.error) && (
        <Banner tone="failed">
          {t('links.makeFailed')}
          <span className={share.reason}>{linkFault(make.error)}</span>
        </Banner>
      )}
      <div className={share.actions}>
        <Button type="submit" leftSection={<IconLink size={15} />} loading={make.isPending}>
          {t('links.make')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('links.cancel')}
        </Button>
      </div>
    </form>
  )
}

/** Why these are no addresses to tell of a use of the link, in words; undefined where they are. */
function notifiedFault(typed: string): string | undefined {
  const addresses = readAddresses(typed)
  if (addresses.length > maxNotified) return t('request.notifyMany', { most: maxNotified })
  return addresses.every(isMailable) ? undefined : t('request.notifyWrong')
}
