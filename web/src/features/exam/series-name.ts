import type { ImagePatient } from '@hilum/contract/calls/study-patients'
import { t } from '../../labels/label.ts'

type NamedSeries = Pick<ImagePatient['series'][number], 'modality' | 'description' | 'series_number'>

/** A series of a mixed study as a person reads it: "CT Head", "CT Series 3". */
export function seriesName({ modality, description, series_number: number }: NamedSeries): string {
  const described = description || (number === null ? t('mixed.unnumbered') : t('summary.series', { number }))
  return [modality, described].filter((part) => part !== '').join(' ')
}
