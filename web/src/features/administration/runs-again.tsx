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
  /** The last run that was looked at while others are left: those are next. */
  const [after, setAfter] = useState('')
  const again = useRunsAgain((outcome) => {
    if (outcome) setAfter(outcome.left > 0 ? outcome.last_run_id : '')
    onEnd(outcome)
  })
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
            <Button
              loading={again.isPending}
              data-autofocus
              onClick={() => again.mutate({ fact, after }, { onSettled: close })}
            >
              {t('stuck.runsAgainNow')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
