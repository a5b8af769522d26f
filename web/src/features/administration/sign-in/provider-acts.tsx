import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { useDeleteProvider, useTestProvider } from '../../../queries/identity.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { signInFaultLabel } from '../../../session/sign-in-fault-label.ts'
import { useProof, wantsProof } from '../../../session/use-proof.tsx'
import { Banner } from '../../../ui/banner.tsx'
import style from './sign-in-provider.module.css'

/** Test what is saved, step by step; and take the provider off. */
export function ProviderActs() {
  const { account } = useEstablished()
  const test = useTestProvider(account.uuid)
  const remove = useDeleteProvider(account.uuid)
  const proof = useProof()
  const [isAsking, setIsAsking] = useState(false)
  const handleRemove = () => remove.mutate(undefined, { onError: (failure) => proof.ask(failure, handleRemove) })
  return (
    <div className={style.form}>
      {proof.dialog}
      <div className={style.row}>
        <Button variant="default" size="sm" loading={test.isPending} onClick={() => test.mutate()}>
          {t('provider.test')}
        </Button>
        <span className={style.hint}>{t('provider.testHint')}</span>
        {!isAsking && (
          <Button variant="default" color="red" size="sm" onClick={() => setIsAsking(true)}>
            {t('provider.delete')}
          </Button>
        )}
      </div>
      <div role="status" className={style.steps}>
        {test.data?.map(({ step, fault }) => (
          <Banner key={step} tone={fault ? 'failed' : 'completed'}>
            {fault
              ? t('provider.stepFault', { step: t(`provider.step.${step}`), fault: t(signInFaultLabel(fault)) })
              : t('provider.stepFine', { step: t(`provider.step.${step}`) })}
          </Banner>
        ))}
      </div>
      {test.isError && <Banner tone="failed">{t('provider.testFailed')}</Banner>}
      {isAsking && (
        <div role="group" aria-label={t('provider.delete')} className={style.row}>
          <span>{t('provider.deleteAsk')}</span>
          <Button color="red" size="sm" autoFocus loading={remove.isPending} onClick={handleRemove}>
            {t('provider.delete')}
          </Button>
          <Button variant="default" size="sm" onClick={() => setIsAsking(false)}>
            {t('button.cancel')}
          </Button>
        </div>
      )}
      {remove.isError && !wantsProof(remove.error) && <Banner tone="failed">{t('provider.saveFailed')}</Banner>}
    </div>
  )
}
