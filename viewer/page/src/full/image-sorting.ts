type Placed = {
  ImageOrientationPatient?: ArrayLike<unknown>
  ImagePositionPatient?: ArrayLike<unknown>
  InstanceNumber?: unknown
}

/** Scanners write the cosines of one orientation with small differences. */
const SAME_DIRECTION = 0.99

/**
 * The one order of images in both viewers (image-order.ts), by two images at a time, as OHIF asks for it: slices of one
 * orientation by their position along its normal, all else by number.
 */
export function compareImages(one: Placed, other: Placed): number {
  const [normal, second] = [normalOf(one), normalOf(other)]
  const isOneStack = normal && second && along(normal, second) >= SAME_DIRECTION
  const byPlace = isOneStack
    ? along(normal, one.ImagePositionPatient ?? []) - along(normal, other.ImagePositionPatient ?? [])
    : 0
  return byPlace || (Number(one.InstanceNumber) || 0) - (Number(other.InstanceNumber) || 0)
}

function normalOf({ ImageOrientationPatient: cosines, ImagePositionPatient: position }: Placed): number[] | undefined {
  if (cosines?.length !== 6 || position?.length !== 3) return undefined
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(cosines, Number)
  return [b * f - c * e, c * d - a * f, a * e - b * d]
}

function along(normal: readonly number[], place: ArrayLike<unknown>): number {
  return normal.reduce((sum, part, at) => sum + part * Number(place[at]), 0)
}
