import { type WebhookDelivery, webhookTryAgain } from '@hilum/contract/calls/webhook'
import { useQuery } from '@tanstack/react-query'
import { formatStamp } from '../../../format/dates.ts'
import { t } from '../../../labels/label.ts'
import { deliveriesQuery, useTryAgain, type Webhook } from '../../../queries/webhooks.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconRefresh } from '../../../ui/icons.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { RowAct } from '../grid/row-act.tsx'
import { useGridView } from '../grid/use-stored-rows.ts'
import style from '../routing/routing.module.css'
import { errorText, occasionText, undoneText } from './call-words.ts'

/** The calls of a webhook with all attempts, the latest first, and Try again where one failed for good. */
export function WebhookCalls({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const mayEdit = useMayCall(webhookTryAgain)
  const { dateFormat, timeZone } = usePreferences()
  const [view, setView] = useGridView('webhook_calls', 'created', true)
  const answer = useQuery(deliveriesQuery(webhook.uuid, view))
  const again = useTryAgain(webhook.uuid)
  const stamp = (time: string) => formatStamp(time, dateFormat, timeZone)
  return (
    <Dialog title={t('webhooks.callsTitle', { name: webhook.name })} closeLabel={t('button.close')} onClose={onClose}>
      {again.isError && <Banner tone="failed">{undoneText(again.error)}</Banner>}
      <DataGrid
        texts={gridTexts(
          {
            label: t('webhooks.callsTitle', { name: webhook.name }),
            failed: t('webhooks.callsFailed'),
            empty: t('webhooks.callsEmpty'),
          },
          answer.data?.page.total,
        )}
        columns={callColumns(stamp)}
        rows={answer.data?.deliveries}
        keyOf={(delivery) => delivery.uuid}
        nameOf={occasionText}
        {...gridPaging(answer, view, setView)}
        acts={callActs(stamp, {
          mayEdit,
          busy: again.isPending ? again.variables : undefined,
          onAgain: (uuid) => again.mutate(uuid),
        })}
      />
    </Dialog>
  )
}

interface CallActs {
  mayEdit: boolean
  /** Uuid of the call that is made again. */
  busy: string | undefined
  onAgain: (uuid: string) => void
}

function callActs(stamp: (time: string) => string, { mayEdit, busy, onAgain }: CallActs) {
  return (delivery: WebhookDelivery, tabIndex: 0 | -1) =>
    mayEdit &&
    delivery.state === 'failed' && (
      <RowAct
        label={t('webhooks.tryAgainOne', {
          call: occasionText(delivery),
          when: stamp(delivery.attempts.at(-1)?.at ?? delivery.created),
        })}
        icon={IconRefresh}
        tabIndex={tabIndex}
        isBusy={busy === delivery.uuid}
        onAct={() => onAgain(delivery.uuid)}
      />
    )
}

function callColumns(stamp: (time: string) => string): GridColumn<WebhookDelivery>[] {
  const attemptText = ({ at, status, error: failure }: WebhookDelivery['attempts'][number]) =>
    t('webhooks.attempt', {
      when: stamp(at),
      outcome: failure ? errorText(failure, status) : t('webhooks.answered', { status }),
    })
  return [
    { key: 'call', title: t('webhooks.call'), isName: true, cell: occasionText },
    {
      key: 'attempts',
      title: t('webhooks.attempts'),
      cell: (delivery) => (
        <ul className={style.lines}>
          {delivery.attempts.map((one) => (
            <li key={one.number}>{attemptText(one)}</li>
          ))}
          {delivery.state === 'waiting' && <li>{t('webhooks.waiting')}</li>}
        </ul>
      ),
    },
    { key: 'when', title: t('webhooks.since'), sort: 'created', cell: (delivery) => stamp(delivery.created) },
  ]
}
