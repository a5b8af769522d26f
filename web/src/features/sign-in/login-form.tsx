import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { t } from '../../labels/label.ts'
import { signIn } from '../../session/establish-session.ts'
import { useSession } from '../../session/session-store.ts'
import { takePlace } from '../../session/stored-session.ts'
import { Banner } from '../../ui/banner.tsx'
import { FormFoot } from './form-foot.tsx'
import { loginFaultLabel } from './login-faults.ts'
import { PasswordField } from './password-field.tsx'
import style from './sign-in.module.css'
import { SignInPage } from './sign-in-page.tsx'
import { vanityOf } from './vanity.ts'

const reasons = { ended: 'login.ended', signedOut: 'login.signedOut', resetDone: 'login.resetDone' } as const

/** AUTH-01, AUTH-02: username, password, and the vanity value of the address. */
export function LoginForm() {
  const navigate = useNavigate()
  const state = useSession((store) => store.state)
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<ReturnType<typeof loginFaultLabel>>()
  const vanity = vanityOf(location)
  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsAsked(true)
    if (!login.trim() || !password || isBusy) {
      focusField(event.currentTarget, login.trim() ? 'password' : 'login')
      return
    }
    setIsBusy(true)
    setFault(undefined)
    try {
      const session = await signIn({ login: login.trim(), password, ...(vanity ? { vanity } : {}) })
      await navigate({ href: takePlace(session.user.uuid) ?? '/group/list', replace: true })
    } catch (failure) {
      setFault(loginFaultLabel(failure))
      setIsBusy(false)
    }
  }
  const reason = state.status === 'signedOut' ? state.reason : undefined
  return (
    <SignInPage title={t('login.title')}>
      {vanity && <p className={style.lead}>{t('login.organisation', { vanity })}</p>}
      <form className={style.form} onSubmit={(event) => void handleSubmit(event)} noValidate>
        {fault && <Banner tone="failed">{t(fault)}</Banner>}
        {!fault && reason && reason !== 'notEstablished' && (
          <Banner tone={reason === 'resetDone' ? 'completed' : 'neutral'}>{t(reasons[reason])}</Banner>
        )}
        <TextInput
          size="sm"
          name="login"
          label={t('login.username')}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
          error={isAsked && !login.trim() && t('login.usernameRequired')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <PasswordField
          name="password"
          label={t('login.password')}
          value={password}
          error={isAsked && !password && t('login.passwordRequired')}
          autoComplete="current-password"
          onChange={setPassword}
        />
        <FormFoot to="/forgot-password" otherWay={t('login.forgot')} submit={t('login.submit')} isBusy={isBusy} />
      </form>
    </SignInPage>
  )
}

/** Takes the person to what is missing. */
function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
