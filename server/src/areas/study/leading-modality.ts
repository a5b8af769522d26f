/** Modalities of what accompanies images: reports, marks on images, plans. */
const companions = new Set([
  'AU',
  'DOC',
  'FID',
  'KO',
  'PLAN',
  'PR',
  'REG',
  'RTPLAN',
  'RTRECORD',
  'RTSTRUCT',
  'RWV',
  'SEG',
  'SR',
])

/**
 * The modality to call a study by: that of the image it began with, or, when it began with a report, of its images.
 * @param first modality of the object that came first
 * @param all modalities of its series
 */
export function leadingModality(first: string, all: readonly string[]): string {
  if (first !== '' && !companions.has(first)) return first
  return all.find((one) => !companions.has(one)) ?? first
}
