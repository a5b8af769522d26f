import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { useChangePassword } from '../../queries/own-profile.ts'
import { findNewPasswordFaults, NewPasswordFields, noNewPassword } from '../../session/new-password-fields.tsx'
import { passwordFaultLabel } from '../../session/password-fault-label.ts'
import { PasswordField } from '../../session/password-field.tsx'
import { putNotice } from '../../state/notices.ts'
import { UnsavedGuard } from '../../state/unsaved-guard.tsx'
import { Banner } from '../../ui/banner.tsx'
import { PassingBanner } from '../../ui/passing-banner.tsx'
import style from './account.module.css'
import { useProof, wantsProof } from '../../session/use-proof.tsx'

type Field = 'current' | 'password' | 'confirm'

/** ACCOUNT-08…12: the person's own password; each field is judged from its first sign on. */
export function ChangePassword() {
  const [current, setCurrent] = useState('')
  const [chosen, setChosen] = useState(noNewPassword)
  const [touched, setTouched] = useState<ReadonlySet<Field>>(new Set())
  const change = useChangePassword()
  const newFaults = findNewPasswordFaults(chosen)
  const isValid = current !== '' && !newFaults
  const proof = useProof()
  const refused = change.isError && !wantsProof(change.error) ? refusalOf(change.error) : {}
  const touch = (...fields: Field[]) => {
    setTouched(new Set([...touched, ...fields]))
    if (!change.isPending) change.reset()
  }
  const empty = () => {
    setCurrent('')
    setChosen(noNewPassword)
    setTouched(new Set())
  }
  const send = () =>
    change.mutate(
      { old_password: current, password: chosen.password, password_confirm: chosen.confirm },
      {
        onSuccess: (message) => {
          empty()
          if (message) putNotice(message)
        },
        onError: (failure) => proof.ask(failure, send),
      },
    )
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && !change.isPending) send()
  }
  const handleNew = (next: typeof chosen) => {
    touch(next.password === chosen.password ? 'confirm' : 'password')
    setChosen(next)
  }
  return (
    <>
      {/* a form of its own, so not within the other */}
      {proof.dialog}
      <form className={style.page} aria-label={t('password.title')} onSubmit={handleSubmit} noValidate>
        <UnsavedGuard isDirty={current !== '' || chosen.password !== '' || chosen.confirm !== ''} />
        {change.isSuccess && (
          <PassingBanner key={change.submittedAt} onGone={change.reset}>
            {t('password.saved')}
          </PassingBanner>
        )}
        {refused.form && <Banner tone="failed">{refused.form}</Banner>}
        <PasswordField
          name="current-password"
          label={t('password.current')}
          value={current}
          error={refused.current ?? (touched.has('current') && !current && t('password.currentRequired'))}
          autoComplete="current-password"
          onChange={(next) => {
            touch('current')
            setCurrent(next)
          }}
        />
        <NewPasswordFields
          value={chosen}
          faults={{
            password: refused.password ?? (touched.has('password') ? newFaults?.password : undefined),
            confirm: touched.has('confirm') ? newFaults?.confirm : undefined,
          }}
          onChange={handleNew}
        />
        <p className={style.use}>{t('password.others')}</p>
        <div className={style.formActs}>
          <Button
            variant="default"
            size="sm"
            disabled={change.isPending}
            onClick={() => {
              empty()
              change.reset()
            }}
          >
            {t('settings.clear')}
          </Button>
          <Button type="submit" size="sm" disabled={!isValid} loading={change.isPending}>
            {t('button.save')}
          </Button>
        </div>
      </form>
    </>
  )
}

/** ERROR-06: each refusal beside the field that it is about. */
function refusalOf(failure: unknown): Partial<Record<'current' | 'password' | 'form', string>> {
  switch (failureCode(failure)) {
    case 'INVALID_PASSWORD':
      return { current: t('password.currentWrong') }
    case 'BAD_PASSWORD':
      return { password: t(passwordFaultLabel(failure)) }
    case 'LOCKOUT':
      return { form: t('password.lockedOut') }
    default:
      return { form: t('password.failed') }
  }
}
