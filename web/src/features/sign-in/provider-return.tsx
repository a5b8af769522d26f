import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { t } from '../../labels/label.ts'
import { type ReturnedQuery, returnFromProvider, type Waiting } from '../../session/sign-in.ts'
import { placeToBegin } from '../../session/place-to-begin.ts'
import { readSession, type Session } from '../../session/session-store.ts'
import { signInFaultLabel } from '../../session/sign-in-fault-label.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { LoginForm } from './login-form.tsx'
import { loginFaultLabel } from './login-faults.ts'
import { SecondStep } from './second-step.tsx'
import { SignInPage } from './sign-in-page.tsx'

type Outcome =
  | { kind: 'waiting'; waiting: Waiting }
  | { kind: 'refused'; fault: ReturnType<typeof loginFaultLabel> | undefined }
  | { kind: 'not connected'; fault: ReturnType<typeof signInFaultLabel> }

let finishing: { search: string; outcome: ReturnType<typeof returnFromProvider> } | undefined

/** Where a provider of identities sends the browser back: code and state go to the server, and out of the address. */
export function ProviderReturn() {
  const navigate = useNavigate()
  const [outcome, setOutcome] = useState<Outcome>()
  const goOn = (session: Session) => void navigate({ href: placeToBegin(session), replace: true })
  useEffect(() => {
    let isShown = true
    const wasIn = readSession().status === 'established'
    takeReturn()
      .then((reached) => {
        if (!isShown) return
        if (reached === 'done') void navigate({ to: '/account-settings/sign-in', replace: true })
        else if ('waitsFor' in reached) setOutcome({ kind: 'waiting', waiting: reached })
        else goOn(reached)
      })
      .catch((failure: unknown) => {
        if (!isShown) return
        const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
        if (wasIn) setOutcome({ kind: 'not connected', fault: signInFaultLabel(subtype) })
        else setOutcome({ kind: 'refused', fault: loginFaultLabel(failure) })
      })
    return () => {
      isShown = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the address is read once
  }, [])
  if (outcome?.kind === 'waiting')
    return (
      <SecondStep
        waiting={outcome.waiting}
        isByProvider
        onDone={goOn}
        onBack={(why) => setOutcome({ kind: 'refused', fault: why })}
      />
    )
  if (outcome?.kind === 'refused') return <LoginForm {...(outcome.fault ? { startFault: outcome.fault } : {})} />
  return (
    <SignInPage title={t(outcome ? 'ownIdentities.title' : 'login.title')}>
      {outcome ? (
        <>
          <Banner tone="failed">{t(outcome.fault)}</Banner>
          <p>
            <a href="/account-settings/sign-in">{t('ownIdentities.title')}</a>
          </p>
        </>
      ) : (
        <LoadingState label={t('login.returning')} />
      )}
    </SignInPage>
  )
}

/** Asked once, however often the page is drawn. */
function takeReturn(): ReturnType<typeof returnFromProvider> {
  const { search } = location
  if (search) {
    const query = new URLSearchParams(search)
    const sent: ReturnedQuery = { state: query.get('state') || '-' }
    for (const name of ['code', 'iss', 'error'] as const) {
      const value = query.get(name)
      if (value) sent[name] = value
    }
    finishing = { search, outcome: returnFromProvider(sent) }
    history.replaceState(history.state, '', location.pathname)
  }
  return finishing?.outcome ?? returnFromProvider({ state: '-' })
}
