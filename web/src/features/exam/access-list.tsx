import { type StudyShareAccess, studyShareStop } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { useStopShare } from '../../queries/shares.ts'
import { usePreferences } from '../../session/preferences.ts'
import { mayCall, partOf } from '../../session/use-may.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { UndoBanner } from '../../ui/undo-banner.tsx'
import { IconBuilding, IconBuildingHospital, IconClockHour4, IconUser, IconUsersGroup } from '../../ui/icons.ts'
import style from './share.module.css'
import { shareReason, undoReason } from './share-words.ts'

/** Rows in sight before somebody asks for all. */
const shownRows = 12

interface AccessListProps {
  study: Study
  shares: readonly StudyShareAccess[]
}

/** People with access: each with words on since when, until when, and a way to stop it (SHARE-04). */
export function AccessList({ study, shares }: AccessListProps) {
  const whole = useRef<HTMLDivElement>(null)
  const [isWhole, setWhole] = useState(false)
  const { stop, again } = useStopShare(study.uuid)
  const [stopped, setStopped] = useState<StudyShareAccess>()
  const handleStop = (access: StudyShareAccess) => {
    again.reset()
    setStopped(undefined)
    stop.mutate(access, { onSuccess: () => setStopped(access) })
  }
  const handleAgain = (access: StudyShareAccess) => {
    stop.reset()
    again.mutate(access, {
      onSuccess: () => {
        setStopped(undefined)
        whole.current?.focus() // the button that had it is gone
      },
    })
  }
  const shown = isWhole ? shares : shares.slice(0, shownRows)
  return (
    <div ref={whole} tabIndex={-1} className={style.access}>
      {stopped && (
        <UndoBanner autoFocus label={t('share.undo')} isBusy={again.isPending} onUndo={() => handleAgain(stopped)}>
          {t(stoppedAs(stopped), { name: stopped.name })}
        </UndoBanner>
      )}
      {again.isError && (
        <Banner tone="failed">
          {t('share.undoFailed', { name: again.variables.name })}
          <span className={style.reason}>{undoReason(again.error)}</span>
        </Banner>
      )}
      {stop.isError && (
        <FailedBanner retry={t('button.retry')} onRetry={() => handleStop(stop.variables)}>
          {t('share.stopFailed', { name: stop.variables.name })}
          <span className={style.reason}>{shareReason(stop.error)}</span>
        </FailedBanner>
      )}
      {shares.length === 0 && !stopped && <p className={style.note}>{t('share.accessNobody')}</p>}
      {shares.length > 0 && (
        <ul className={style.people} aria-label={t('share.access')}>
          {shown.map((access) => (
            <AccessRow
              key={`${access.kind} ${access.uuid}`}
              access={access}
              isBusy={
                (stop.isPending && stop.variables.uuid === access.uuid) ||
                (again.isPending && again.variables.uuid === access.uuid)
              }
              onStop={() => handleStop(access)}
              onAgain={() => handleAgain(access)}
              mayShare={mayCall(partOf(studyShareStop, access.by_code === 1 ? 'code' : access.kind), study.permissions)}
            />
          ))}
        </ul>
      )}
      {shares.length > shown.length && (
        <Button className={style.more} variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          {t('share.accessMore', { count: shares.length })}
        </Button>
      )}
    </div>
  )
}

const kindIcons = { user: IconUser, group: IconUsersGroup, location: IconBuildingHospital, account: IconBuilding }
const actOf = { scheduled: 'share.cancelName', delivered: 'share.stopName', failed: 'share.again' } as const

/** Label of a stopped share: not begun yet, gone there, or a copy stays there. */
function stoppedAs({ state, has_copy: hasCopy }: StudyShareAccess) {
  if (state === 'scheduled') return 'share.cancelled'
  return hasCopy ? 'share.stoppedCopy' : 'share.stopped'
}

interface AccessRowProps {
  access: StudyShareAccess
  isBusy: boolean
  mayShare: boolean
  onStop: () => void
  onAgain: () => void
}

function AccessRow({ access, isBusy, mayShare, onStop, onAgain }: AccessRowProps) {
  const { dateFormat, timeZone } = usePreferences()
  const stamp = (moment: string | null) => formatStamp(moment, dateFormat, timeZone)
  const { kind, state, name, user_email: email, by_name: who, failure } = access
  const Icon = state === 'scheduled' ? IconClockHour4 : kindIcons[kind]
  return (
    <li data-state={state}>
      <Icon size={16} />
      <div className={style.person}>
        <span className={style.name} title={email || undefined}>
          {name}
          {email && <span>{email}</span>}
        </span>
        <span className={style.since}>
          {state === 'failed' && t('share.state.failed', { reason: t(`share.failure.${failure ?? 'NOT_FOUND'}`) })}
          {state === 'scheduled' && <DatedText>{t('share.later', { who, when: stamp(access.run_at) })}</DatedText>}
          {state === 'delivered' && <DatedText>{t('share.by', { who, when: stamp(access.created) })}</DatedText>}
        </span>
        {access.expires_at && (
          <span className={style.since}>
            <DatedText>{t('share.ends', { when: stamp(access.expires_at) })}</DatedText>
          </span>
        )}
        {access.awaits_approval && <span className={style.since}>{t('share.awaits')}</span>}
        {access.late_image_count > 0 && (
          <span className={style.since}>{t('share.lateImages', { count: access.late_image_count })}</span>
        )}
        {access.has_copy && <span className={style.since}>{t('share.theirCopy')}</span>}
        {access.reply && <span className={style.words}>{access.reply}</span>}
        {access.message && <span className={style.words}>{access.message}</span>}
      </div>
      {mayShare && (
        <Button
          variant="default"
          size="compact-xs"
          loading={isBusy}
          aria-label={t(actOf[state], { name })}
          onClick={state === 'failed' ? onAgain : onStop}
        >
          {t(state === 'failed' ? 'button.retry' : 'share.stop')}
        </Button>
      )}
    </li>
  )
}
