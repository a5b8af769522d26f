/** Series and single images of an exam that somebody chose, by their UIDs. */
type MergeChoice = { seriesUids: readonly string[]; sopUids: readonly string[] }

type Amount = { images: number; series: number }
export type PickedImages = {
  /** Numbers of the images that move, every version of each. */
  seqs: number[]
  moves: Amount
  /** Images and series that stay in the exam. */
  rest: Amount
  /** Series of which every image moves. */
  wholeSeries: string[]
  /** Series of which some images move and others stay. */
  partedSeries: string[]
}

type Named = { seq: number; series_uid: string; sop_uid: string; is_primary: boolean }

/**
 * The images of an exam that a choice moves; of an image that is chosen every version moves.
 * @returns the field that names nothing of the exam, or `undefined` where everything is chosen, which is the whole exam
 */
export function pickImages(
  images: readonly Named[],
  { seriesUids, sopUids }: MergeChoice,
): PickedImages | { unknown: 'series_uids' | 'image_uids' } | undefined {
  const [series, sops] = [new Set(seriesUids), new Set(sopUids)]
  const uidsOf = (name: 'series_uid' | 'sop_uid', of = images) => new Set(of.map((one) => one[name]))
  if (!series.isSubsetOf(uidsOf('series_uid'))) return { unknown: 'series_uids' }
  if (!sops.isSubsetOf(uidsOf('sop_uid'))) return { unknown: 'image_uids' }
  const isChosen = (one: Named) => series.has(one.series_uid) || sops.has(one.sop_uid)
  const moves = images.filter(isChosen)
  const rest = images.filter((one) => !isChosen(one))
  if (moves.length === 0) return { unknown: 'series_uids' }
  if (rest.length === 0) return undefined
  const [moved, left] = [uidsOf('series_uid', moves), uidsOf('series_uid', rest)]
  const shown = (of: readonly Named[]) => of.filter((one) => one.is_primary).length
  return {
    seqs: moves.map(({ seq }) => seq),
    moves: { images: shown(moves), series: moved.size },
    rest: { images: shown(rest), series: left.size },
    wholeSeries: [...moved.difference(left)],
    partedSeries: [...moved.intersection(left)],
  }
}
