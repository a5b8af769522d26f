import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { askToSignIn, type Waiting } from '../../session/sign-in.ts'
import { type Session, useSession } from '../../session/session-store.ts'
import { placeToBegin } from '../../session/place-to-begin.ts'
import { Banner } from '../../ui/banner.tsx'
import { FormFoot } from './form-foot.tsx'
import { loginFaultLabel } from './login-faults.ts'
import { findNewPasswordFaults, NewPasswordFields, noNewPassword } from '../../session/new-password-fields.tsx'
import { PasswordField } from '../../session/password-field.tsx'
import style from './sign-in.module.css'
import { ProviderButton } from './provider-button.tsx'
import { SecondStep } from './second-step.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { vanityOf } from '../../session/vanity.ts'

const reasons = { ended: 'login.ended', signedOut: 'login.signedOut', resetDone: 'login.resetDone' } as const

/**
 * AUTH-01, AUTH-02: username, password, and the vanity value of the address. An expired password is answered with the
 * fields of a new one (AUTH-11).
 */
export function LoginForm({ startFault }: { startFault?: ReturnType<typeof loginFaultLabel> }) {
  const navigate = useNavigate()
  const state = useSession((store) => store.state)
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [isExpired, setIsExpired] = useState(false)
  const [chosen, setChosen] = useState(noNewPassword)
  const [isAsked, setIsAsked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [waiting, setWaiting] = useState<Waiting>()
  const [fault, setFault] = useState<ReturnType<typeof loginFaultLabel> | undefined>(startFault)
  const vanity = vanityOf(location)
  const goOn = (session: Session) => navigate({ href: placeToBegin(session), replace: true })
  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsAsked(true)
    if (!login.trim() || !password || isBusy) {
      focusField(event.currentTarget, login.trim() ? 'password' : 'login')
      return
    }
    if (isExpired && findNewPasswordFaults(chosen)) {
      focusField(event.currentTarget, findNewPasswordFaults(chosen)?.password ? 'new-password' : 'confirm-password')
      return
    }
    setIsBusy(true)
    setFault(undefined)
    try {
      const reached = await askToSignIn({
        login: login.trim(),
        password,
        ...(vanity ? { vanity } : {}),
        ...(isExpired ? { new_password: chosen.password } : {}),
      })
      if ('waitsFor' in reached) {
        setWaiting(reached)
        setPassword('')
        setIsExpired(false)
        setIsAsked(false)
        setIsBusy(false)
      } else await goOn(reached)
    } catch (failure) {
      const isPromptDue = failureCode(failure) === 'PASSWORD_RESET'
      if (isPromptDue) setIsExpired(true)
      // the new fields are not faulty before anybody has typed in them
      setIsAsked(!isPromptDue)
      setFault(loginFaultLabel(failure))
      setIsBusy(false)
    }
  }
  if (waiting) {
    return (
      <SecondStep
        waiting={waiting}
        onDone={(session) => void goOn(session)}
        onBack={(why) => {
          setWaiting(undefined)
          setFault(why)
        }}
      />
    )
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
          onChange={(event) => {
            setLogin(event.currentTarget.value)
            setIsExpired(false)
          }}
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
        {isExpired && (
          <NewPasswordFields
            value={chosen}
            faults={isAsked ? findNewPasswordFaults(chosen) : undefined}
            autoFocus
            onChange={setChosen}
          />
        )}
        <FormFoot to="/forgot-password" otherWay={t('login.forgot')} submit={t('login.submit')} isBusy={isBusy} />
      </form>
      <ProviderButton vanity={vanity} onFault={setFault} />
    </SignInPage>
  )
}

/** Takes the person to what is missing. */
function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
