/** A series that a person may choose. */
export interface OfferedSeries {
  uid: string
  name: string
  images: number
  /** Other patients have images in the series too, which are not offered with it. */
  isShared: boolean
}

/** Of each series what was chosen: all that is offered of it, or these images by their SOP Instance UIDs. */
export type ChosenImages = ReadonlyMap<string, 'all' | ReadonlySet<string>>

/** The choice with another one for a series; a series of which nothing is chosen is left out. */
export function withSeries(chosen: ChosenImages, uid: string, what: 'all' | ReadonlySet<string>): ChosenImages {
  const next = new Map(chosen)
  if (what !== 'all' && what.size === 0) next.delete(uid)
  else next.set(uid, what)
  return next
}

/** The choice as calls name it: series of which all is chosen, and the single images of others. */
export function namesOfChosen(chosen: ChosenImages): { series_uids: string[]; image_uids: string[] } {
  const series_uids: string[] = []
  const image_uids: string[] = []
  for (const [uid, what] of chosen) {
    if (what === 'all') series_uids.push(uid)
    else image_uids.push(...what)
  }
  return { series_uids, image_uids }
}
