import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { type StoredSeries, studySchemaQuery, thumbnailAddress } from '../../queries/study-schema.ts'
import { IconPhotoOff } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './exam-panel.module.css'
import { pictureless } from './pictureless.ts'

/** More pictures than this say less: the rest is counted. */
const shownSeries = 12

/** A picture for each series, from the middle of it, where there is most to see. */
export function SeriesThumbnails({ study }: { study: Study }) {
  const { data, error } = useQuery({ ...studySchemaQuery(study, study.image_count), enabled: study.image_count > 0 })
  if (study.image_count === 0) return <p className={style.note}>{t('summary.noImages')}</p>
  if (error && !data) return <p className={style.note}>{t('summary.thumbnailsFailed')}</p>
  if (!data) return <LoadingState label={t('loading')} />
  const rest = data.length - shownSeries
  return (
    <>
      <ul className={style.thumbnails} aria-label={t('summary.thumbnails')}>
        {data.slice(0, shownSeries).map((series, index) => (
          <SeriesThumbnail key={series.series_uid} study={study} series={series} position={index + 1} />
        ))}
      </ul>
      {rest > 0 && <p className={style.note}>{t('summary.moreSeries', { count: rest })}</p>}
    </>
  )
}

function SeriesThumbnail({ study, series, position }: { study: Study; series: StoredSeries; position: number }) {
  const [hasFailed, setHasFailed] = useState(false)
  const { images } = series
  const middle = images[Math.floor(images.length / 2)]
  const frame = Math.floor((middle?.frame_count ?? 1) / 2)
  const frames = images.reduce((sum, image) => sum + (image.frame_count ?? 1), 0)
  const known = middle && pictureless(series, middle)
  const reason = known ?? (middle && !hasFailed ? undefined : t('picture.undrawable'))
  const description = series.series_description || t('summary.series', { number: series.series_number || position })
  const count = t('summary.images', { count: frames })
  return (
    <li className={style.thumbnail} title={t('summary.thumbnail', { description, images: count })}>
      <span className={style.picture}>
        {reason || !middle ? (
          <span
            className={style.noPicture}
            role="img"
            aria-label={t('summary.noPictureOf', { series: description, reason: reason ?? '' })}
          >
            <IconPhotoOff size={20} aria-hidden="true" />
            {reason}
          </span>
        ) : (
          <img
            src={thumbnailAddress(study, middle, frame)}
            alt={t('summary.thumbnail', { description, images: count })}
            loading="lazy"
            decoding="async"
            onError={() => setHasFailed(true)}
          />
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
