import { linkMail } from '@hilum/contract/calls/link'
import { readMailable } from '@hilum/contract/mail-address'
import { studyShareStop, type TrackedSend } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { mailAgainFault, mailAgainTexts } from '../../labels/mail-again-texts.ts'
import { useLinks } from '../../queries/links.ts'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import { trackedQuery, useStopSend } from '../../queries/sending.ts'
import { usePreferences } from '../../session/preferences.ts'
import { mayCall, partOf } from '../../session/use-may.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { UndoBanner } from '../../ui/undo-banner.tsx'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { MailAgain } from '../../ui/mail-again.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import table from '../../ui/row-table.module.css'
import { mailFault } from './link-words.ts'
import { undoReason } from './share-words.ts'
import style from './share.module.css'

/** The progress of every sending of an exam: delivered, opened, downloaded, by whom and when. */
export function SendTracker({ study }: { study: Study }) {
  const { data, isError, isFetching, refetch } = useQuery(trackedQuery(study.uuid))
  const { stop, again } = useStopSend(study.uuid)
  const [stopped, setStopped] = useState<TrackedSend>()
  const whole = useRef<HTMLElement>(null)
  const { mail } = useLinks(study.uuid)
  const placeFlags = usePlaceFlags()
  const mayMail = mayCall(linkMail, placeFlags(study))
  const handleStop = (send: TrackedSend) => {
    again.reset()
    setStopped(undefined)
    stop.mutate(send, { onSuccess: () => setStopped(send) })
  }
  const handleAgain = (send: TrackedSend) => {
    again.mutate(send, {
      onSuccess: () => {
        setStopped(undefined)
        whole.current?.focus() // the button that had it is gone
      },
    })
  }
  return (
    <section ref={whole} tabIndex={-1} className={style.side} aria-labelledby="send-tracker">
      <h4 id="send-tracker" className={style.heading}>
        {t('send.tracked')}
      </h4>
      {stop.isError && <Banner tone="failed">{t('send.stopFailed')}</Banner>}
      {stopped && (
        <UndoBanner autoFocus label={t('share.undo')} isBusy={again.isPending} onUndo={() => handleAgain(stopped)}>
          {t(stopped.kind === 'email' ? 'send.stoppedLink' : 'send.stopped', { name: stopped.name })}
        </UndoBanner>
      )}
      {again.isError && (
        <Banner tone="failed">
          {t('share.undoFailed', { name: again.variables.name })}
          <span className={style.reason}>{undoReason(again.error)}</span>
        </Banner>
      )}
      {isError && !data && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('send.trackedFailed')}
        </FailedBanner>
      )}
      {!data && !isError && <LoadingState label={t('loading')} />}
      {data?.sends.length === 0 && <p className={style.note}>{t('send.trackedNone')}</p>}
      {data && data.sends.length > 0 && (
        <table className={`${table.table} ${style.tracked}`} aria-labelledby="send-tracker">
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
            {data.sends.map((one) => (
              <TrackedRow
                key={`${one.kind} ${one.uuid} ${one.created}`}
                send={one}
                isBusy={stop.isPending && stop.variables.created === one.created}
                mayStop={mayCall(partOf(studyShareStop, one.by_code === 1 ? 'code' : one.kind), study.permissions)}
                onStop={() => handleStop(one)}
                hasSmtp={data.has_smtp === 1}
                mail={mayMail && one.kind === 'email' ? mail : undefined}
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
  /** Mails leave from here. */
  hasSmtp: boolean
  /** Undefined where no link was mailed, or who looks may not give it again. */
  mail: ReturnType<typeof useLinks>['mail'] | undefined
}

function TrackedRow({ send, isBusy, mayStop, onStop, hasSmtp, mail }: TrackedRowProps) {
  const [isMailing, setIsMailing] = useState(false)
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
        <DatedText>{stamp(send.created)}</DatedText>
        {by(who)}
      </td>
      <td>
        <DatedText>
          {state === 'delivered'
            ? stamp(send.delivered_at ?? send.created)
            : stateText(send, stamp(send.due_at), hasSmtp)}
        </DatedText>
        {state === 'failed' && send.failure && (
          <span className={table.aside}>{t(`share.failure.${send.failure}`)}</span>
        )}
        {send.error && state !== 'ended' && state !== 'held' && <span className={table.aside}>{send.error}</span>}
        {mail && !send.failure && mayMailAgain.has(state) && !isMailing && (
          <Button
            className={style.correct}
            variant="default"
            size="compact-xs"
            aria-label={t(state === 'held' ? 'send.againName' : 'send.correctName', { name })}
            onClick={() => setIsMailing(true)}
          >
            {t(state === 'held' ? 'links.mailAgain' : 'links.mailCorrect')}
          </Button>
        )}
        {mail && isMailing && (
          <MailAgain
            texts={mailAgainTexts()}
            read={readMailable}
            email={name}
            isBusy={mail.isPending}
            fault={
              mail.isError && mail.variables.uuid === send.uuid ? mailAgainFault(mailFault(mail.error)) : undefined
            }
            onSend={(email) => mail.mutate({ uuid: send.uuid, email }, { onSuccess: () => setIsMailing(false) })}
            onCancel={() => setIsMailing(false)}
          />
        )}
      </td>
      <td>
        <DatedText>
          {send.opened_at
            ? opens > 1
              ? t('send.opens', { count: opens, when: stamp(send.opened_at) })
              : stamp(send.opened_at)
            : t('send.notYet')}
        </DatedText>
        {by(send.opened_by)}
      </td>
      <td>
        <DatedText>{send.downloaded_at ? stamp(send.downloaded_at) : t('send.notYet')}</DatedText>
        {by(send.downloaded_by)}
      </td>
      <td>
        {mayStop && state !== 'ended' && (state !== 'failed' || (send.kind === 'email' && !send.failure)) && (
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

/** States of a mail in which another one may be sent in its place. */
const mayMailAgain: ReadonlySet<TrackedSend['state']> = new Set(['returned', 'failed', 'retried', 'cancelled', 'held'])

function stateText(
  { kind, state, failure, delivered_at: deliveredAt }: TrackedSend,
  when: string,
  hasSmtp: boolean,
): string {
  if ((state === 'queued' || state === 'retried') && !hasSmtp) return t('send.state.noMailServer')
  if (state === 'delivered') return when
  if (state === 'failed' && kind === 'email' && !failure) return t('send.state.givenUp')
  if (state === 'ended' && !deliveredAt) return t('send.state.takenBack')
  return state === 'scheduled' ? t('send.state.scheduled', { when }) : t(`send.state.${state}`)
}
