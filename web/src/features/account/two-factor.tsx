import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { refetchProfile } from '../../queries/own-profile.ts'
import { askTwoFactor, twoFactorQuery, useRecoveryCodes, useRemoveTwoFactor } from '../../queries/two-factor.ts'
import { usePreferences } from '../../session/preferences.ts'
import { RecoveryCodes } from '../../session/recovery-codes.tsx'
import { TwoFactorSetUp } from '../../session/two-factor-set-up.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './account.module.css'
import { useProof, wantsProof } from '../../session/use-proof.tsx'

/** The second factor of the person's own sign-in: set up, with new recovery codes, switched off. */
export function TwoFactor() {
  const { dateFormat, timeZone } = usePreferences()
  const { data: state, error, refetch, isFetching } = useQuery(twoFactorQuery)
  const begin = useMutation({ mutationFn: () => askTwoFactor(), gcTime: 0 })
  const renew = useRecoveryCodes()
  const remove = useRemoveTwoFactor()
  const proof = useProof()
  const [isAsking, setIsAsking] = useState(false)
  const [done, setDone] = useState<'pin.on' | 'pin.removed'>()
  if (error && !state) {
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('pin.loadFailed')}
      </FailedBanner>
    )
  }
  if (!state) return <LoadingState label={t('loading')} />
  const settle = async (word?: typeof done) => {
    begin.reset()
    renew.reset()
    setIsAsking(false)
    setDone(word)
    await Promise.all([refetch(), refetchProfile()])
  }
  const handleBegin = () => {
    setDone(undefined)
    begin.mutate(undefined, { onError: (failure) => proof.ask(failure, handleBegin) })
  }
  const handleRenew = () => renew.mutate(undefined, { onError: (failure) => proof.ask(failure, handleRenew) })
  const handleRemove = () =>
    remove.mutate(undefined, {
      onSuccess: () => void settle('pin.removed'),
      onError: (failure) => proof.ask(failure, handleRemove),
    })
  if (begin.data) {
    return <TwoFactorSetUp begun={begin.data} onDone={() => void settle('pin.on')} onCancel={() => begin.reset()} />
  }
  if (renew.data) return <RecoveryCodes codes={renew.data} onStored={() => void settle()} />
  const failed = [begin.error, renew.error, remove.error].some((one) => one && !wantsProof(one))
  const isOn = state.is_on === 1
  return (
    <div className={style.page}>
      {proof.dialog}
      {failed && <Banner tone="failed">{t('pin.actFailed')}</Banner>}
      {done && <Banner tone="completed">{t(done)}</Banner>}
      <p className={style.use}>{t('pin.about')}</p>
      <p className={style.state}>
        {isOn ? t('pin.isOn', { since: formatStamp(state.since, dateFormat, timeZone) }) : t('pin.isOff')}{' '}
        {isOn && t('pin.left', { count: state.recovery_codes })}
      </p>
      {isOn && state.is_required === 1 && <p className={style.use}>{t('pin.required')}</p>}
      {isAsking ? (
        <div className={style.question} role="group" aria-label={t('pin.remove')}>
          <span>{t('pin.removeAsk')}</span>
          <Button color="red" size="sm" autoFocus loading={remove.isPending} onClick={handleRemove}>
            {t('pin.remove')}
          </Button>
          <Button variant="default" size="sm" onClick={() => setIsAsking(false)}>
            {t('button.cancel')}
          </Button>
        </div>
      ) : (
        <div className={style.question}>
          <Button size="sm" variant={isOn ? 'default' : 'filled'} loading={begin.isPending} onClick={handleBegin}>
            {t(isOn ? 'pin.setUpAnew' : 'pin.setUp')}
          </Button>
          {isOn && (
            <Button
              size="sm"
              variant="default"
              title={t('pin.newCodesText')}
              loading={renew.isPending}
              onClick={handleRenew}
            >
              {t('pin.newCodes')}
            </Button>
          )}
          {isOn && state.is_required === 0 && (
            <Button size="sm" variant="default" onClick={() => setIsAsking(true)}>
              {t('pin.remove')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
