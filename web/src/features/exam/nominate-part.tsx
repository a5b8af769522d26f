import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { useAgo } from '../../format/use-ago.ts'
import { t } from '../../labels/label.ts'
import { nominateFormQuery, nominationState, useNominations } from '../../queries/nominations.ts'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './acts.module.css'
import panel from './exam-panel.module.css'
import { NominateForm, nominateFailure } from './nominate-form.tsx'
import part from './nominate.module.css'
import { NominationDetails } from './nomination-details.tsx'
import { NominationStatus } from './nomination-status.tsx'

/** NOMINATE-01: nominates an exam of a cloud group to a gatekeeper group, and tells what became of it. */
export function NominatePart({ study, isAlone }: { study: Study; isAlone: boolean }) {
  const { data: gatekeepers, error, refetch, isFetching } = useQuery(nominateFormQuery(study.uuid))
  const { nominate, cancel } = useNominations(study)
  const agoOf = useAgo()
  const [asked, setAsked] = useState<'details' | 'cancel'>()
  const { nomination } = study
  const state = nominationState(gatekeepers ? study : undefined)
  if (gatekeepers?.length === 0 && !nomination) {
    return isAlone ? <Banner tone="neutral">{t('nominate.notConfigured')}</Banner> : null
  }
  const mayCancel = nomination && ['nominated', 'rejected'].includes(nomination.state)
  const takesForm = state === 'NOT_NOMINATED' || state === 'REJECTED' || nomination?.state === 'failed'
  const forms = takesForm ? (gatekeepers ?? []) : []
  return (
    <section aria-label={t('nominate.title')} className={part.part}>
      <h3 className={panel.heading}>{t('nominate.title')}</h3>
      {error && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('nominate.loadFailed')}
        </FailedBanner>
      )}
      {state === 'EVALUATING' && !gatekeepers && !error && <LoadingState label={t('loading')} />}
      {nomination?.state === 'nominated' && (
        <Banner tone="info">
          {t('nomination.ago', {
            text: t('nominate.waiting', { group: nomination.group_name }),
            ago: agoOf(nomination.updated),
          })}
          <span className={style.reason}>{t('nominate.waitingText')}</span>
        </Banner>
      )}
      {nomination?.is_corrected === 1 && (
        <Banner
          tone="priority"
          action={
            <Button
              variant="default"
              size="compact-xs"
              loading={nominate.isPending}
              onClick={() => nominate.mutate({ groupId: nomination.group_uuid, answers: nomination.answers })}
            >
              {t('nominate.again')}
            </Button>
          }
        >
          {t('nominate.corrected', { group: nomination.group_name })}
        </Banner>
      )}
      {nomination && (
        <>
          <NominationStatus
            nomination={nomination}
            isRetrying={nominate.isPending}
            onRetry={() => nominate.mutate({ groupId: nomination.group_uuid, answers: nomination.answers })}
          />
          {nominate.isError && forms.length === 0 && <Banner tone="failed">{nominateFailure(nominate.error)}</Banner>}
          {cancel.isError && <Banner tone="failed">{cancelFailure(cancel.error)}</Banner>}
          <div className={panel.actions}>
            <Button variant="default" onClick={() => setAsked('details')}>
              {t('nominate.details')}
            </Button>
            {mayCancel && (
              <Button variant="default" disabled={nominate.isPending} onClick={() => setAsked('cancel')}>
                {t('nominate.cancel')}
              </Button>
            )}
          </div>
        </>
      )}
      {forms.length > 0 && (
        <>
          {!nomination && <p className={panel.note}>{t('nominate.lead')}</p>}
          <NominateForm study={study} gatekeepers={forms} nominate={nominate} />
        </>
      )}
      {nomination && asked === 'details' && (
        <NominationDetails
          nomination={nomination}
          fields={[...study.customfields, ...(gatekeepers ?? []).flatMap((one) => one.customfields)]}
          onClose={() => setAsked(undefined)}
        />
      )}
      {nomination && asked === 'cancel' && (
        <Dialog title={t('nominate.cancelTitle')} closeLabel={t('button.close')} onClose={() => setAsked(undefined)}>
          <div className={style.confirm}>
            <p>{t('nominate.cancelText', { group: nomination.group_name })}</p>
            <div className={style.choices}>
              <Button variant="default" data-autofocus disabled={cancel.isPending} onClick={() => setAsked(undefined)}>
                {t('nominate.keep')}
              </Button>
              <Button
                color="red"
                loading={cancel.isPending}
                onClick={() => cancel.mutate(nomination, { onSettled: () => setAsked(undefined) })}
              >
                {t('nominate.cancel')}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </section>
  )
}

/** ERROR-23 */
function cancelFailure(failure: unknown): string {
  const isDecided = ['PENDING', 'NOT_PERMITTED', 'NOT_FOUND'].includes(failureCode(failure))
  return isDecided ? `${t('nominate.cancelFailed')} ${t('nominate.cancelDecided')}` : t('nominate.cancelFailed')
}
