import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { pictureFaultQuery, type SchemaSeries, studySchemaQuery, thumbnailAddress } from '../../queries/study-schema.ts'
import { IconPhoto, IconPhotoOff } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import acts from './acts.module.css'
import panel from './exam-panel.module.css'
import { pictureless } from './pictureless.ts'
import style from './series-thumbnails.module.css'

/** More pictures than this say less: the rest is counted. */
const shownSeries = 12

/** A picture for each series, from the middle of it, where there is most to see. */
export function SeriesThumbnails({ study }: { study: Study }) {
  const { data, error } = useQuery({ ...studySchemaQuery(study, study.image_count), enabled: study.image_count > 0 })
  if (study.image_count === 0) return <NoImages study={study} />
  if (error && !data) return <p className={panel.note}>{t('summary.thumbnailsFailed')}</p>
  if (!data) return <LoadingState label={t('loading')} />
  const rest = data.length - shownSeries
  return (
    <>
      <ul className={style.thumbnails} aria-label={t('summary.thumbnails')}>
        {data.slice(0, shownSeries).map((series, index) => (
          <SeriesThumbnail key={series.series_uid} study={study} series={series} position={index + 1} />
        ))}
      </ul>
      {rest > 0 && <p className={panel.note}>{t('summary.moreSeries', { count: rest })}</p>}
    </>
  )
}

/** An exam without images: none came yet, or all of them went to another exam. */
function NoImages({ study: { merged_into: into } }: { study: Study }) {
  if (into === undefined) return <p className={panel.note}>{t('summary.noImages')}</p>
  if (into === '') return <p className={panel.note}>{t('summary.mergedElsewhere')}</p>
  return (
    <p className={panel.note}>
      {t('summary.mergedAway')}{' '}
      <Link to="/group/list" search={{ study: into }} className={acts.link}>
        {t('merge.toOther')}
      </Link>
    </p>
  )
}

function SeriesThumbnail({ study, series, position }: { study: Study; series: SchemaSeries; position: number }) {
  const { images } = series
  const middle = images[Math.floor(images.length / 2)]
  const frames = images.reduce((sum, image) => sum + (image.frame_count ?? 1), 0)
  const description = series.series_description || t('summary.series', { number: series.series_number || position })
  const label = t('summary.thumbnail', { description, images: t('summary.images', { count: frames }) })
  const known = middle && pictureless(series, middle)
  return (
    <li className={style.thumbnail} title={label}>
      <span className={style.picture}>
        {known ? (
          <NoPicture series={description} reason={known} />
        ) : middle ? (
          <Picture
            address={thumbnailAddress(study, middle, Math.floor((middle.frame_count ?? 1) / 2))}
            label={label}
            series={description}
          />
        ) : (
          <NoPicture series={description} reason={t('picture.none')} />
        )}
        <span className={style.count} aria-hidden="true">
          {frames}
        </span>
      </span>
      <span className={style.caption} aria-hidden="true">
        {description}
      </span>
    </li>
  )
}

/** Quiet until the picture is there: an empty black square would pass for one. */
function Picture({ address, label, series }: { address: string; label: string; series: string }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const { data: fault } = useQuery({ ...pictureFaultQuery(address), enabled: state === 'failed' })
  if (fault) return <NoPicture series={series} reason={t(`picture.${fault.kind}`)} detail={fault.detail} />
  return (
    <>
      {state !== 'shown' && <IconPhoto size={22} className={style.awaited} />}
      {state !== 'failed' && (
        <img
          src={address}
          alt={label}
          data-state={state}
          loading="lazy"
          decoding="async"
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
        />
      )}
    </>
  )
}

function NoPicture({ series, reason, detail = '' }: { series: string; reason: string; detail?: string }) {
  const label = t('summary.noPictureOf', { series, reason: detail || reason })
  return (
    <span className={style.noPicture} role="img" aria-label={label} title={label}>
      <IconPhotoOff size={20} />
      {reason}
    </span>
  )
}
