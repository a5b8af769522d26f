import '@mantine/core/styles/PasswordInput.layer.css'
import type { LinkAction, LinkState } from '@hilum/contract/calls/link'
import { Button, PasswordInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { linkStatusQuery, type OpenedSession, openLinkPage } from '../../queries/opened-link.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './link.module.css'
import { BirthDateField } from './birth-date-field.tsx'
import { closedStateOf, type ClosedState } from './link-states.ts'
import { PinField } from './pin-field.tsx'
import { SignInWay } from './sign-in-way.tsx'

interface LinkDoorProps {
  token: string
  onOpened: (opened: OpenedSession) => void
}

/** Entry page of a link: whether it still opens, the password or birth date, and the button. */
export function LinkDoor({ token, onOpened }: LinkDoorProps) {
  const { data, error, isFetching, refetch } = useQuery(linkStatusQuery(token))
  const [closed, setClosed] = useState<ClosedState>()
  const again = () => {
    setClosed(undefined)
    void refetch()
  }
  const failed = error ? closedStateOf(error) : undefined
  if (error && !data && !failed) {
    return (
      <div className={style.form}>
        <Banner tone="failed">{t(failureCode(error) === 'ERR_NETWORK' ? 'link.network' : 'link.failed')}</Banner>
        <div className={style.row}>
          <Button loading={isFetching} onClick={again}>
            {t('link.again')}
          </Button>
        </div>
      </div>
    )
  }
  const state = closed ?? failed ?? closedOf(data?.state)
  if (state) return <ClosedLink state={state} isAsking={isFetching} onAgain={again} />
  if (!data) return <LoadingState label={t('link.opening')} />
  const factor = data.password_is_dob ? 'birthDate' : data.has_password ? 'password' : 'none'
  return (
    <OpenForm
      token={token}
      action={data.action}
      factor={factor}
      asksPin={data.pin_auth === 1}
      onOpened={onOpened}
      onClosed={setClosed}
    />
  )
}

function closedOf(state: LinkState | undefined): ClosedState | undefined {
  return state === 'open' ? undefined : state
}

/** States in which asking again may help. */
const mayChange: ReadonlySet<ClosedState> = new Set<ClosedState>(['waiting', 'locked', 'tooMany'])

function ClosedLink({ state, isAsking, onAgain }: { state: ClosedState; isAsking: boolean; onAgain: () => void }) {
  return (
    <div className={style.form} role="status">
      <Banner tone={state === 'waiting' ? 'neutral' : 'priority'}>
        <b>{t(`link.state.${state}`)}</b>
        <span className={style.more}>{t(`link.state.${state}Text`)}</span>
      </Banner>
      {mayChange.has(state) ? (
        <div className={style.row}>
          <Button variant="default" loading={isAsking} onClick={onAgain}>
            {t('link.again')}
          </Button>
        </div>
      ) : (
        <SignInWay />
      )}
    </div>
  )
}

interface OpenFormProps extends LinkDoorProps {
  action: LinkAction
  factor: 'password' | 'birthDate' | 'none'
  /** A code is mailed to the addressee. */
  asksPin: boolean
  onClosed: (state: ClosedState) => void
}

const isPinFault = (code: string | undefined) => code === 'INVALID_PIN' || code === 'PIN_EXPIRED'

const leads = { none: 'link.lead', password: 'link.leadPassword', birthDate: 'link.leadBirthDate' } as const

function OpenForm({ token, action, factor, asksPin, onOpened, onClosed }: OpenFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const pinField = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [wrongTries, setWrongTries] = useState(0)
  const [pin, setPin] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const opening = useMutation({
    mutationFn: (given: { password: string; pin: string }) => openLinkPage(token, given),
    onSuccess: onOpened,
    onError: (failure) => {
      const state = closedStateOf(failure)
      if (state) return onClosed(state)
      if (failureCode(failure) === 'INVALID_CREDENTIALS') {
        setTyped('')
        setWrongTries((tries) => tries + 1)
      }
      if (!isPinFault(failureCode(failure))) return field.current?.focus()
      setPin('')
      pinField.current?.focus()
    },
  })
  const isMissing = factor !== 'none' && typed === ''
  const isPinMissing = asksPin && pin.trim() === ''
  const code = opening.isError ? failureCode(opening.error) : undefined
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsAsked(true)
    if (opening.isPending) return
    if (isMissing) return field.current?.focus()
    if (isPinMissing) return pinField.current?.focus()
    setIsAsked(false)
    opening.mutate({ password: typed, pin: pin.trim() })
  }
  const handleTyped = (text: string) => {
    setTyped(text)
    if (code === 'INVALID_CREDENTIALS') opening.reset()
  }
  const handlePin = (text: string) => {
    setPin(text)
    if (isPinFault(code)) opening.reset()
  }
  const pinFault = isPinFault(code)
    ? t(code === 'INVALID_PIN' ? 'link.pin.wrong' : 'link.pin.expired')
    : isAsked && isPinMissing && t('link.pin.missing')
  const wrong = factor === 'password' ? 'link.wrongPassword' : 'link.wrongBirthDate'
  const missing = factor === 'password' ? 'link.askPassword' : 'link.askBirthDate'
  const fault = code === 'INVALID_CREDENTIALS' ? t(wrong) : isAsked && isMissing && t(missing)
  return (
    <form className={style.form} noValidate onSubmit={handleSubmit}>
      <p className={style.lead}>{t(action === 'STUDY_UPLOAD' ? 'linkUpload.lead' : leads[factor])}</p>
      {code && code !== 'INVALID_CREDENTIALS' && !isPinFault(code) && (
        <Banner tone="failed">{t(code === 'ERR_NETWORK' ? 'link.network' : 'link.failed')}</Banner>
      )}
      {factor === 'password' && (
        <PasswordInput
          ref={field}
          autoFocus
          size="sm"
          label={t('link.password')}
          autoComplete="off"
          value={typed}
          error={fault}
          onChange={(event) => handleTyped(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
        />
      )}
      {factor === 'birthDate' && <BirthDateField key={wrongTries} field={field} error={fault} onChange={handleTyped} />}
      {asksPin && (
        <PinField
          token={token}
          field={pinField}
          value={pin}
          error={pinFault}
          onChange={handlePin}
          onClosed={onClosed}
        />
      )}
      <p className={style.note}>{t('link.counts')}</p>
      <div className={style.row}>
        <Button type="submit" loading={opening.isPending}>
          {t(action === 'STUDY_UPLOAD' ? 'linkUpload.open' : 'link.open')}
        </Button>
      </div>
    </form>
  )
}
