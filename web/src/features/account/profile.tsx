import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type DateFormat, dateFormats, isDateFormat } from '../../format/dates.ts'
import { timeZones } from '../../format/time-zones.ts'
import { Textarea, TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { changedFields } from '../../queries/changed-fields.ts'
import { DateFormatUnsaved, useSaveProfile } from '../../queries/own-profile.ts'
import { usePreferences } from '../../session/preferences.ts'
import { type Session, useEstablished } from '../../session/session-store.ts'
import { UnsavedGuard } from '../../state/unsaved-guard.tsx'
import { Banner } from '../../ui/banner.tsx'
import { PassingBanner } from '../../ui/passing-banner.tsx'
import style from './account.module.css'
import { DatePreview } from './date-preview.tsx'
import { faultsOfProfileFailure, findProfileFaults, type ProfileFaults, type ProfileForm } from './profile-faults.ts'

/** ACCOUNT-01: the person's own profile. */
export function Profile() {
  const { user } = useEstablished()
  const { dateFormat } = usePreferences()
  const loaded = formOf(user, dateFormat)
  const [changes, setChanges] = useState<Partial<ProfileForm>>({})
  const [refused, setRefused] = useState<ProfileFaults>({})
  const save = useSaveProfile()
  const form = { ...loaded, ...changes }
  const faults = { ...refused, ...findProfileFaults(form) }
  const isValid = Object.keys(findProfileFaults(form)).length === 0
  const isDirty = Object.entries(changes).some(([field, value]) => loaded[field as keyof ProfileForm] !== value)
  const put = (part: Partial<ProfileForm>) => {
    setChanges({ ...changes, ...part })
    setRefused({})
    if (!save.isPending) save.reset()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid || save.isPending) return
    const trimmed = { ...form, first: form.first.trim(), last: form.last.trim() }
    const { dateFormat: wanted, ...profile } = changedFields(loaded, trimmed)
    // what was typed while it was saved stays
    const settle = (isSaved: (field: string) => boolean) =>
      setChanges((now) => {
        const isTyped = ([field, value]: [string, unknown]) =>
          !isSaved(field) || changes[field as keyof ProfileForm] !== value // fields of the form
        return Object.fromEntries(Object.entries(now).filter(isTyped))
      })
    save.mutate(
      { profile, dateFormat: wanted },
      {
        onSuccess: () => settle(() => true),
        onError: (failure) => {
          if (failure instanceof DateFormatUnsaved) settle((field) => field !== 'dateFormat')
          setRefused(faultsOfProfileFailure(failure))
        },
      },
    )
  }
  const handleClear = () => {
    setChanges({})
    setRefused({})
    save.reset()
  }
  const text = (field: 'first' | 'last' | 'mobile_phone' | 'share_code' | 'share_description', label: string) => ({
    label,
    value: form[field],
    error: faults[field],
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
  })
  return (
    <form className={style.page} aria-label={t('profile.title')} onSubmit={handleSubmit} noValidate>
      <UnsavedGuard isDirty={isDirty} />
      {save.isSuccess && (
        <PassingBanner key={save.submittedAt} onGone={save.reset}>
          {t('profile.saved')}
        </PassingBanner>
      )}
      {save.isError && (
        <Banner tone="failed">
          {t(save.error instanceof DateFormatUnsaved ? 'profile.dateFormatFailed' : 'profile.failed')}
        </Banner>
      )}
      <div className={style.pair}>
        <TextInput {...text('first', t('profile.first'))} required maxLength={100} autoComplete="given-name" />
        <TextInput {...text('last', t('profile.last'))} required maxLength={100} autoComplete="family-name" />
      </div>
      <TextInput label={t('profile.email')} description={t('profile.emailHelp')} value={user.email} readOnly disabled />
      <div className={style.pair}>
        <NativeSelect
          label={t('profile.timeZone')}
          value={form.time_zone}
          error={faults.time_zone}
          data={zoneOptions(loaded.time_zone)}
          onChange={(event) => put({ time_zone: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('profile.dateFormat')}
          required
          value={form.dateFormat}
          error={faults.dateFormat}
          data={[...dateFormats]}
          onChange={(event) => put({ dateFormat: event.currentTarget.value })}
        />
      </div>
      {isDateFormat(form.dateFormat) && <DatePreview format={form.dateFormat} timeZone={form.time_zone} />}
      <TextInput {...text('mobile_phone', t('profile.phone'))} type="tel" autoComplete="tel" />
      <TextInput {...text('share_code', t('profile.shareCode'))} maxLength={100} autoComplete="off" />
      <Textarea {...text('share_description', t('profile.shareDescription'))} maxLength={2000} rows={3} />
      <div className={style.formActs}>
        <Button variant="default" size="sm" disabled={save.isPending} onClick={handleClear}>
          {t('settings.clear')}
        </Button>
        <Button type="submit" size="sm" disabled={!isValid} loading={save.isPending}>
          {t('button.save')}
        </Button>
      </div>
    </form>
  )
}

function formOf(user: Session['user'], dateFormat: DateFormat): ProfileForm {
  const { first, last, time_zone, mobile_phone, share_code, share_description } = user
  return { first, last, time_zone, mobile_phone, share_code, share_description, dateFormat }
}

/** ACCOUNT-02: the zones of IANA, and first none; a renamed zone that is set stays to be chosen. */
function zoneOptions(current: string) {
  const more = current && !timeZones.includes(current) ? [current] : []
  return [
    { value: '', label: t('profile.noTimeZone') },
    ...[...more, ...timeZones].map((zone) => ({ value: zone, label: zone })),
  ]
}
