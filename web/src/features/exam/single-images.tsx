import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { type StoredImage, type StudyPlace, studySchemaQuery, thumbnailAddress } from '../../queries/study-schema.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import type { OfferedSeries } from './chosen-images.ts'
import style from './image-choice.module.css'

/** Images that are shown at once; further ones come when asked for. */
const shownAtOnce = 48

interface SingleImagesProps {
  study: StudyPlace & { image_count: number }
  series: OfferedSeries
  chosen: 'all' | ReadonlySet<string>
  onChange: (chosen: 'all' | ReadonlySet<string>) => void
}

/** The images of a series in their order, each to be chosen by itself. */
export function SingleImages({ study, series, chosen, onChange }: SingleImagesProps) {
  const { data, error, refetch, isFetching } = useQuery(studySchemaQuery(study, study.image_count))
  const [shown, setShown] = useState(shownAtOnce)
  if (error && !data) {
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('choice.failed')}
      </FailedBanner>
    )
  }
  if (!data) return <LoadingState label={t('choice.reading')} />
  const images = data.find((one) => one.series_uid === series.uid)?.images ?? []
  const handleImage = (id: string, isIn: boolean) => {
    const next = new Set(chosen === 'all' ? images.map((one) => one.id) : chosen)
    if (isIn) next.add(id)
    else next.delete(id)
    onChange(next.size === images.length && !series.isShared ? 'all' : next)
  }
  const rest = images.length - shown
  return (
    <div className={style.images} role="group" aria-label={t('choice.singleOf', { series: series.name })}>
      {series.isShared && <p className={style.note}>{t('choice.shared')}</p>}
      <ul>
        {images.slice(0, shown).map((one, index) => (
          <li key={one.id}>
            <Checkbox
              label={
                <span className={style.image}>
                  <Picture study={study} image={one} />
                  {t('choice.image', { number: index + 1 })}
                </span>
              }
              checked={chosen === 'all' || chosen.has(one.id)}
              onChange={(event) => handleImage(one.id, event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Button variant="default" size="compact-xs" onClick={() => setShown(shown + shownAtOnce)}>
          {t('choice.more', { count: Math.min(rest, shownAtOnce) })}
        </Button>
      )}
    </div>
  )
}

function Picture({ study, image }: { study: StudyPlace; image: StoredImage }) {
  const [isWithout, setWithout] = useState(false)
  if (isWithout) return <span className={style.noPicture}>{t('picture.none')}</span>
  const address = thumbnailAddress(study, image, Math.floor((image.frame_count ?? 1) / 2))
  return <img className={style.picture} src={address} alt="" loading="lazy" onError={() => setWithout(true)} />
}
