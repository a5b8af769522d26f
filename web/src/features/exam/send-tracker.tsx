import type { TrackedSend } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { trackedQuery, useStopSend } from '../../queries/sending.ts'
import { usePreferences } from '../../session/preferences.ts'
import { may } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import table from '../../ui/row-table.module.css'
import style from './share.module.css'

const acts = {
  user: 'shareWithUser',
  group: 'shareWithGroup',
  location: 'shareWithLocation',
  account: 'sendToConnection',
  email: 'sendByEmail',
} as const

/** The progress of every sending of an exam: delivered, opened, downloaded, by whom and when. */
export function SendTracker({ study }: { study: Study }) {
  const { data, isError, isFetching, refetch } = useQuery(trackedQuery(study.uuid))
  const stop = useStopSend(study.uuid)
  return (
    <section className={style.side} aria-labelledby="send-tracker">
      <h4 id="send-tracker" className={style.heading}>
        {t('send.tracked')}
      </h4>
      {stop.isError && <Banner tone="failed">{t('send.stopFailed')}</Banner>}
      {isError && !data && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('send.trackedFailed')}
        </FailedBanner>
      )}
      {!data && !isError && <LoadingState label={t('loading')} />}
      {data?.length === 0 && <p className={style.note}>{t('send.trackedNone')}</p>}
      {data && data.length > 0 && (
        <table className={table.table} aria-labelledby="send-tracker">
          <thead>
            <tr>
              <th scope="col">{t('send.to')}</th>
              <th scope="col">{t('send.sentAt')}</th>
              <th scope="col">{t('send.delivered')}</th>
              <th scope="col">{t('send.opened')}</th>
              <th scope="col">{t('send.downloaded')}</th>
              <th scope="col">
                <HeardOnly>{t('send.acts')}</HeardOnly>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((one) => (
              <TrackedRow
                key={`${one.kind} ${one.uuid} ${one.created}`}
                send={one}
                isBusy={stop.isPending && stop.variables.created === one.created}
                mayStop={may(one.by_code === 1 ? 'sendByShareCode' : acts[one.kind], study.permissions)}
                onStop={() => stop.mutate(one)}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

interface TrackedRowProps {
  send: TrackedSend
  isBusy: boolean
  mayStop: boolean
  onStop: () => void
}

function TrackedRow({ send, isBusy, mayStop, onStop }: TrackedRowProps) {
  const { dateFormat, timeZone } = usePreferences()
  const stamp = (moment: string | null) => formatStamp(moment, dateFormat, timeZone)
  const { name, state, opens, by_name: who } = send
  const by = (person: string) => person && <span className={table.aside}>{t('send.byName', { who: person })}</span>
  return (
    <tr>
      <th scope="row">
        {name}
        {send.by_code === 1 && <span className={table.aside}>{t('send.byCode')}</span>}
      </th>
      <td>
        {stamp(send.created)}
        {by(who)}
      </td>
      <td>{state === 'delivered' ? stamp(send.delivered_at ?? send.created) : stateText(send, stamp(send.due_at))}</td>
      <td>
        {send.opened_at
          ? opens > 1
            ? t('send.opens', { count: opens, when: stamp(send.opened_at) })
            : stamp(send.opened_at)
          : t('send.notYet')}
        {by(send.opened_by)}
      </td>
      <td>
        {send.downloaded_at ? stamp(send.downloaded_at) : t('send.notYet')}
        {by(send.downloaded_by)}
      </td>
      <td>
        {mayStop && state !== 'ended' && state !== 'failed' && (
          <Button
            variant="default"
            size="compact-xs"
            loading={isBusy}
            aria-label={t('send.stopName', { name })}
            onClick={onStop}
          >
            {t('send.stop')}
          </Button>
        )}
      </td>
    </tr>
  )
}

function stateText({ state, delivered_at: deliveredAt }: TrackedSend, when: string): string {
  if (state === 'delivered') return when
  if (state === 'ended' && !deliveredAt) return t('send.state.takenBack')
  return state === 'scheduled' ? t('send.state.scheduled', { when }) : t(`send.state.${state}`)
}
