import { type Link as Request, type LinkArrival, linkAdd } from '@hilum/contract/calls/link'
import type { Study } from '@hilum/contract/entities/study'
import type { IdentityReason } from '@hilum/dicom/identity'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  examDifferenceTexts,
  requestedText,
  requestStateText,
  requestTitle,
  useStamp,
} from '../../queries/request-words.ts'
import { t } from '../../labels/label.ts'
import { useInboxes } from '../../queries/namespaces.ts'
import { studyRequestsQuery } from '../../queries/requests.ts'
import { inPlace, useMayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { MarkedList } from '../../ui/marked-list.tsx'
import style from './acts.module.css'
import panel from './exam-panel.module.css'

/** PANEL-02: the request by which this study came, and the open ones that expect its patient. */
export function PendingRequestsTab({ study }: { study: Study }) {
  const { data, error, isFetching, refetch } = useQuery(studyRequestsQuery(study))
  const place = useInboxes().find(({ namespaceId }) => namespaceId === study.phi_namespace)
  const mayAsk = useMayCall(inPlace(linkAdd), place?.permissions ?? {})
  return (
    <div className={panel.content}>
      {error && (
        <FailedBanner retry={t('requests.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('requests.failed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('requests.loading')} />}
      {data && (
        <>
          <h3 className={panel.heading}>{t('studyRequests.cameBy')}</h3>
          <RequestRows requests={data.came_by} study={study} placeId={place?.id} none={t('studyRequests.cameByNone')} />
          <h3 className={panel.heading}>{t('studyRequests.expecting')}</h3>
          <RequestRows
            requests={data.expecting}
            study={study}
            placeId={place?.id}
            none={t('studyRequests.expectingNone')}
          />
          {place && (
            <p className={panel.note}>
              {t('studyRequests.others', { count: data.others })}{' '}
              <Link
                to="/group/$groupId/{-$state}"
                params={{ groupId: place.id, state: 'Pending Requests' }}
                className={style.link}
              >
                {t('studyRequests.all', { place: place.name })}
              </Link>
            </p>
          )}
          {place && mayAsk && (
            <p className={panel.note}>
              <Link to="/study/request/$groupId" params={{ groupId: place.id }} className={style.link}>
                {t('requests.ask')}
              </Link>
            </p>
          )}
        </>
      )}
    </div>
  )
}

interface RequestRowsProps {
  requests: readonly Request[]
  study: Study
  /** Undefined for a place that is not among the person's groups. */
  placeId: string | undefined
  none: string
}

function RequestRows({ requests, study, placeId, none }: RequestRowsProps) {
  const stamp = useStamp()
  const arrivalOf = (request: Request) => request.arrivals.find((one) => one.study_id === study.uuid)
  if (requests.length === 0) return <p className={panel.note}>{none}</p>
  return (
    <ul className={style.related}>
      {requests.map((request) => {
        const whom = <bdi>{requestTitle(request)}</bdi>
        return (
          <li key={request.uuid}>
            <span className={style.relatedHead}>
              {placeId ? (
                <Link
                  to="/group/$groupId/{-$state}"
                  params={{ groupId: placeId, state: 'Pending Requests' }}
                  search={{ request: request.uuid, ...(request.ended_at ? { requests: 'ended' } : {}) }}
                  className={style.link}
                >
                  {whom}
                </Link>
              ) : (
                whom
              )}
              <span>{request.description}</span>
              <span className={style.reasonInline}>{requestStateText(request, stamp)}</span>
            </span>
            <span className={style.reasonInline}>
              {requestedText(request, stamp)}
              {request.sender && request.by_share_code === 0 && ` · ${t('requests.sender')} ${request.sender}`}
            </span>
            <Differences arrival={arrivalOf(request)} />
            <MarkedList title={t('requests.examDiffers')} reasons={examDifferenceTexts(arrivalOf(request))} />
          </li>
        )
      })}
    </ul>
  )
}

/** In what the patient of this study differs from the expected one. */
function Differences({ arrival }: { arrival: LinkArrival | undefined }) {
  if (!arrival || arrival.differences.length === 0) return null
  return (
    <Banner tone={arrival.verdict === 'different' ? 'failed' : 'priority'}>
      <b>{t('requests.differs')}</b>
      <ul>
        {arrival.differences.map((reason) => (
          <li key={reason}>{t(`identity.${reason as IdentityReason}`)}</li> // the server compares by the same function
        ))}
      </ul>
    </Banner>
  )
}
