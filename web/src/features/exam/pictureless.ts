import { t } from '../../labels/label.ts'
import type { StoredImage, SchemaSeries } from '../../queries/study-schema.ts'

/** Kinds of objects that are no pictures, by their SOP class (PS3.4 B.5) or the beginning of it. */
const kinds = [
  ['1.2.840.10008.5.1.4.1.1.104.', 'picture.document'],
  ['1.2.840.10008.5.1.4.1.1.88.59', 'picture.presentation'],
  ['1.2.840.10008.5.1.4.1.1.88.', 'picture.report'],
  ['1.2.840.10008.5.1.4.1.1.11.', 'picture.presentation'],
  ['1.2.840.10008.5.1.4.1.1.481.3', 'picture.contours'],
  ['1.2.840.10008.5.1.4.1.1.481.5', 'picture.contours'],
  ['1.2.840.10008.5.1.4.1.1.9.', 'picture.waveform'],
] as const

/** Why a series has no picture of its own; undefined when it should have one. */
export function pictureless(
  { modality }: Pick<SchemaSeries, 'modality'>,
  { sop_class_uid: sopClass }: Pick<StoredImage, 'sop_class_uid'>,
): string | undefined {
  const kind = kinds.find(([start]) => sopClass?.startsWith(start))
  if (kind) return t(kind[1])
  if (sopClass) return undefined
  return modality === 'SR' ? t('picture.report') : undefined
}
