import '@mantine/core/styles/PasswordInput.layer.css'
import { userPasswordReset } from '@hilum/contract/calls/user'
import { isGoodPassword, isGoodPasswordStart } from '@hilum/contract/password-rule'
import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { callApi } from '../../api/call-api.ts'
import { t } from '../../labels/label.ts'
import { signOut } from '../../session/establish-session.ts'
import { putSession } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './sign-in.module.css'
import { SignInPage } from './sign-in-page.tsx'

/** AUTH-06…10 */
export function ResetPasswordForm({ token }: { token: string }) {
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
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsAsked(true)
    if (!passwordFault && !confirmFault) reset.mutate(password)
  }
  const toggle = { 'aria-label': t('login.showPassword'), tabIndex: 0 }
  return (
    <SignInPage title={t('reset.title')}>
      <form className={style.form} onSubmit={handleSubmit} noValidate>
        {code && <Banner tone="failed">{faultText(code)}</Banner>}
        <PasswordInput
          size="sm"
          label={t('reset.password')}
          description={t('reset.hint')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isAsked && passwordFault}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
          autoFocus
        />
        <PasswordInput
          size="sm"
          label={t('reset.confirm')}
          value={confirm}
          onChange={(event) => setConfirm(event.currentTarget.value)}
          error={isAsked && confirmFault}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
        />
        <div className={style.row}>
          <Link to="/" className={style.link}>
            {t('reset.cancel')}
          </Link>
          <Button type="submit" size="sm" loading={reset.isPending}>
            {t('reset.submit')}
          </Button>
        </div>
      </form>
    </SignInPage>
  )
}

/** The hint does not say that the first 8 characters count, so a password that meets the hint alone is told. */
function findPasswordFault(password: string): string | undefined {
  if (!password) return t('reset.required')
  if (isGoodPasswordStart(password)) return undefined
  return isGoodPassword(password) ? t('reset.firstEight') : t('reset.hint')
}

function faultText(code: ReturnType<typeof failureCode>): string {
  if (code === 'INVALID_TOKEN' || code === 'NOT_FOUND') return t('reset.wrongLink')
  return code === 'BAD_PASSWORD' ? t('reset.lastThree') : t('reset.failed')
}
