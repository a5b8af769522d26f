import { type DicomObject, itemsOf, numberOf, numbersOf, jsonTextOf, textsOf } from './dicom-json.ts'
import { groupWith } from './image-plane.ts'

export type OrientationLetters = { left: string; right: string; top: string; bottom: string }

/**
 * The letters at the picture's edges: towards which side of the patient each lies. Undefined where the image does not
 * say how it stands. Source: PS3.3 C.7.6.1.1.1, C.7.6.2.1.1.
 * @param frame from 1; enhanced objects say it for each
 */
export function orientationOf(instance: DicomObject, frame: number): OrientationLetters | undefined {
  const cosines = numbersOf(groupWith(instance, frame, '00209116') ?? instance, '00200037')
  const [right = '', bottom = ''] =
    cosines.length === 6
      ? [directionOf(cosines.slice(0, 3)), directionOf(cosines.slice(3))]
      : textsOf(instance, '00200020')
  if (![right, bottom].every((letters) => /^[LRPAHF]{1,3}$/.test(letters))) return undefined
  return { right, bottom, left: opposite(right), top: opposite(bottom) }
}

const AXES = [
  ['L', 'R'],
  ['P', 'A'],
  ['H', 'F'],
] as const
/** A part that is smaller is not worth a letter: about fifteen degrees. */
const LEAST_PART = 0.26

function directionOf(cosines: readonly number[]): string {
  return AXES.map(([plus, minus], axis) => ({
    letter: (cosines[axis] ?? 0) > 0 ? plus : minus,
    part: Math.abs(cosines[axis] ?? 0),
  }))
    .filter(({ part }) => part > LEAST_PART)
    .toSorted((a, b) => b.part - a.part)
    .map(({ letter }) => letter)
    .join('')
}

/** The letters of a picture that is turned clockwise by a right angle or more, and then flipped from side to side. */
export function turnLetters(letters: OrientationLetters, rotation: number, isFlipped: boolean): OrientationLetters {
  let { left, right, top, bottom } = letters
  for (let angle = 0; angle < rotation; angle += 90) [top, right, bottom, left] = [left, top, right, bottom]
  return isFlipped ? { left: right, right: left, top, bottom } : { left, right, top, bottom }
}

function opposite(direction: string): string {
  const other: Record<string, string> = { L: 'R', R: 'L', P: 'A', A: 'P', H: 'F', F: 'H' }
  return [...direction].map((letter) => other[letter] ?? '').join('')
}

/** Side and view as films carry them: "L MLO". Empty where the image does not say. */
export function markerOf(instance: DicomObject): string {
  const side = jsonTextOf(instance, '00200062') || jsonTextOf(instance, '00200060')
  const [code] = itemsOf(instance, '00540220')
  const view = jsonTextOf(instance, '00185101') || (code ? jsonTextOf(code, '00080104') : '')
  return [/^[LRB]$/.test(side) ? side : '', view].filter((text) => text !== '').join(' ')
}

/** Where a slice lies and how thick it is, in millimetres. */
export function sliceTextOf(instance: DicomObject, frame: number): string {
  const position = numbersOf(groupWith(instance, frame, '00209113') ?? instance, '00200032')
  const cosines = numbersOf(groupWith(instance, frame, '00209116') ?? instance, '00200037')
  const thickness = numberOf(groupWith(instance, frame, '00289110') ?? instance, '00180050')
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = cosines
  const normal = [b * f - c * e, c * d - a * f, a * e - b * d]
  const place =
    position.length === 3 && cosines.length === 6
      ? normal.reduce((sum, part, at) => sum + part * (position[at] ?? 0), 0)
      : undefined
  return [
    place === undefined ? '' : `${place.toFixed(1)} mm`,
    thickness === undefined ? '' : `↕ ${Number(thickness.toFixed(2))} mm`,
  ]
    .filter((text) => text !== '')
    .join('  ')
}
