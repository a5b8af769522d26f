import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { studySchemaQuery } from '../../queries/study-schema.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import type { ChosenImages } from './chosen-images.ts'
import { ImageChoice } from './image-choice.tsx'
import { seriesName } from './series-name.ts'

interface MergedSeriesProps {
  study: Partial<Study>
  chosen: ChosenImages
  onChange: (chosen: ChosenImages) => void
}

/** Chooses the series and images of an exam that go to another one. */
export function MergedSeries({ study, chosen, onChange }: MergedSeriesProps) {
  const { storage_namespace = '', study_uid = '', phi_namespace = '', image_count = 0 } = study
  const place = { storage_namespace, study_uid, phi_namespace, image_count }
  const { data, error, refetch, isFetching } = useQuery(studySchemaQuery(place, image_count))
  if (error && !data) {
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('choice.failed')}
      </FailedBanner>
    )
  }
  if (!data) return <LoadingState label={t('choice.reading')} />
  const series = data.map((one) => ({
    uid: one.series_uid,
    name: seriesName({
      modality: one.modality ?? '',
      description: one.series_description ?? '',
      series_number: numberOf(one.series_number),
    }),
    images: one.images.length,
    isShared: false,
  }))
  return (
    <ImageChoice legend={t('merge.chosenSeries')} study={place} series={series} chosen={chosen} onChange={onChange} />
  )
}

const numberOf = (number: string | number | null | undefined) =>
  number === null || number === undefined || number === '' ? null : Number(number)
