import { userPasswordReset, userPasswordResetCheck } from '@hilum/contract/calls/user'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { callApi } from '../../api/call-api.ts'
import { t } from '../../labels/label.ts'
import { signOut } from '../../session/establish-session.ts'
import { putSession } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { FormFoot } from './form-foot.tsx'
import { findNewPasswordFaults, NewPasswordFields, noNewPassword } from '../../session/new-password-fields.tsx'
import { passwordFaultLabel } from '../../session/password-fault-label.ts'
import style from './sign-in.module.css'
import { SignInPage } from './sign-in-page.tsx'

/** AUTH-06…10. A link that does not work is told before anybody thinks of a new password for it. */
export function ResetPasswordForm({ token }: { token: string }) {
  const { isPending, error } = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => callApi(userPasswordResetCheck, { token }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  // A failed question (no network, too many asked) is no answer: the form tells more when it is sent.
  const isWrong = error !== null && failureCode(error) === 'INVALID_TOKEN'
  return (
    <SignInPage title={t('reset.title')}>
      {isPending ? <LoadingState label={t('loading')} /> : isWrong ? <WrongLink /> : <NewPasswordForm token={token} />}
    </SignInPage>
  )
}

/** AUTH-08 */
function WrongLink() {
  return (
    <div className={style.form}>
      <Banner tone="failed">{t('reset.wrongLink')}</Banner>
      <p className={style.lead}>{t('reset.wrongLinkHint')}</p>
      <div className={style.row}>
        <Link to="/" className={style.link}>
          {t('forgot.back')}
        </Link>
        <Link to="/forgot-password" className={style.link}>
          {t('reset.askAgain')}
        </Link>
      </div>
    </div>
  )
}

function NewPasswordForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState(noNewPassword)
  const [isAsked, setIsAsked] = useState(false)
  const reset = useMutation({
    mutationFn: (password: string) => callApi(userPasswordReset, { token, password }),
    onSuccess: async () => {
      await signOut() // the person who was signed in here; the new password begins with a new session
      putSession({ status: 'signedOut', reason: 'resetDone' })
      await navigate({ to: '/', replace: true })
    },
  })
  const code = reset.isError ? failureCode(reset.error) : undefined
  // used up or out of date since the page was opened
  if (code === 'INVALID_TOKEN') return <WrongLink />
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsAsked(true)
    if (!findNewPasswordFaults(chosen)) reset.mutate(chosen.password)
  }
  return (
    <form className={style.form} onSubmit={handleSubmit} noValidate>
      {code && <Banner tone="failed">{faultText(code, reset.error)}</Banner>}
      <NewPasswordFields
        value={chosen}
        faults={isAsked ? findNewPasswordFaults(chosen) : undefined}
        autoFocus
        onChange={setChosen}
      />
      <FormFoot to="/" otherWay={t('reset.cancel')} submit={t('reset.submit')} isBusy={reset.isPending} />
    </form>
  )
}

function faultText(code: ReturnType<typeof failureCode>, failure: unknown): string {
  if (code === 'LOCKOUT') return t('forgot.lockedOut')
  return code === 'BAD_PASSWORD' ? t(passwordFaultLabel(failure)) : t('reset.failed')
}
