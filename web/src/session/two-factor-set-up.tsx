import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Textarea, TextInput } from '../fields/text-input.tsx'
import { t } from '../labels/label.ts'
import { type BegunTwoFactor, sendTwoFactorCode } from '../queries/two-factor.ts'
import { Banner } from '../ui/banner.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { pinFaultLabel } from './pin-fault-label.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import style from './two-factor.module.css'

interface TwoFactorSetUpProps {
  begun: BegunTwoFactor
  /** Of the session that waits for the set-up; without one of the session in force. */
  sid?: string
  onDone: () => void
  onCancel: () => void
}

/** Brings a secret into an authenticator app, proves that by a code, and shows the recovery codes. */
export function TwoFactorSetUp({ begun, sid, onDone, onCancel }: TwoFactorSetUpProps) {
  const [pin, setPin] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const confirm = useMutation({
    mutationFn: (code: string) => sendTwoFactorCode(code, sid),
    onError: () => setPin(''),
    gcTime: 0,
  })
  if (confirm.data) return <RecoveryCodes codes={confirm.data} onStored={onDone} />
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsAsked(true)
    if (pin.trim() && !confirm.isPending) confirm.mutate(pin.trim())
  }
  return (
    <form className={style.setUp} aria-label={t('pin.setUpTitle')} onSubmit={handleSubmit} noValidate>
      {confirm.isError && !pin && <Banner tone="failed">{t(pinFaultLabel(confirm.error))}</Banner>}
      <p>{t('pin.scan')}</p>
      <QrCode text={begun.address} label={t('pin.picture')} />
      <Textarea
        className={style.secret}
        label={t('pin.secret')}
        rows={2}
        value={begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}
        readOnly
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <TextInput
        label={t('pin.code')}
        description={t('pin.enter')}
        value={pin}
        error={isAsked && !pin.trim() && !confirm.isError && t('pin.codeRequired')}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        autoFocus
        onChange={(event) => setPin(event.currentTarget.value)}
      />
      <div className={style.acts}>
        <Button variant="default" size="sm" disabled={confirm.isPending} onClick={onCancel}>
          {t('button.cancel')}
        </Button>
        <Button type="submit" size="sm" loading={confirm.isPending}>
          {t('pin.confirm')}
        </Button>
      </div>
    </form>
  )
}
