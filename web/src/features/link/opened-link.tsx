import type { LinkedStudy, linkStudies } from '@hilum/contract/calls/link-open'
import type { OutputOf } from '@hilum/contract/call'
import { useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isRefusal } from '../../api/api-failure.ts'
import { ageAt } from '../../format/age.ts'
import { formatDate, formatStamp, writtenFormat } from '../../format/dates.ts'
import { displayName, nameText } from '../../format/person-name.ts'
import { arrivalOf } from '../../labels/arrival.ts'
import { t } from '../../labels/label.ts'
import { linkStudiesQuery } from '../../queries/opened-link.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState, QuietState } from '../../ui/quiet-state.tsx'
import { LinkDownload } from './link-download.tsx'
import { LinkedStudies } from './linked-studies.tsx'
import style from './link.module.css'

interface OpenedLinkProps {
  sid: string
  /** Address of the viewer's page for a study. */
  viewerAddress: (study: LinkedStudy, sid: string, scheme: 'light' | 'dark') => string
  /** Reports and attached files of a study. */
  files: (study: LinkedStudy, sid: string) => ReactNode
  /** The link shows nothing any more: it ended, or the browser session of it did. */
  onEnded: () => void
}

/** The exam of an opened link: whose it is, what the sender says, the images, and the download where it is allowed. */
export function OpenedLinkPage({ sid, viewerAddress, files, onEnded }: OpenedLinkProps) {
  const { data, error, isFetching, refetch } = useQuery(linkStudiesQuery(sid))
  const isEnded = error !== null && isRefusal(error)
  const tellEnded = useEffectEvent(onEnded)
  useEffect(() => {
    if (isEnded) tellEnded()
  }, [isEnded])
  if (isEnded) return null
  if (data)
    return <Opened opened={data} sid={sid} viewerAddress={viewerAddress} files={files} isLost={error !== null} />
  if (!error) return <LoadingState label={t('link.opening')} />
  return (
    <div className={style.notice}>
      <FailedBanner retry={t('link.again')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('link.network')}
      </FailedBanner>
    </div>
  )
}

interface OpenedProps extends Pick<OpenedLinkProps, 'sid' | 'viewerAddress' | 'files'> {
  opened: OutputOf<typeof linkStudies>
  /** The server could not be asked just now. */
  isLost: boolean
}

function Opened({ opened, sid, viewerAddress, files, isLost }: OpenedProps) {
  const { studies, message, account_name: account, expires_at: expiresAt, download, attachments } = opened
  const [chosen, setChosen] = useState('')
  const study = studies.find(({ uuid }) => uuid === chosen) ?? studies[0]
  return (
    <>
      <div className={style.head}>
        {study && <Patient study={study} />}
        <p className={style.line}>{t('link.until', { account, when: formatStamp(expiresAt, writtenFormat) })}</p>
        {studies.length > 1 && <LinkedStudies studies={studies} shownUuid={study?.uuid} onChoose={setChosen} />}
        {message && (
          <section className={style.message} aria-label={t('link.messageOf')}>
            {message}
          </section>
        )}
        {isLost && <Banner tone="priority">{t('link.lost')}</Banner>}
        {study && <Warnings study={study} />}
        {study && download === 1 && <LinkDownload key={study.uuid} study={study} sid={sid} />}
        {study && attachments === 1 && <Files key={study.uuid}>{() => files(study, sid)}</Files>}
      </div>
      {study ? (
        <Viewer key={study.uuid} study={study} sid={sid} viewerAddress={viewerAddress} />
      ) : (
        <QuietState title={t('link.gone')} />
      )}
    </>
  )
}

/** The patient and the exam, always in sight above the images. */
function Patient({ study }: { study: LinkedStudy }) {
  const name = displayName(study.patient_name)
  const born = formatDate(study.patient_birth_date, writtenFormat)
  const age = ageAt(study.patient_birth_date, study.study_date, study.patient_age)
  const ageText = age && t(`age.${age.unit}`, { count: age.count })
  const facts = [
    study.patientid,
    born && ageText ? `${born} (${ageText})` : born || ageText,
    study.patient_sex,
    study.study_description,
    study.modality.replaceAll('\\', ', '),
    formatDate(study.study_date, writtenFormat),
  ]
  return (
    <>
      <h1 className={style.name}>
        <bdi>{name.main || t('link.noName')}</bdi>
      </h1>
      <p className={style.line}>
        {facts.filter(Boolean).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
    </>
  )
}

/** Nothing is read before somebody looks: each sight goes on record. */
function Files({ children }: { children: () => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={style.files} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t('link.files')}</summary>
      {isOpen && children()}
    </details>
  )
}

function Warnings({ study }: { study: LinkedStudy }) {
  const arrival = arrivalOf(study)
  return (
    <>
      {arrival && <Banner tone={arrival.kind === 'incomplete' ? 'priority' : 'neutral'}>{arrival.sentence}</Banner>}
      {study.mixed_patients === 1 && <Banner tone="priority">{t('link.mixed')}</Banner>}
    </>
  )
}

function Viewer({ study, sid, viewerAddress }: Pick<OpenedProps, 'sid' | 'viewerAddress'> & { study: LinkedStudy }) {
  const scheme = useComputedColorScheme('light')
  // the address keeps the scheme it was opened with: a changed one would load the viewer anew and lose its place
  const [openedScheme] = useState(scheme)
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    frame.current?.contentWindow?.postMessage(JSON.stringify({ scheme }), location.origin)
  }, [scheme])
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- our own page of this host, which needs scripts and storage; its own policy confines it
    <iframe
      ref={frame}
      className={style.viewer}
      title={t('viewer.title', { name: nameText(study.patient_name) })}
      src={viewerAddress(study, sid, openedScheme)}
      allow="fullscreen"
    />
  )
}
