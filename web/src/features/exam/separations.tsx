import type { Separation } from '@hilum/contract/calls/study-split'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { separationsQuery, useUndoSplit } from '../../queries/study-split.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import acts from './acts.module.css'
import style from './separate.module.css'
import { undoFailureText, undoObstacleText } from './separation-words.ts'

/** Separations that stand as banners; earlier ones are folded. */
const shownBanners = 3

interface SeparationsProps {
  study: Study
  /** Counts the separations begun here: each takes the focus to the list. */
  begun: number
}

/** Images that went from a study to another one or came to it: how far that is, where they are, and the way back. */
export function Separations({ study, begun }: SeparationsProps) {
  const { data, error, refetch, isFetching } = useQuery(separationsQuery(study.uuid))
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (begun > 0) section.current?.focus()
  }, [begun])
  if (error && !data) {
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('split.listFailed')}
      </FailedBanner>
    )
  }
  if (!data || data.length === 0) return null
  const isCurrent = ({ state }: Separation, at: number) => at === 0 || state === 'making' || state === 'made'
  const current = data.filter(isCurrent).slice(0, shownBanners)
  const earlier = data.filter((one) => !current.includes(one))
  return (
    <section ref={section} tabIndex={-1} className={style.separations} aria-label={t('split.list')}>
      {current.map((one) => (
        <SeparationBanner key={one.uuid} study={study} one={one} onUndone={() => section.current?.focus()} />
      ))}
      {earlier.length > 0 && (
        <details className={style.earlier}>
          <summary>{t('split.earlier', { count: earlier.length })}</summary>
          <ul className={acts.list}>
            {earlier.map((one) => (
              <li key={one.uuid}>
                <SeparationNote one={one} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

interface SeparationBannerProps {
  study: Study
  one: Separation
  /** The button of Undo goes, and the focus must not go with it. */
  onUndone: () => void
}

function SeparationBanner({ study, one, onUndone }: SeparationBannerProps) {
  const { state, images, done, undo_obstacles: obstacles } = one
  const navigate = useNavigate()
  const undo = useUndoSplit(study.uuid, async (uuid) => {
    if (uuid === study.uuid) onUndone()
    else await navigate({ to: '/group/list', search: { study: uuid } })
  })
  const button = state === 'made' && obstacles.length === 0 && (
    <Button variant="default" size="compact-sm" loading={undo.isPending} onClick={() => undo.mutate(one)}>
      {t('split.undo')}
    </Button>
  )
  return (
    <>
      <Banner tone={state === 'failed' ? 'failed' : state === 'making' ? 'info' : 'neutral'} action={button}>
        <SeparationNote one={one} />
        {state === 'making' && (
          <span className={style.progress}>
            <Progress
              className={style.bar}
              value={(done / Math.max(1, images)) * 100}
              aria-label={t('split.progress')}
              transitionDuration={0}
            />
            <span aria-hidden="true">{t('split.done', { done, images })}</span>
          </span>
        )}
        {state === 'made' && obstacles.length > 0 && (
          <span className={acts.reason}>
            {t('split.noUndo')} {obstacles.map((obstacle) => undoObstacleText(one.kind, obstacle)).join('; ')}
          </span>
        )}
      </Banner>
      {undo.isError && (
        <Banner tone="failed">
          {t('split.undoFailed')} {undoFailureText(one.kind, undo.error)}
        </Banner>
      )}
    </>
  )
}

/** The outcome of a separation in words, with the way to the record on the other side. */
function SeparationNote({ one }: { one: Separation }) {
  const { dateFormat, timeZone } = usePreferences()
  const { kind, state, images, reason, message, is_source: isSource, other_uuid: other } = one
  const slots = {
    count: images,
    who: one.created_by_name,
    when: formatStamp(one.created, dateFormat, timeZone),
  }
  const sentences = {
    making: () => t(kind === 'split' ? 'split.making' : isSource === 1 ? 'merge.making' : 'merge.coming', slots),
    made: () => t(`${kind}.${isSource === 1 ? 'left' : 'came'}`, slots),
    failed: () => t(`${kind}.notMade`, slots),
    undone: () => t(`${kind}.putBack`, slots),
  }
  return (
    <>
      {sentences[state]()}
      {state === 'failed' && message && <span className={acts.reason}>{message}</span>}
      {reason && <span className={acts.reason}>{t('split.because', { reason })}</span>}
      {state === 'made' && (
        <span className={style.ways}>
          {other ? (
            <Link to="/group/list" search={{ study: other }} className={acts.link}>
              {t(kind === 'merge' ? 'merge.toOther' : isSource === 1 ? 'split.toNew' : 'split.toOld')}
            </Link>
          ) : (
            t('split.otherGone')
          )}
        </span>
      )}
    </>
  )
}
