import { jsonTextOf } from './dicom-json.ts'
import { dot, planeOf } from './image-plane.ts'
import type { ViewerImage } from './series-images.ts'

/** Where an image lies along its own normal. */
export type LinkedImagePlace = { frameOfReference: string; normal: number[]; mm: number }

export function linkedPlaceOf({ instance, frame }: ViewerImage): LinkedImagePlace | undefined {
  const plane = planeOf(instance, frame)
  if (!plane) return undefined
  return {
    frameOfReference: jsonTextOf(instance, '00200052'),
    normal: plane.normal,
    mm: dot(plane.normal, plane.origin),
  }
}

/** Slices of one exam are not quite as those of another, where somebody lies a little turned. */
const ALIKE = 0.9

/** Two places that show the same part of a patient, from when somebody linked two series. */
export type Anchor = { one: LinkedImagePlace; other: LinkedImagePlace }

/**
 * The place in the other series that goes with a place in the one: the same where both count from one origin, else as
 * many millimetres away from the anchor. Undefined where the slices lie in other planes.
 */
export function linkedPlace(anchor: Anchor, one: LinkedImagePlace): LinkedImagePlace | undefined {
  const { other } = anchor
  const turn = dot(one.normal, other.normal)
  if (Math.abs(turn) < ALIKE) return undefined
  const sign = Math.sign(turn)
  const isSameOrigin = one.frameOfReference !== '' && one.frameOfReference === other.frameOfReference
  return { ...other, mm: isSameOrigin ? one.mm * sign : other.mm + (one.mm - anchor.one.mm) * sign }
}

/** The image nearest to a place; undefined where none lies in its plane. */
export function imageAt(images: readonly ViewerImage[], wanted: LinkedImagePlace): number | undefined {
  let nearest: { at: number; away: number } | undefined
  images.forEach((image, at) => {
    const place = linkedPlaceOf(image)
    if (!place || Math.abs(dot(place.normal, wanted.normal)) < ALIKE) return
    const away = Math.abs(place.mm * Math.sign(dot(place.normal, wanted.normal)) - wanted.mm)
    if (!nearest || away < nearest.away) nearest = { at, away }
  })
  return nearest?.at
}
