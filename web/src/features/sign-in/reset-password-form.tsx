import { userPasswordReset, userPasswordResetCheck } from '@hilum/contract/calls/user'
import { isGoodPassword, isGoodPasswordStart } from '@hilum/contract/password-rule'
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
import { PasswordField } from './password-field.tsx'
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
  // What could not be asked (no network, too many asked) is no answer: the form itself tells more when it is sent.
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
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const reset = useMutation({
    mutationFn: (chosen: string) => callApi(userPasswordReset, { token, password: chosen }),
    onSuccess: async () => {
      await signOut() // whoever was signed in here; the new password begins with a new session
      putSession({ status: 'signedOut', reason: 'resetDone' })
      await navigate({ to: '/', replace: true })
    },
  })
  const passwordFault = findPasswordFault(password)
  const confirmFault = !confirm ? t('reset.confirmRequired') : confirm === password ? undefined : t('reset.noMatch')
  const code = reset.isError ? failureCode(reset.error) : undefined
  // used up or out of date since the page was opened
  if (code === 'INVALID_TOKEN') return <WrongLink />
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsAsked(true)
    if (!passwordFault && !confirmFault) reset.mutate(password)
  }
  return (
    <form className={style.form} onSubmit={handleSubmit} noValidate>
      {code && <Banner tone="failed">{faultText(code)}</Banner>}
      <PasswordField
        label={t('reset.password')}
        description={t('reset.hint')}
        value={password}
        error={isAsked && passwordFault}
        autoComplete="new-password"
        onChange={setPassword}
        autoFocus
      />
      <PasswordField
        label={t('reset.confirm')}
        value={confirm}
        error={isAsked && confirmFault}
        autoComplete="new-password"
        onChange={setConfirm}
      />
      <FormFoot to="/" otherWay={t('reset.cancel')} submit={t('reset.submit')} isBusy={reset.isPending} />
    </form>
  )
}

/** The hint does not say that the first 8 characters count, so a password that meets the hint alone is told. */
function findPasswordFault(password: string): string | undefined {
  if (!password) return t('reset.required')
  if (isGoodPasswordStart(password)) return undefined
  return isGoodPassword(password) ? t('reset.firstEight') : t('reset.hint')
}

function faultText(code: ReturnType<typeof failureCode>): string {
  if (code === 'LOCKOUT') return t('forgot.lockedOut')
  return code === 'BAD_PASSWORD' ? t('reset.lastThree') : t('reset.failed')
}
