import type { ImagePatient } from '@hilum/contract/calls/study-patients'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { splitPreviewQuery } from '../../queries/study-split.ts'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './separate.module.css'
import { SeparateForm } from './separate-form.tsx'
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
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const chosen = series.filter((one) => !without.has(one.series_uid))
  const move =
    without.size === 0 ? [{ patient: key }] : chosen.map(({ series_uid: uid }) => ({ patient: key, series_uid: uid }))
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(splitPreviewQuery(study.uuid, move))
  const handleSeries = (uid: string, isIn: boolean) => {
    const next = new Set(without)
    if (isIn) next.delete(uid)
    else next.add(uid)
    setWithout(next)
  }
  const isCurrent = chosen.length > 0 && !isPlaceholderData && !isFetching
  return (
    <Dialog
      title={t('split.title', { name: nameText(patient.patient_name) || t('card.noName') })}
      closeLabel={t('button.close')}
      onClose={onClose}
    >
      <div className={style.steps}>
        {series.length > 1 && (
          <fieldset className={style.series}>
            <legend>{t('split.series')}</legend>
            {series.map((one) => (
              <Checkbox
                key={one.series_uid}
                label={`${seriesName(one)} · ${t('summary.images', { count: one.images })}`}
                checked={!without.has(one.series_uid)}
                onChange={(event) => handleSeries(one.series_uid, event.currentTarget.checked)}
              />
            ))}
          </fieldset>
        )}
        {patient.more_series > 0 && without.size === 0 && (
          <p className={style.note}>{t('split.unnamedSeries', { count: patient.more_series })}</p>
        )}
        {chosen.length === 0 && <Banner tone="neutral">{t('split.noSeries')}</Banner>}
        {error && failureCode(error) === 'INVALID_FIELD' && <Banner tone="failed">{t('split.choiceGone')}</Banner>}
        {error && failureCode(error) !== 'INVALID_FIELD' && (
          <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
            {t('split.readFailed')}
          </FailedBanner>
        )}
        {!error && !data && chosen.length > 0 && <LoadingState label={t('split.reading')} />}
        {!error && data && chosen.length > 0 && (
          <SeparatePreview preview={data} isReading={isFetching} onReadAgain={() => void refetch()} />
        )}
        {!error && data && data.obstacles.length === 0 && data.stays.images > 0 ? (
          <SeparateForm
            study={study}
            move={move}
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
