import { type WebhookDelivery, webhookTryAgain } from '@hilum/contract/calls/webhook'
import { useQuery } from '@tanstack/react-query'
import { formatStamp } from '../../../format/dates.ts'
import { t } from '../../../labels/label.ts'
import { deliveriesQuery, useTryAgain, type Webhook } from '../../../queries/webhooks.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { HeardOnly } from '../../../ui/heard-only.tsx'
import { IconRefresh } from '../../../ui/icons.ts'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import table from '../../../ui/row-table.module.css'
import { RowAct } from '../grid/row-act.tsx'
import style from '../routing/routing.module.css'
import { errorText, occasionText, undoneText } from './call-words.ts'

/** The latest calls of a webhook with all attempts, and Try again where one failed for good. */
export function WebhookCalls({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const mayEdit = useMayCall(webhookTryAgain)
  const { dateFormat, timeZone } = usePreferences()
  const { data, error, refetch } = useQuery(deliveriesQuery(webhook.uuid))
  const again = useTryAgain(webhook.uuid)
  const attemptText = ({ at, status, error: failure }: WebhookDelivery['attempts'][number]) =>
    t('webhooks.attempt', {
      when: formatStamp(at, dateFormat, timeZone),
      outcome: failure ? errorText(failure, status) : t('webhooks.answered', { status }),
    })
  const whenText = ({ created, attempts }: WebhookDelivery) =>
    formatStamp(attempts.at(-1)?.at ?? created, dateFormat, timeZone)
  return (
    <Dialog title={t('webhooks.callsTitle', { name: webhook.name })} closeLabel={t('button.close')} onClose={onClose}>
      {again.isError && <Banner tone="failed">{undoneText(again.error)}</Banner>}
      {error && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
          {t('webhooks.callsFailed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {data?.length === 0 && <p className={style.hint}>{t('webhooks.callsEmpty')}</p>}
      {data && data.length > 0 && (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('webhooks.call')}</th>
              <th scope="col">{t('webhooks.attempts')}</th>
              <th scope="col" data-acts>
                <HeardOnly>{t('users.acts')}</HeardOnly>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((delivery) => (
              <tr key={delivery.uuid}>
                <th scope="row">{occasionText(delivery)}</th>
                <td>
                  <ul className={style.lines}>
                    {delivery.attempts.map((one) => (
                      <li key={one.number}>{attemptText(one)}</li>
                    ))}
                    {delivery.state === 'waiting' && <li>{t('webhooks.waiting')}</li>}
                  </ul>
                </td>
                <td data-acts>
                  {mayEdit && delivery.state === 'failed' && (
                    <RowAct
                      label={t('webhooks.tryAgainOne', { call: occasionText(delivery), when: whenText(delivery) })}
                      icon={IconRefresh}
                      isBusy={again.isPending && again.variables === delivery.uuid}
                      onAct={() => again.mutate(delivery.uuid)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}
