import type { studyShareAccess } from '@hilum/contract/calls/study-share'
import type { OutputOf } from '@hilum/contract/call'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { accessQuery } from '../../queries/shares.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import panel from './exam-panel.module.css'
import { LinkSection, LinkToMany } from './link-section.tsx'
import { AccessList } from './access-list.tsx'
import { ExamTable } from './exam-table.tsx'
import { KeepCopy } from './keep-copy.tsx'
import { hasNamesBeside } from './names-beside.ts'
import { haveAccess, useKnownRecipients } from './known-recipients.ts'
import { NamelessChoice } from './nameless-choice.tsx'
import { ShareForm } from './share-form.tsx'
import { receivedText } from './share-words.ts'
import style from './share.module.css'

/** SHARE-01: sharing one study or a copy of it without names, and who has access to it. */
export function ShareTab({ study }: { study: Study }) {
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('share.title', { count: 1 })}</h3>
      <p className={panel.note}>{t('share.text')}</p>
      <NamelessChoice study={study}>{(given) => <Sharing key={given.uuid} study={given} />}</NamelessChoice>
    </div>
  )
}

function Sharing({ study }: { study: Study }) {
  const { data, isError, isFetching, refetch } = useQuery(accessQuery(study.uuid))
  const known = haveAccess(data?.shares.filter(({ state }) => state !== 'failed').map(({ uuid }) => uuid))
  return (
    <>
      {study.arrival === 'receiving' && <Banner tone="neutral">{t('share.receiving')}</Banner>}
      {study.arrival === 'incomplete' && <Banner tone="priority">{t('share.incomplete')}</Banner>}
      {study.mixed_patients === 1 && <Banner tone="priority">{t('share.mixed')}</Banner>}
      <div className={style.sides}>
        <ShareForm studies={[study]} known={known} />
        <div className={style.side}>
          {isError && !data && (
            <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
              {t('share.accessFailed')}
            </FailedBanner>
          )}
          {!data && !isError && <LoadingState label={t('loading')} />}
          {data && (
            <>
              <Owner {...data} />
              {data.received.length > 0 && (
                <KeepCopy study={study} hasCopy={data.has_copy} refusal={data.keep_refused} />
              )}
              <h4 className={style.heading}>
                {data.shares.length > 0 ? t('share.accessCount', { count: data.shares.length }) : t('share.access')}
              </h4>
              <AccessList study={study} shares={data.shares} />
            </>
          )}
        </div>
      </div>
      <LinkSection study={study} />
    </>
  )
}

/** The inbox that holds the study, and by whom it came there. */
function Owner({ owner, received }: Pick<OutputOf<typeof studyShareAccess>, 'owner' | 'received'>) {
  const { dateFormat, timeZone } = usePreferences()
  return (
    <div className={style.owner}>
      <h4 className={style.heading}>{t('share.owner')}</h4>
      <span className={style.name}>
        {t(owner.kind === 'user' ? 'share.owner.user' : 'share.owner.other', { name: owner.name })}
      </span>
      {received.map((one) => (
        <span key={`${one.from_name} ${one.delivered_at}`} className={style.since}>
          {receivedText(one)}
          {one.expires_at &&
            ` · ${t('share.endsReceived', { when: formatStamp(one.expires_at, dateFormat, timeZone) })}`}
        </span>
      ))}
    </div>
  )
}

/** PANEL-06: several studies at once. */
export function ShareMany({ studies }: { studies: readonly Study[] }) {
  const known = useKnownRecipients(studies)
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('share.title', { count: studies.length })}</h3>
      <p className={panel.note}>{t('share.text')}</p>
      {hasNamesBeside(studies) ? (
        <Banner tone="priority">{t('nameless.beside')}</Banner>
      ) : (
        <>
          <ShareForm key={studies.map(({ uuid }) => uuid).join(' ')} studies={studies} known={known} />
          <p className={panel.note}>{t('share.manyText')}</p>
        </>
      )}
      <ExamTable studies={studies} />
      <LinkToMany key={`links ${studies.map(({ uuid }) => uuid).join(' ')}`} studies={studies} />
    </div>
  )
}
