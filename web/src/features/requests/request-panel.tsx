import type { Link, LinkArrival } from '@hilum/contract/calls/link'
import { readMailable } from '@hilum/contract/mail-address'
import type { IdentityReason } from '@hilum/dicom/identity'
import { megabyte } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { formatDate } from '../../format/dates.ts'
import { formatSize } from '../../format/file-size.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { mailAgainFault, mailAgainTexts } from '../../labels/mail-again-texts.ts'
import { type RequestAct, requestQuery, useRequestAct } from '../../queries/requests.ts'
import { usePreferences } from '../../session/preferences.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { MailAgain } from '../../ui/mail-again.tsx'
import { MarkedList } from '../../ui/marked-list.tsx'
import { LoadingState, QuietState } from '../../ui/quiet-state.tsx'
import { CopyRequest } from './copy-request.tsx'
import {
  arrivedExamText,
  examDifferenceTexts,
  expectedExamText,
  extendedMinutes,
  incompleteText,
  largerMegabytes,
  mayRestore,
  requestedText,
  requestStateText,
  requestTitle,
  useStamp,
} from '../../queries/request-words.ts'
import style from './requests.module.css'

interface RequestPanelProps {
  uuid: string
  onClose: () => void
  onOpenExam: (studyUuid: string) => void
}

/** PANEL-01: one request, what came by it, and what can be done about it. */
export function RequestPanel({ uuid, onClose, onOpenExam }: RequestPanelProps) {
  const { data, error, isFetching, refetch } = useQuery(requestQuery(uuid))
  const isGone = error && ['NOT_FOUND', 'NOT_PERMITTED'].includes(failureCode(error))
  return (
    <section className={style.panel} aria-label={t('requests.title')}>
      {error && !isGone && !data && (
        <FailedBanner retry={t('requests.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('requests.failed')}
        </FailedBanner>
      )}
      {isGone && (
        <QuietState title={t('requests.gone')}>
          <Button variant="default" onClick={onClose}>
            {t('requests.close')}
          </Button>
        </QuietState>
      )}
      {!data && !error && <LoadingState label={t('requests.loading')} />}
      {data && !isGone && <RequestOf link={data} onClose={onClose} onOpenExam={onOpenExam} />}
    </section>
  )
}

function RequestOf({ link, onClose, onOpenExam }: Omit<RequestPanelProps, 'uuid'> & { link: Link }) {
  const stamp = useStamp()
  const act = useRequestAct()
  return (
    <>
      <h2>
        <bdi>{requestTitle(link)}</bdi>
      </h2>
      <p className={style.line}>
        <DatedText>{requestedText(link, stamp)}</DatedText>
      </p>
      <ActNote link={link} act={act} stamp={stamp} />
      {link.mail && link.mail.state !== 'sent' && (
        <Banner tone={link.mail.state === 'queued' ? 'neutral' : 'failed'}>
          {t(`links.mail.${link.mail.state}`, { email: link.email })}
          {link.mail.error && <span className={style.more}>{link.mail.error}</span>}
        </Banner>
      )}
      {link.expected_erased_at && (
        <Banner tone="neutral">{t('requests.erased', { when: stamp(link.expected_erased_at) })}</Banner>
      )}
      <RequestActs link={link} act={act} onClose={onClose} />
      <h3>{t('requests.arrivals')}</h3>
      {link.arrivals.length === 0 && <p className={style.line}>{t('requests.nothing')}</p>}
      <ul className={style.arrivals}>
        {link.arrivals.map((arrival, at) => (
          <Arrival
            // oxlint-disable-next-line react/no-array-index-key -- an exam that is not shown has no name or number to be known by
            key={arrival.study_id || at}
            arrival={arrival}
            hasExpected={link.expected !== null}
            hasExpectedExam={link.expected_exam !== null}
            onOpenExam={onOpenExam}
          />
        ))}
      </ul>
      <h3>{t('requests.facts')}</h3>
      <Facts link={link} />
    </>
  )
}

type Act = ReturnType<typeof useRequestAct>

/** The outcome of the last act, or why it did not work; a cancelled request can be brought back for a while. */
function ActNote({ link, act, stamp }: { link: Link; act: Act; stamp: (text: string) => string }) {
  if (act.isError && act.variables.kind !== 'mail') {
    const code = failureCode(act.error)
    return (
      <Banner tone="failed">
        {t('requests.actFailed')}
        {code === 'NOT_PERMITTED' && <span className={style.more}>{t('request.notPermitted')}</span>}
      </Banner>
    )
  }
  if (link.state === 'ended') {
    return (
      <Banner
        tone="neutral"
        action={
          mayRestore(link) && (
            <Button
              variant="default"
              size="compact-xs"
              loading={act.isPending}
              onClick={() => act.mutate({ kind: 'restore', request: link })}
            >
              {t('requests.undo')}
            </Button>
          )
        }
      >
        {t('requests.cancelled')}
      </Banner>
    )
  }
  if (!act.isSuccess) return null
  const isUnsent = 'has_smtp' in act.data && act.data.has_smtp === 0
  const texts: Record<RequestAct['kind'], string | undefined> = {
    mail: t(isUnsent ? 'requests.mailUnsent' : 'requests.mailed', { email: link.email }),
    extend: t('requests.extended', { when: stamp(link.expires_at) }),
    enlarge: t('requests.moreDone', { most: formatSize(link.max_bytes) }),
    unlock: t('requests.unlocked'),
    oneMore: t('requests.oneMoreDone'),
    restore: t('requests.restored'),
    cancel: undefined,
  }
  const text = texts[act.variables.kind]
  return text ? <Banner tone={isUnsent ? 'priority' : 'completed'}>{text}</Banner> : null
}

function RequestActs({ link, act, onClose }: { link: Link; act: Act; onClose: () => void }) {
  const does = (kind: RequestAct['kind']) => act.isPending && act.variables.kind === kind
  const [isMailing, setIsMailing] = useState(false)
  const run = (kind: 'unlock' | 'oneMore' | 'cancel') => act.mutate({ kind, request: link })
  const larger = largerMegabytes(link)
  const isLive = link.state === 'open' || link.state === 'waiting' || link.state === 'locked'
  return (
    <div className={style.acts}>
      {link.url && <CopyRequest address={link.url} />}
      {link.url && link.email && isLive && (
        <Button variant="default" size="compact-xs" onClick={() => setIsMailing(true)}>
          {t(link.mail?.state === 'returned' ? 'links.mailCorrect' : 'requests.again')}
        </Button>
      )}
      {link.state === 'locked' && (
        <Button variant="default" size="compact-xs" loading={does('unlock')} onClick={() => run('unlock')}>
          {t('requests.unlock')}
        </Button>
      )}
      {link.state === 'used' && (
        <Button variant="default" size="compact-xs" loading={does('oneMore')} onClick={() => run('oneMore')}>
          {t('requests.oneMore')}
        </Button>
      )}
      {link.state !== 'ended' && (
        <Button
          variant="default"
          size="compact-xs"
          loading={does('extend')}
          onClick={() => act.mutate({ kind: 'extend', request: link, minutes: extendedMinutes(link) })}
        >
          {t('requests.extend')}
        </Button>
      )}
      {isLive && larger && (
        <Button
          variant="default"
          size="compact-xs"
          loading={does('enlarge')}
          onClick={() => act.mutate({ kind: 'enlarge', request: link, megabytes: larger })}
        >
          {t('requests.more', { most: formatSize(larger * megabyte) })}
        </Button>
      )}
      {link.state !== 'ended' && (
        <Button variant="default" color="red" size="compact-xs" loading={does('cancel')} onClick={() => run('cancel')}>
          {t('requests.cancel')}
        </Button>
      )}
      <Button variant="subtle" size="compact-xs" onClick={onClose}>
        {t('requests.close')}
      </Button>
      {isMailing && isLive && (
        <MailAgain
          texts={mailAgainTexts()}
          read={readMailable}
          email={link.email}
          isBusy={does('mail')}
          fault={act.isError && act.variables.kind === 'mail' ? mailAgainFault(mailFault(act.error)) : undefined}
          onSend={(email) =>
            act.mutate({ kind: 'mail', request: link, email }, { onSuccess: () => setIsMailing(false) })
          }
          onCancel={() => setIsMailing(false)}
        />
      )}
    </div>
  )
}

function Facts({ link }: { link: Link }) {
  const stamp = useStamp()
  const { dateFormat } = usePreferences()
  const { expected } = link
  const patient = expected && [
    nameText(expected.patient_name),
    formatDate(expected.patient_birth_date, dateFormat),
    expected.patient_sex,
    expected.patientid,
  ]
  const facts: (readonly [string, string])[] = [
    [t('requests.until'), requestStateText(link, stamp)],
    [t('requests.reminded'), link.reminded_at ? stamp(link.reminded_at) : ''],
    [t('requests.uses'), t('requests.usesOf', { count: link.hits, most: link.max_hits ?? '∞' })],
    [
      t('requests.stored'),
      t('requests.storedOf', { stored: formatSize(link.stored_bytes), most: formatSize(link.max_bytes) }),
    ],
    [t('requests.asks'), askedText(link)],
    [t('requests.notify'), link.notify || t('requests.nobody')],
    [t('requests.description'), link.description],
    [t('requests.expected'), patient?.filter(Boolean).join(' · ') ?? ''],
    [t('requests.expectedExam'), expectedExamText(link.expected_exam, (date) => formatDate(date, dateFormat))],
    [t('requests.sender'), link.sender],
  ]
  return (
    <dl className={style.facts}>
      {facts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} text`}>
            <DatedText>{text}</DatedText>
          </dd>,
        ])}
    </dl>
  )
}

interface ArrivalProps {
  arrival: LinkArrival
  hasExpected: boolean
  hasExpectedExam: boolean
  onOpenExam: (studyUuid: string) => void
}

/** One study that came, and in what its patient differs from the expected one. */
function Arrival({ arrival, hasExpected, hasExpectedExam, onOpenExam }: ArrivalProps) {
  const { study_id: uuid, image_count: count, expected_count: total, verdict, differences } = arrival
  const examDifferences = examDifferenceTexts(arrival)
  const { dateFormat } = usePreferences()
  const exam = arrivedExamText(arrival, dateFormat)
  const isArriving = arrival.ended_at === null
  // images of others may have come to the same study: a total that is smaller than the count says nothing
  const images =
    isArriving && total > 0 && total >= count
      ? t('requests.images', { count, total })
      : t('requests.imagesAll', { count })
  return (
    <li>
      {exam && (
        <bdi className={style.arrived}>
          <DatedText>{exam}</DatedText>
        </bdi>
      )}
      <div className={style.foot}>
        {arrival.is_incomplete === 1 ? (
          <span className={style.differs}>{incompleteText(arrival)}</span>
        ) : (
          <span>{isArriving ? `${t('requests.arriving')}: ${images}` : images}</span>
        )}
        {uuid ? (
          <Button variant="default" size="compact-xs" onClick={() => onOpenExam(uuid)}>
            {t('requests.openExam')}
          </Button>
        ) : (
          <span className={style.line}>{t('requests.hiddenExam')}</span>
        )}
      </div>
      {differences.length > 0 && (
        <Banner tone={verdict === 'different' ? 'failed' : 'priority'}>
          <b>{t('requests.differs')}</b>
          <ul>
            {differences.map((reason) => (
              <li key={reason}>{t(`identity.${reason as IdentityReason}`)}</li> // the server compares by the same function
            ))}
          </ul>
        </Banner>
      )}
      <MarkedList title={t('requests.examDiffers')} reasons={examDifferences} />
      {verdict === 'same' && hasExpected && <span className={style.line}>{t('requests.matches')}</span>}
      {hasExpectedExam && uuid && examDifferences.length === 0 && (
        <span className={style.line}>{t('requests.examMatches')}</span>
      )}
    </li>
  )
}

/** Why the mail of a request was not sent, in words. */
function mailFault(failure: unknown): string {
  const code = failureCode(failure)
  if (code === 'EXPIRED') return t('links.mailOver')
  if (code === 'INVALID_EMAIL') return t('links.emailWrong')
  return t(code === 'NOT_PERMITTED' ? 'request.notPermitted' : 'requests.actFailed')
}

function askedText({ has_password: hasPassword, pin_auth: asksPin }: Link): string {
  if (hasPassword && asksPin) return t('requests.asks.both')
  if (asksPin) return t('requests.asks.pin')
  return t(hasPassword ? 'requests.asks.password' : 'requests.asks.none')
}
