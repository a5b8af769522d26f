import type { OpenSession } from '@hilum/contract/calls/session'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { formatStamp } from '../../format/dates.ts'
import { useAgo } from '../../format/use-ago.ts'
import { t } from '../../labels/label.ts'
import { ownSessionsQuery, useEndSessions } from '../../queries/own-sessions.ts'
import { usePreferences } from '../../session/preferences.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import table from '../../ui/row-table.module.css'
import style from './account.module.css'
import { clientText } from './describe-client.ts'
import { OwnDevices } from './own-devices.tsx'

/** Where the person is signed in, and the way to end it. */
export function OwnSessions() {
  const { data: sessions, error, refetch, isFetching } = useQuery(ownSessionsQuery)
  const { mutate: end, data: done, error: fault, variables, isPending } = useEndSessions()
  if (error && !sessions) {
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('sessions.failed')}
      </FailedBanner>
    )
  }
  if (!sessions) return <LoadingState label={t('loading')} />
  const others = sessions.filter((one) => one.is_current !== 1)
  const ending = isPending && variables && 'session_id' in variables ? variables.session_id : undefined
  return (
    <>
      <p>{t('sessions.lead')}</p>
      {fault && !isPending && (
        <Banner tone={failureCode(fault) === 'NOT_FOUND' ? 'neutral' : 'failed'}>
          {t(failureCode(fault) === 'NOT_FOUND' ? 'sessions.gone' : 'sessions.endFailed')}
        </Banner>
      )}
      {done && !isPending && (
        <Banner tone="completed">
          {done.ended === 1 ? t('sessions.ended') : t('sessions.endedMany', { count: done.ended })}
        </Banner>
      )}
      <table className={table.table} aria-label={t('sessions.title')}>
        <thead>
          <tr>
            <th scope="col">{t('sessions.where')}</th>
            <th scope="col">{t('sessions.address')}</th>
            <th scope="col">{t('sessions.opened')}</th>
            <th scope="col">{t('sessions.used')}</th>
            <th scope="col" data-acts>
              {others.length > 0 && t('sessions.act')}
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow
              key={session.session_id}
              session={session}
              isEnding={ending === session.session_id}
              onEnd={() => end({ session_id: session.session_id })}
            />
          ))}
        </tbody>
      </table>
      {others.length === 0 ? (
        <div className={style.asked}>{t('sessions.onlyThis')}</div>
      ) : (
        <EndOthers count={others.length} isBusy={isPending} onEnd={() => end({ others: 1 })} />
      )}
      <OwnDevices />
    </>
  )
}

interface SessionRowProps {
  session: OpenSession
  isEnding: boolean
  onEnd: () => void
}

function wayOf(method: string) {
  if (method === 'password') return 'sessions.byPassword' as const
  if (method === 'proxy') return 'sessions.bySupport' as const
  return method === 'sso' ? ('sessions.byProvider' as const) : ('sessions.byProgram' as const)
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const agoOf = useAgo()
  const { dateFormat, timeZone } = usePreferences()
  const isCurrent = session.is_current === 1
  const client = clientText(session.user_agent)
  const used = isCurrent ? t('sessions.now') : agoOf(session.last_used)
  return (
    <tr>
      <th scope="row" title={session.user_agent}>
        {client}
        {isCurrent && <span className={table.aside}>{t('sessions.current')}</span>}
      </th>
      <td>{session.client_address || t('sessions.noAddress')}</td>
      <td>
        <DatedText>{formatStamp(session.created, dateFormat, timeZone)}</DatedText>
        <span className={table.aside}>{t(wayOf(session.method))}</span>
      </td>
      <td title={formatStamp(session.last_used, dateFormat, timeZone)}>{used}</td>
      <td data-acts>
        {!isCurrent && (
          <Button
            variant="default"
            size="compact-sm"
            loading={isEnding}
            aria-label={t('sessions.endOne', { client, when: used })}
            onClick={onEnd}
          >
            {t('sessions.end')}
          </Button>
        )}
      </td>
    </tr>
  )
}

/** Asks once more: what others of the person's windows hold unsaved is lost. */
function EndOthers({ count, isBusy, onEnd }: { count: number; isBusy: boolean; onEnd: () => void }) {
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking) {
    return (
      <div className={style.asked}>
        <Button variant="default" size="sm" disabled={isBusy} onClick={() => setIsAsking(true)}>
          {t('sessions.endOthers')}
        </Button>
      </div>
    )
  }
  const handleEnd = () => {
    setIsAsking(false)
    onEnd()
  }
  return (
    <div className={style.asked} role="group" aria-label={t('sessions.endOthers')}>
      <span>{count === 1 ? t('sessions.askOther') : t('sessions.askOthers', { count })}</span>
      <Button color="red" size="sm" autoFocus onClick={handleEnd}>
        {t('sessions.endOthers')}
      </Button>
      <Button variant="default" size="sm" onClick={() => setIsAsking(false)}>
        {t('button.cancel')}
      </Button>
    </div>
  )
}
