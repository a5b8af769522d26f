import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { useResetTwoFactor } from '../../../queries/two-factor.ts'
import { useProof, wantsProof } from '../../../session/use-proof.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { reasonText } from './user-acts.ts'
import style from './users.module.css'

interface ResetTwoFactorProps {
  userId: string
  name: string
  /** Told what was done, for a message. */
  onDone: (text: string) => void
}

/** Takes the second factor off somebody who has lost it; asks once more before. */
export function ResetTwoFactor({ userId, name, onDone }: ResetTwoFactorProps) {
  const [isAsking, setIsAsking] = useState(false)
  const reset = useResetTwoFactor()
  const proof = useProof()
  const handleReset = () =>
    reset.mutate(userId, {
      onSuccess: () => onDone(t('users.pinDone', { name })),
      onError: (failure) => proof.ask(failure, handleReset),
    })
  return (
    <div className={style.twoFactor} role="group" aria-label={t('pin.title')}>
      {proof.dialog}
      {reset.isError && !wantsProof(reset.error) && (
        <Banner tone="failed">{t('users.pinFailed', { reason: reasonText(reset.error) })}</Banner>
      )}
      <span>{t(isAsking ? 'users.pinAsk' : 'users.pinOn')}</span>
      {isAsking ? (
        <>
          <Button color="red" autoFocus loading={reset.isPending} onClick={handleReset}>
            {t('users.pinReset')}
          </Button>
          <Button variant="default" onClick={() => setIsAsking(false)}>
            {t('button.cancel')}
          </Button>
        </>
      ) : (
        <Button variant="default" onClick={() => setIsAsking(true)}>
          {t('users.pinReset')}
        </Button>
      )}
    </div>
  )
}
