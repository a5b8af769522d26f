import '@mantine/core/styles/PasswordInput.layer.css'
import { maxSender, requestMinutes } from '@hilum/contract/limits'
import { tidyAddresses } from '@hilum/contract/mail-address'
import { Button, Checkbox, NativeSelect, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { wasDoneBefore } from '../../api/once-keys.ts'
import { Textarea, TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { useAskForStudy } from '../../queries/requests.ts'
import { UnsavedGuard } from '../../state/unsaved-guard.tsx'
import { Banner } from '../../ui/banner.tsx'
import { requestFaults, namesPatient, toOptions, type TypedRequest } from './request-rules.ts'
import style from './requests.module.css'

interface RequestFormProps {
  /** Undefined while the group is not found: nothing can be sent then (REQUEST-05). */
  group: { namespaceId: string; name: string } | undefined
  /** Told of arrivals unless somebody else is named. */
  ownEmail: string
  onSent: (uuid: string) => void
  onCancel: () => void
}

const sexes = ['', 'F', 'M', 'O'] as const
/** Fields whose words somebody would have to type anew. */
const requestTexts = [
  'email',
  'linkPassword',
  'notifyOfLinkUse',
  'studyDescription',
  'lastName',
  'firstName',
  'birthDate',
  'mrn',
  'examDate',
  'modality',
  'examWords',
] as const satisfies readonly (keyof TypedRequest)[]

/** REQUEST-01…06: asks an outside party for a study. Typed values stay when the request could not be sent. */
export function RequestForm({ group, ownEmail, onSent, onCancel }: RequestFormProps) {
  const ask = useAskForStudy()
  const [blank] = useState<TypedRequest>({
    email: '',
    maximumHits: '3',
    maximumDuration: '1440',
    linkPassword: '',
    notifyOfLinkUse: ownEmail,
    studyDescription: '',
    lastName: '',
    firstName: '',
    birthDate: '',
    mrn: '',
    sex: '',
    examDate: '',
    modality: '',
    examWords: '',
    megabytes: '',
  })
  const [typed, setTyped] = useState(blank)
  const [asksPin, setAsksPin] = useState(false)
  // REQUEST-02: a field tells its fault from its first change on
  const [changed, setChanged] = useState<ReadonlySet<keyof TypedRequest>>(new Set())
  const faults = requestFaults(typed)
  const mayNotSend = Object.keys(faults).length > 0 || ask.isPending || !group
  const put = (name: keyof TypedRequest, value: string) => {
    setTyped((before) => ({ ...before, [name]: value }))
    setChanged((before) => new Set(before).add(name))
    if (ask.isError) ask.reset()
  }
  const field = (name: keyof TypedRequest) => ({
    size: 'sm' as const,
    name,
    value: typed[name],
    error: changed.has(name) && faults[name],
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    onChange: (event: { currentTarget: { value: string } }) => put(name, event.currentTarget.value),
    onBlur: () => {
      if (name === 'email' || name === 'notifyOfLinkUse')
        setTyped((before) => ({ ...before, [name]: tidyAddresses(before[name]) }))
      setChanged((before) => (typed[name] === '' ? before : new Set(before).add(name)))
    },
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (mayNotSend || !group) return
    ask.mutate(toOptions(typed, group.namespaceId, asksPin), { onSuccess: ({ uuid }) => onSent(uuid) })
  }
  return (
    <form className={style.form} aria-label={t('request.form')} noValidate onSubmit={handleSubmit}>
      <UnsavedGuard isDirty={requestTexts.some((name) => typed[name] !== blank[name])} text={t('request.unsent')} />
      <TextInput {...field('email')} autoFocus type="email" required label={t('request.email')} autoComplete="off" />
      <Checkbox
        size="sm"
        label={t('request.pin')}
        description={t('request.pinHint')}
        checked={asksPin}
        onChange={(event) => setAsksPin(event.currentTarget.checked)}
      />
      <div className={style.pair}>
        <TextInput
          {...field('maximumHits')}
          required
          inputMode="numeric"
          label={t('request.hits')}
          description={t('request.hitsHint')}
        />
        <TextInput {...field('maximumDuration')} required inputMode="numeric" label={t('request.duration')} />
      </div>
      <div className={style.presets} role="group" aria-label={t('request.presets')}>
        {requestMinutes.map((minutes) => (
          <Button
            key={minutes}
            variant={typed.maximumDuration.trim() === String(minutes) ? 'light' : 'default'}
            size="compact-sm"
            title={t('request.presetHint', { minutes })}
            aria-pressed={typed.maximumDuration.trim() === String(minutes)}
            onClick={() => put('maximumDuration', String(minutes))}
          >
            {t(`request.preset.${minutes}`)}
          </Button>
        ))}
      </div>
      <TextInput
        {...field('megabytes')}
        inputMode="numeric"
        label={t('request.megabytes')}
        description={t('request.megabytesHint')}
        autoComplete="off"
      />
      <PasswordInput
        {...field('linkPassword')}
        label={t('request.password')}
        description={t('request.passwordHint')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
      />
      <TextInput
        {...field('notifyOfLinkUse')}
        label={t('request.notify')}
        description={t('request.notifyHint')}
        autoComplete="off"
      />
      <Textarea
        {...field('studyDescription')}
        rows={2}
        label={t('request.description')}
        description={t('request.descriptionHint')}
      />
      <fieldset className={style.expected}>
        <legend>{t('request.expected')}</legend>
        <p className={style.hint}>{t('request.expectedHint')}</p>
        <div className={style.pair}>
          <TextInput {...field('lastName')} label={t('request.lastName')} autoComplete="off" maxLength={64} />
          <TextInput {...field('firstName')} label={t('request.firstName')} autoComplete="off" maxLength={64} />
          <TextInput {...field('birthDate')} type="date" label={t('request.birthDate')} />
          <TextInput {...field('mrn')} label={t('request.mrn')} autoComplete="off" maxLength={64} />
          <NativeSelect
            {...field('sex')}
            label={t('request.sex')}
            data={sexes.map((value) => ({ value, label: t(`request.sex.${value}`) }))}
          />
        </div>
        {namesPatient(typed) && typed.linkPassword === '' && (
          <Banner tone="neutral">{t('request.expectedHidden')}</Banner>
        )}
      </fieldset>
      <fieldset className={style.expected}>
        <legend>{t('request.exam')}</legend>
        <p className={style.hint}>{t('request.examHint')}</p>
        <div className={style.pair}>
          <TextInput {...field('examDate')} type="date" label={t('request.examDate')} />
          <TextInput {...field('modality')} label={t('request.modality')} autoComplete="off" maxLength={16} />
        </div>
        <TextInput
          {...field('examWords')}
          label={t('request.examWords')}
          description={t('request.examWordsHint')}
          autoComplete="off"
          maxLength={maxSender}
        />
      </fieldset>
      {wasDoneBefore(ask.error) && <Banner tone="priority">{t('request.sentBefore')}</Banner>}
      {ask.isError && !wasDoneBefore(ask.error) && (
        <Banner tone="failed">
          {t('request.failed')}
          {failureCode(ask.error) === 'NOT_PERMITTED' && (
            <span className={style.more}>{t('request.notPermitted')}</span>
          )}
        </Banner>
      )}
      <div className={style.acts}>
        <Button type="submit" size="sm" loading={ask.isPending} disabled={mayNotSend}>
          {t('request.submit')}
        </Button>
        <Button variant="default" size="sm" onClick={onCancel}>
          {t('request.cancel')}
        </Button>
      </div>
    </form>
  )
}
