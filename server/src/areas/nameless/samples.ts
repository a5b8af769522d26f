import type { StoredInstance } from '../storage/instance.sql.ts'

/** Images of a study that are looked at before a copy of it is made. */
const MOST_SAMPLES = 150

type Grouped = Pick<StoredInstance, 'series_uid' | 'sop_class'>

/**
 * The images that stand for the others: the first, the middle and the last of each class in a series. Of a study of too many
 * series the images that none of them stands for are `unseen`: whether text may stand in them nobody knows.
 */
export function chooseSamples<Image extends Grouped>(
  images: readonly Image[],
): { samples: ReadonlySet<Image>; unseen: ReadonlySet<Image> } {
  const samples = new Set<Image>()
  const unseen = new Set<Image>()
  for (const group of Map.groupBy(images, ({ series_uid, sop_class }) => `${series_uid} ${sop_class}`).values()) {
    const chosen = [group[0], group[group.length >> 1], group.at(-1)].filter((one) => one !== undefined)
    const isFull = samples.size >= MOST_SAMPLES
    for (const one of isFull ? group : chosen) (isFull ? unseen : samples).add(one)
  }
  return { samples, unseen }
}
