import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiFailure } from '../../api/api-failure.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import {
  recipientKey,
  type SendRecipient,
  type SendResult,
  trackedQuery,
  type useSendStudies,
} from '../../queries/sending.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { AgainBanner, splitAgain } from './share-again.tsx'
import { patientsOf } from './send-options.ts'
import { failedLines, shareReason } from './share-words.ts'
import style from './share.module.css'

interface SendOutcomeProps extends ReturnType<typeof useSendStudies> {
  patients: number
  /** Sendings of this form that went, with those of earlier presses. */
  sent: readonly SendResult[]
  /** Recipients who lack an exam still, by `recipientKey`. */
  lacking: ReadonlyMap<string, SendRecipient>
  onMore: () => void
  onRetry: () => void
}

/** SEND-03, SEND-06, ERROR-21: sent is sent everywhere; each study that failed has its reason. */
export function SendOutcomeList({ send, undo, patients, sent, lacking, onMore, onRetry }: SendOutcomeProps) {
  const { dateFormat } = usePreferences()
  const { data: results } = send
  const mailed = results?.find(({ recipient }) => recipient.kind === 'email')
  const { data: track, isPending: isLooking } = useQuery({
    ...trackedQuery(mailed?.study.uuid ?? ''),
    enabled: mailed !== undefined,
  })
  if (!results || send.isError) {
    return (
      <FailedBanner retry={t('button.retry')} onRetry={onRetry}>
        {t('send.failed')}
        <span className={style.reason}>{t('send.failedSub')}</span>
        <span className={style.reason}>{sendReason(send.error)}</span>
      </FailedBanner>
    )
  }
  const failed = results.filter(({ failure }) => failure)
  const { made, again } = splitAgain(results)
  const againBanner = <AgainBanner again={again.map((one) => ({ ...one, name: nameOf(one.recipient) }))} />
  const pressed = new Set(results.map(({ recipient }) => recipientKey(recipient)))
  const others = [...lacking].filter(([key]) => !pressed.has(key)).map(([, recipient]) => nameOf(recipient))
  const stillLacking = others.length > 0 && (
    <Banner tone="priority">{t('send.lacking', { who: others.join(', ') })}</Banner>
  )
  if (failed.length > 0 && !undo.isSuccess) {
    const lines = failedLines(results.map(named), dateFormat, sendReason)
    const count = made.length
    return (
      <>
        <Banner tone="failed" action={sent.length > 0 && <Undo {...{ undo, sent }} />}>
          {t('send.failed')}
          <span className={style.reason}>{t('send.failedSub')}</span>
          <ul className={style.lines}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {count > 0 && <span className={style.reason}>{t('send.someDone', { count })}</span>}
        </Banner>
        {againBanner}
        {stillLacking}
        {undo.isError && <Banner tone="failed">{t('send.undoFailed')}</Banner>}
      </>
    )
  }
  const isUndone = undo.data === 0
  const isUnsent = mailed !== undefined && track?.has_smtp === 0
  const isAllUndone = undo.variables?.length === sent.length
  return (
    <div className={style.form}>
      {isUndone && <Banner tone="neutral">{t(isAllUndone ? 'send.undone' : 'send.undoneRest')}</Banner>}
      {!isUndone && failed.length === 0 && made.length > 0 && !(mailed && isLooking) && (
        <Banner tone={isUnsent ? 'priority' : 'completed'} action={<Undo {...{ undo, sent }} />}>
          {sentText(made, again.length > 0 ? patientsOf(made) : patients, send.variables.delaySeconds > 0, isUnsent)}
        </Banner>
      )}
      {!undo.isSuccess && againBanner}
      {!undo.isSuccess && stillLacking}
      {(undo.isError || (undo.data ?? 0) > 0) && <Banner tone="failed">{t('send.undoFailed')}</Banner>}
      <div className={style.actions}>
        <Button autoFocus variant="default" onClick={onMore}>
          {t('send.more')}
        </Button>
      </div>
    </div>
  )
}

/** A browser's timer that is longer runs at once. */
const longestTimerMs = 2 ** 31 - 1

/** Takes back what has not left yet, of all presses; what left stays sent. */
function Undo({ undo, sent }: Pick<SendOutcomeProps, 'undo' | 'sent'>) {
  // what another sending arranged is not undone by this one
  const { made } = splitAgain(sent)
  const lastDueAt = Math.max(0, ...made.map(({ dueAt }) => dueAt))
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const wait = Math.min(Math.max(0, lastDueAt - Date.now()), longestTimerMs)
    const timer = setTimeout(() => setNow(lastDueAt), wait)
    return () => clearTimeout(timer)
  }, [lastDueAt])
  if (lastDueAt <= now || undo.isSuccess) return null
  const handleUndo = () => {
    const ahead = made.filter(({ dueAt }) => dueAt > Date.now())
    if (ahead.length > 0) undo.mutate(ahead)
    // a timer stands still while the machine sleeps
    else setNow(Date.now())
  }
  return (
    <Button variant="default" size="compact-xs" loading={undo.isPending} onClick={handleUndo}>
      {t('send.undo')}
    </Button>
  )
}

/** SEND-06: a message for a single patient or for several. */
function sentText(results: readonly SendResult[], patients: number, isLater: boolean, isUnsent: boolean): string {
  const [first] = results
  const names = new Set(results.map(({ recipient }) => recipient.name))
  const only = names.size === 1 ? first?.recipient : undefined
  const to = only ? nameOf(only) : t('send.toMany', { count: names.size })
  const isMailed = results.some(({ recipient }) => recipient.kind === 'email')
  const stem = isUnsent ? 'send.unsent' : isLater ? 'send.later' : isMailed ? 'send.mailed' : 'send.done'
  if (patients > 1) return t(`${stem}.several`, { patients, to })
  const patient = nameText(first?.study.patient_name ?? '') || t('card.noName')
  const isOne = new Set(results.map(({ study }) => study.uuid)).size === 1
  return t(isOne ? `${stem}.oneExam` : `${stem}.one`, { patient, to })
}

function named({ study, recipient, failure }: SendResult) {
  return { study, recipient: { name: nameOf(recipient) }, failure }
}

/** A share code is no name. */
function nameOf({ kind, name }: SendRecipient): string {
  return kind === 'code' ? t('send.toCode') : name
}

/** Why a study was not sent, in words a person can use. */
function sendReason(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return shareReason(failure)
  const { code, subtype } = failure
  if (code === 'LOCKOUT') return t('send.reason.LOCKOUT')
  if (code === 'ANSWERED_BEFORE' && subtype === 'other_values') return t('send.reason.other_values')
  if (code === 'INVALID_EMAIL') return t('send.reason.INVALID_EMAIL')
  const isKnown = subtype === 'share_code' || subtype === 'account_id'
  if (code === 'NOT_FOUND' && isKnown) return t(`send.reason.${subtype}`)
  if (code === 'INVALID_FIELD' && subtype === 'password_is_dob') return t('send.reason.password_is_dob')
  return shareReason(failure)
}
