import type { SeriesImages } from './series-images.ts'
import type { StripSeries } from './series-strip.ts'
import { textsOf } from './dicom-json.ts'

const SCOUT =
  /scout|locali[sz]er|topogram|surview|scano(gram)?\b|survey|3[ -]?plane|dose|protocol|exam summary|screen ?save/i
const WITHOUT_PICTURES = new Set([
  'SR',
  'PR',
  'KO',
  'SEG',
  'RTSTRUCT',
  'RTPLAN',
  'DOC',
  'REG',
  'ECG',
  'HD',
  'ANN',
  'AU',
  'FID',
])
/** Of these a series is a stack of slices; a few images alone are scouts or screens. */
const IN_SLICES = new Set(['CT', 'MR', 'PT', 'NM'])
const FEWEST_SLICES = 4

/** The series of a study, the one that somebody wants to see first at the front. Scouts and reports come last. */
export function byUsefulness(list: readonly StripSeries[]): StripSeries[] {
  const hasStacks = list.some((series) => IN_SLICES.has(series.modality) && (series.count ?? 0) >= FEWEST_SLICES)
  const rank = ({ modality, description, count }: StripSeries) => {
    if (WITHOUT_PICTURES.has(modality)) return 2
    const isFew = hasStacks && IN_SLICES.has(modality) && count !== undefined && count < FEWEST_SLICES
    return isFew || SCOUT.test(description) ? 1 : 0
  }
  return list.toSorted((a, b) => rank(a) - rank(b))
}

/** Whether images say themselves that they are there to plan others by. */
export function isScout(found: SeriesImages): boolean {
  return found.kind === 'images' && textsOf(found.images[0]?.instance ?? {}, '00080008').includes('LOCALIZER')
}
