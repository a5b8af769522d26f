import { type DicomObject, numberOf, numbersOf, textOf, textsOf } from './dicom-json.ts'

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

/** The item of a functional group for a frame: its own, or the one that all share. */
function groupWith(instance: DicomObject, frame: number, tag: string): DicomObject | undefined {
  const items = (sequence: string, at: number) => instance[sequence]?.Value?.[at] as DicomObject | undefined // PS3.18 F.2.3
  const group = items('52009230', frame - 1)?.[tag] ?? items('52009229', 0)?.[tag]
  return group?.Value?.[0] as DicomObject | undefined // as above
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

function opposite(direction: string): string {
  const other: Record<string, string> = { L: 'R', R: 'L', P: 'A', A: 'P', H: 'F', F: 'H' }
  return [...direction].map((letter) => other[letter] ?? '').join('')
}

/** Side and view as films carry them: "L MLO". Empty where the image does not say. */
export function markerOf(instance: DicomObject): string {
  const side = textOf(instance, '00200062') || textOf(instance, '00200060')
  const code = instance['00540220']?.Value?.[0] as DicomObject | undefined // PS3.18 F.2.3
  const view = textOf(instance, '00185101') || (code ? textOf(code, '00080104') : '')
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
