import { rememberedDays } from '@hilum/contract/calls/session-pin'
import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { askTwoFactor } from '../../queries/two-factor.ts'
import { completeSetUp, enterPin, type Waiting } from '../../session/sign-in.ts'
import { pinFaultLabel } from '../../session/pin-fault-label.ts'
import type { Session } from '../../session/session-store.ts'
import { TwoFactorSetUp } from '../../session/two-factor-set-up.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { loginFaultLabel } from './login-faults.ts'
import style from './sign-in.module.css'
import { SignInPage } from './sign-in-page.tsx'

interface SecondStepProps {
  waiting: Waiting
  /** Signed in by a provider, where each sign-in asks for a code. */
  isByProvider?: boolean
  onDone: (session: Session) => void
  /** Back to the password, with a reason where there is one. */
  onBack: (why: ReturnType<typeof loginFaultLabel> | undefined) => void
}

/** The second factor of a sign-in: a code, or setting one up where the organisation requires it. */
export function SecondStep(props: SecondStepProps) {
  return props.waiting.waitsFor === 'pin' ? <PinForm {...props} /> : <SetUp {...props} />
}

function PinForm({ waiting, isByProvider = false, onDone, onBack }: SecondStepProps) {
  const [pin, setPin] = useState('')
  const [isRemembered, setIsRemembered] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const enter = useMutation({
    mutationFn: (code: string) => enterPin(waiting, code, isRemembered),
    onSuccess: onDone,
    onError: (failure) => {
      setPin('')
      const code = failureCode(failure)
      if (code === 'INVALID_PIN' || code === 'LOCKOUT' || code === 'ERR_NETWORK') return
      onBack(loginFaultLabel(failure))
    },
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsAsked(true)
    if (pin.trim() && !enter.isPending) enter.mutate(pin.trim())
  }
  return (
    <SignInPage title={t('pin.title')}>
      <p className={style.lead}>{t('pin.lead')}</p>
      <form className={style.form} onSubmit={handleSubmit} noValidate>
        {enter.isError && !pin && <Banner tone="failed">{t(pinFaultLabel(enter.error))}</Banner>}
        <TextInput
          size="sm"
          name="pin"
          label={t('pin.code')}
          description={t('pin.codeHelp')}
          value={pin}
          error={isAsked && !pin.trim() && !enter.isError && t('pin.codeRequired')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          onChange={(event) => setPin(event.currentTarget.value)}
        />
        {!isByProvider && (
          <Checkbox
            size="xs"
            label={t('pin.remember', { days: rememberedDays })}
            description={t('pin.rememberHelp')}
            checked={isRemembered}
            onChange={(event) => setIsRemembered(event.currentTarget.checked)}
          />
        )}
        <div className={style.row}>
          <Button variant="default" size="sm" disabled={enter.isPending} onClick={() => onBack(undefined)}>
            {t('pin.back')}
          </Button>
          <Button type="submit" size="sm" loading={enter.isPending}>
            {t('pin.submit')}
          </Button>
        </div>
      </form>
    </SignInPage>
  )
}

function SetUp({ waiting, onDone, onBack }: SecondStepProps) {
  const begun = useQuery({
    queryKey: ['two-factor-begun', waiting.sessionId],
    queryFn: () => askTwoFactor(waiting.sid),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const finish = useMutation({
    mutationFn: () => completeSetUp(waiting),
    onSuccess: onDone,
    onError: (failure) => onBack(loginFaultLabel(failure)),
  })
  return (
    <SignInPage title={t('pin.setUpTitle')}>
      <p className={style.lead}>{t('pin.mustSetUp')}</p>
      {begun.isPending && <LoadingState label={t('loading')} />}
      {begun.isLoadingError && (
        <FailedBanner
          retry={t('button.retry')}
          isRetrying={begun.isFetching}
          onRetry={() => (failureCode(begun.error) === 'INVALID_SID' ? onBack('pin.expired') : void begun.refetch())}
        >
          {t('pin.beginFailed')}
        </FailedBanner>
      )}
      {begun.data && (
        <TwoFactorSetUp
          begun={begun.data}
          sid={waiting.sid}
          onDone={() => finish.mutate()}
          onCancel={() => onBack(undefined)}
        />
      )}
    </SignInPage>
  )
}
