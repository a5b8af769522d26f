import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import type { Link } from '@hilum/contract/calls/link'
import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import {
  readRequestSort,
  type RequestKind,
  requestKinds,
  requestRows,
  type RequestSort,
  requestSorts,
  requestsQuery,
} from '../../queries/requests.ts'
import { usePreferences } from '../../session/preferences.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { IconSelector } from '../../ui/icons.ts'
import { LoadingState, QuietState } from '../../ui/quiet-state.tsx'
import { CopyRequest } from './copy-request.tsx'
import {
  arrivalText,
  arrivedExamText,
  hasDifference,
  hasOtherExam,
  isIncomplete,
  requestedText,
  requestOutcomeText,
  requestStateText,
  requestTitle,
  useStamp,
} from '../../queries/request-words.ts'
import style from './requests.module.css'

interface RequestListProps {
  namespaceId: string
  kind: RequestKind
  sort: RequestSort
  page: number
  selectedUuid: string | undefined
  /** Undefined for who may not ask. */
  onAsk: (() => void) | undefined
  onSelect: (uuid: string) => void
  onKind: (kind: RequestKind) => void
  onSort: (sort: RequestSort) => void
  onPage: (page: number) => void
}

/** The requests of a group, a page at a time. */
export function RequestList(props: RequestListProps) {
  const { namespaceId, kind, sort, page, selectedUuid } = props
  const { data, error, isFetching, refetch } = useQuery(requestsQuery(namespaceId, kind, sort, page))
  const stamp = useStamp()
  const links = data?.links ?? []
  return (
    <section className={style.list} aria-label={t('requests.title')} aria-busy={isFetching}>
      <div className={style.head}>
        <span className={style.count} role="status">
          {data?.page.total !== undefined && t('requests.count', { count: data.page.total })}
        </span>
        <SegmentedControl
          size="xs"
          transitionDuration={0}
          aria-label={t('requests.which')}
          value={kind}
          onChange={(value) => props.onKind(value === 'ended' ? 'ended' : 'open')}
          data={requestKinds.map((one) => ({ value: one, label: t(`requests.which.${one}`) }))}
        />
        <NativeSelect
          rightSection={<IconSelector size={14} />}
          aria-label={t('requests.sort')}
          value={sort}
          onChange={(event) => props.onSort(readRequestSort(event.currentTarget.value))}
          data={requestSorts.map((one) => ({ value: one, label: t(`requests.sort.${one}`) }))}
        />
        <Turn page={page} hasMore={data?.page.more === 1} total={data?.page.total} onPage={props.onPage} />
      </div>
      {error && (
        <div className={style.notes}>
          <FailedBanner retry={t('requests.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
            {t('requests.failed')}
          </FailedBanner>
        </div>
      )}
      {!data && !error && <LoadingState label={t('requests.loading')} />}
      {data && links.length === 0 && kind === 'ended' && (
        <QuietState title={t('requests.noneEnded')}>
          <p>{t('requests.noneEndedHint')}</p>
        </QuietState>
      )}
      {data && links.length === 0 && kind === 'open' && (
        <QuietState title={t('requests.none')}>
          {props.onAsk && (
            <>
              <p>{t('requests.noneHint')}</p>
              <Button onClick={props.onAsk}>{t('requests.ask')}</Button>
            </>
          )}
        </QuietState>
      )}
      {links.length > 0 && (
        <ul className={style.cards}>
          {links.map((link) => (
            <RequestCard
              key={link.uuid}
              link={link}
              kind={kind}
              isSelected={link.uuid === selectedUuid}
              stamp={stamp}
              onSelect={props.onSelect}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface RequestCardProps {
  link: Link
  kind: RequestKind
  isSelected: boolean
  stamp: (text: string) => string
  onSelect: (uuid: string) => void
}

/** ENTITY-23: whom was asked, for what, into which place, until when, and what came. */
function RequestCard({ link, kind, isSelected, stamp, onSelect }: RequestCardProps) {
  return (
    <li className={style.card} data-selected={isSelected || undefined} data-request={link.uuid}>
      <button
        type="button"
        className={style.choose}
        aria-current={isSelected || undefined}
        onClick={() => onSelect(link.uuid)}
      >
        <bdi>{requestTitle(link)}</bdi>
      </button>
      {link.description && <p className={style.line}>{link.description}</p>}
      <ArrivedExams link={link} />
      <p className={style.line}>
        <DatedText>{kind === 'ended' ? requestOutcomeText(link, stamp) : requestStateText(link, stamp)}</DatedText>
      </p>
      <div className={style.foot}>
        <span className={isIncomplete(link) ? `${style.line} ${style.differs}` : style.line}>{arrivalText(link)}</span>
        {link.mail && link.mail.state !== 'sent' && link.mail.state !== 'queued' && (
          <span className={`${style.line} ${style.differs}`}>
            {t(`links.mail.${link.mail.state}`, { email: link.email })}
          </span>
        )}
        {hasDifference(link) && <span className={`${style.line} ${style.differs}`}>{t('requests.differs')}</span>}
        {hasOtherExam(link) && <span className={`${style.line} ${style.differs}`}>{t('requests.examDiffers')}</span>}
        {link.url && <CopyRequest address={link.url} />}
      </div>
      <p className={style.line}>
        <DatedText>{requestedText(link, stamp)}</DatedText>
      </p>
    </li>
  )
}

const shownArrivals = 3

/** The first exams that came, with patient and date; the panel names all of them. */
function ArrivedExams({ link }: { link: Link }) {
  const { dateFormat } = usePreferences()
  const texts = link.arrivals.map((arrival) => arrivedExamText(arrival, dateFormat)).filter(Boolean)
  const more = texts.length - shownArrivals
  return (
    <>
      {texts.slice(0, shownArrivals).map((text, at) => (
        <p key={`${at} ${text}`} className={`${style.line} ${style.arrived}`}>
          <bdi>
            <DatedText>{text}</DatedText>
          </bdi>
        </p>
      ))}
      {more > 0 && <p className={style.line}>{t('requests.moreArrived', { count: more })}</p>}
    </>
  )
}

interface TurnProps {
  page: number
  hasMore: boolean
  total: number | undefined
  onPage: (page: number) => void
}

/** Previous and next page, where there is more than one. */
function Turn({ page, hasMore, total, onPage }: TurnProps) {
  if (page === 1 && !hasMore && (total ?? 0) <= requestRows) return null
  return (
    <>
      <Button variant="default" size="compact-xs" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('list.previous')}
      </Button>
      <Button variant="default" size="compact-xs" disabled={!hasMore} onClick={() => onPage(page + 1)}>
        {t('list.next')}
      </Button>
    </>
  )
}
