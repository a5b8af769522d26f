import type { ImagePatient } from '@hilum/contract/calls/study-patients'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { type MovedPart, splitPreviewQuery } from '../../queries/study-split.ts'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { type ChosenImages, namesOfChosen } from './chosen-images.ts'
import { ImageChoice } from './image-choice.tsx'
import style from './separate.module.css'
import { nothingTyped, SeparateForm } from './separate-form.tsx'
import { SeparatePreview } from './separate-preview.tsx'
import { seriesName } from './series-name.ts'

interface SeparateDialogProps {
  study: Study
  patient: ImagePatient
  onClose: () => void
  /** The server has begun, and the list of separations says so. */
  onBegun: () => void
}

/** Separates the images of one patient from a study: shows what would move, and asks whose the new exam is. */
export function SeparateDialog({ study, patient, onClose, onBegun }: SeparateDialogProps) {
  const { key, series } = patient
  const [chosen, setChosen] = useState<ChosenImages>(() => new Map(series.map((one) => [one.series_uid, 'all'])))
  const [typed, setTyped] = useState(nothingTyped)
  const { series_uids: whole, image_uids } = namesOfChosen(chosen)
  const isAll = whole.length === series.length
  const move: MovedPart[] = isAll ? [{ patient: key }] : whole.map((uid) => ({ patient: key, series_uid: uid }))
  const choice = { move, image_uids }
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(splitPreviewQuery(study.uuid, choice))
  const isCurrent = chosen.size > 0 && !isPlaceholderData && !isFetching && error === null
  return (
    <Dialog
      title={t('split.title', { name: nameText(patient.patient_name) || t('card.noName') })}
      closeLabel={t('button.close')}
      onClose={onClose}
    >
      <div className={style.steps}>
        {(series.length > 1 || patient.images > 1) && (
          <ImageChoice
            legend={t('split.series')}
            study={study}
            series={series.map((one) => ({
              uid: one.series_uid,
              name: seriesName(one),
              images: one.images,
              isShared: one.is_shared === 1,
            }))}
            chosen={chosen}
            onChange={setChosen}
          />
        )}
        {patient.more_series > 0 && isAll && (
          <p className={style.note}>{t('split.unnamedSeries', { count: patient.more_series })}</p>
        )}
        {chosen.size === 0 && <Banner tone="neutral">{t('split.noSeries')}</Banner>}
        {error && failureCode(error) === 'INVALID_FIELD' && <Banner tone="failed">{t('split.choiceGone')}</Banner>}
        {error && failureCode(error) !== 'INVALID_FIELD' && (
          <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
            {t('split.readFailed')}
          </FailedBanner>
        )}
        {!error && !data && chosen.size > 0 && <LoadingState label={t('split.reading')} />}
        {data && chosen.size > 0 && (
          <SeparatePreview preview={data} isReading={isFetching} onReadAgain={() => void refetch()} />
        )}
        {data && data.obstacles.length === 0 && data.stays.images > 0 ? (
          <SeparateForm
            study={study}
            typed={typed}
            onType={setTyped}
            choice={choice}
            preview={data}
            isCurrent={isCurrent}
            onCancel={onClose}
            onBegun={onBegun}
          />
        ) : (
          <div className={style.buttons}>
            <Button variant="default" onClick={onClose}>
              {t('button.close')}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
