import {
  type ImageComparison,
  type ImageConflict,
  type ImageVersion,
  studyConflictSettle,
} from '@hilum/contract/calls/study-conflicts'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { attributeName } from '../../format/attribute-name.ts'
import { t } from '../../labels/label.ts'
import { comparisonQuery, conflictsQuery, useSettleConflict } from '../../queries/study-conflicts.ts'
import { versionAddress } from '../../queries/study-schema.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useMayCall } from '../../session/use-may.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { ActFailure } from './act-failure.tsx'
import style from './conflict-view.module.css'
import panel from './exam-panel.module.css'
import { ShownFrame } from './shown-frame.tsx'

/** Images that arrived more than once with different content: in what they differ, and which one is shown. */
export function ConflictView({ study, onClose }: { study: Study; onClose: () => void }) {
  const { data, error, refetch } = useQuery(conflictsQuery(study))
  const [opened, setOpened] = useState<string>()
  const open = opened ?? data?.conflicts[0]?.sop_uid
  return (
    <ShownFrame name={t('conflict.title')} onClose={onClose}>
      <div className={style.view}>
        {error && (
          <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
            {t('conflict.failed')}
          </FailedBanner>
        )}
        {!error && !data && <LoadingState label={t('loading')} />}
        {data?.conflicts.map((conflict, index) => (
          <details
            key={conflict.sop_uid}
            open={conflict.sop_uid === open}
            onToggle={(event) => event.currentTarget.open && setOpened(conflict.sop_uid)}
          >
            <summary className={style.summary}>
              {t('conflict.image', { number: index + 1, count: conflict.versions.length })}
              <span className={style.uid}>{conflict.sop_uid}</span>
              {conflict.versions.every((one) => one.is_settled === 1) && <span>{t('conflict.settled')}</span>}
            </summary>
            {conflict.sop_uid === open && <OneConflict study={study} conflict={conflict} />}
          </details>
        ))}
        {data?.more === 1 && <p className={panel.note}>{t('conflict.more', { count: data.conflicts.length })}</p>}
      </div>
    </ShownFrame>
  )
}

function OneConflict({ study, conflict }: { study: Study; conflict: ImageConflict }) {
  const { data, error } = useQuery(comparisonQuery(study, conflict.sop_uid))
  const settle = useSettleConflict(study)
  const mayEdit = useMayCall(studyConflictSettle, study.permissions)
  const { sop_uid } = conflict
  return (
    <div className={style.one}>
      <ul className={style.versions}>
        {conflict.versions.map((version, index) => (
          <Version
            key={`${version.series_uid} ${version.version}`}
            study={study}
            sopUid={sop_uid}
            version={version}
            label={versionLabel(index, conflict.versions)}
            isAsked={settle.isPending}
            onChoose={
              mayEdit
                ? () => settle.mutate({ sop_uid, series_uid: version.series_uid, version: version.version })
                : undefined
            }
          />
        ))}
      </ul>
      {settle.isError && <ActFailure text={t('conflict.notSettled')} failure={settle.error} />}
      {error && <p className={panel.note}>{t('conflict.failed')}</p>}
      {!error && !data && <LoadingState label={t('conflict.comparing')} />}
      {data && (data.comparisons ?? []).length === 0 && <p className={panel.note}>{t('conflict.cannotCompare')}</p>}
      {data?.comparisons?.map((comparison) => (
        <Comparison key={comparison.second} comparison={comparison} versions={conflict.versions} />
      ))}
    </div>
  )
}

/** The heading of a version, over its picture and over its column. */
function versionLabel(index: number, versions: readonly ImageVersion[]): string {
  if (versions[index]?.is_shown === 1) return t('conflict.shown')
  return versions.length > 2 ? t('conflict.version', { number: index + 1 }) : t('conflict.beside')
}

interface VersionProps {
  study: Study
  sopUid: string
  version: ImageVersion
  label: string
  isAsked: boolean
  /** Given to who may change the study. */
  onChoose: (() => void) | undefined
}

function Version({ study, sopUid, version, label, isAsked, onChoose }: VersionProps) {
  const { dateFormat, timeZone } = usePreferences()
  const [isWithout, setWithout] = useState(false)
  const isShown = version.is_shown === 1
  return (
    <li className={style.version} data-shown={isShown || undefined}>
      {isWithout ? (
        <span className={style.noPicture}>{t('picture.none')}</span>
      ) : (
        <img
          className={style.picture}
          src={versionAddress(study, sopUid, version.version)}
          alt={label}
          onError={() => setWithout(true)}
        />
      )}
      <strong>{label}</strong>
      <span>{t('conflict.arrived', { when: formatStamp(version.arrived, dateFormat, timeZone) })}</span>
      {version.source_name && <span>{t('conflict.from', { who: version.source_name })}</span>}
      {onChoose && (!isShown || version.is_settled === 0) && (
        <Button variant="default" size="compact-sm" disabled={isAsked} onClick={onChoose}>
          {t('conflict.keep')}
        </Button>
      )}
    </li>
  )
}

function Comparison({ comparison, versions }: { comparison: ImageComparison; versions: readonly ImageVersion[] }) {
  const { differences, difference_count: count, pixels_differ: pixels, frames } = comparison
  const place = versions.findIndex((one) => one.version === comparison.second)
  const heading = versions.length > 2 && <h4 className={style.heading}>{versionLabel(place, versions)}</h4>
  if (count === 0 && pixels === 0) {
    return (
      <div className={style.comparison}>
        {heading}
        <p className={panel.note}>{t('conflict.same')}</p>
      </div>
    )
  }
  return (
    <div className={style.comparison}>
      {heading}
      {pixels === 1 && (
        <p className={style.pixels}>
          {frames.length > 1
            ? t('conflict.frames', {
                frames: frames
                  .slice(0, 10)
                  .map((frame) => frame + 1)
                  .join(', '),
              })
            : t('conflict.pixels')}
        </p>
      )}
      {count > 0 && (
        <table className={style.table}>
          <thead>
            <tr>
              <th scope="col">{t('conflict.attribute')}</th>
              <th scope="col">{t('conflict.shown')}</th>
              <th scope="col">{versionLabel(place, versions)}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ path, keyword, first, second }) => (
              <tr key={path}>
                <th scope="row" title={path}>
                  {attributeName(keyword, path)}
                </th>
                <td>{first ?? t('conflict.absent')}</td>
                <td>{second ?? t('conflict.absent')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {count > differences.length && <p className={panel.note}>{t('conflict.moreDifferences', { count })}</p>}
    </div>
  )
}
