import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { type RunsAgainOutcome, type StuckFact, useRunsAgain } from '../../queries/what-is-stuck.ts'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import style from './account-work.module.css'

/** Run again for all exams on which a rule failed, which asks first: what the rule sends leaves the place. */
export function RunsAgain({
  fact,
  onEnd,
}: {
  fact: StuckFact
  onEnd: (outcome: RunsAgainOutcome | undefined) => void
}) {
  const again = useRunsAgain(onEnd)
  const [isAsking, setIsAsking] = useState(false)
  const { name, place_name: place, count } = fact
  const close = () => setIsAsking(false)
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('stuck.runsAgainOf', { name, place })}
        onClick={() => setIsAsking(true)}
      >
        {t('stuck.runsAgain')}
      </Button>
      {isAsking && (
        <Dialog title={t('stuck.runsAgainAsk', { name })} closeLabel={t('button.close')} onClose={close}>
          <p className={style.question}>{t('stuck.runsAgainText', { count })}</p>
          <div className={style.buttons}>
            <CancelButton onCancel={close}>{t('button.cancel')}</CancelButton>
            <Button loading={again.isPending} data-autofocus onClick={() => again.mutate(fact, { onSettled: close })}>
              {t('stuck.runsAgainNow')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
