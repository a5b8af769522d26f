import { type DicomObject, itemsOf, numbersOf } from './dicom-json.ts'

/** Where the pixels of a frame lie in the patient, in millimetres. Source: PS3.3 C.7.6.2. */
export type ImagePlane = {
  origin: number[]
  /** Per column and per row. */
  across: number[]
  down: number[]
  normal: number[]
  /** Millimetres between columns and between rows. */
  columnMm: number
  rowMm: number
}

/** The item of a functional group for a frame: its own, or the one that all share. Source: PS3.3 C.7.6.16. */
export function groupWith(instance: DicomObject, frame: number, tag: string): DicomObject | undefined {
  const own = itemsOf(instance, '52009230')[frame - 1]
  return itemsOf(own, tag)[0] ?? itemsOf(itemsOf(instance, '52009229')[0], tag)[0]
}

/** @param frame from 1 */
export function planeOf(instance: DicomObject, frame: number): ImagePlane | undefined {
  const origin = numbersOf(groupWith(instance, frame, '00209113') ?? instance, '00200032')
  const cosines = numbersOf(groupWith(instance, frame, '00209116') ?? instance, '00200037')
  const [rowMm, columnMm] = numbersOf(groupWith(instance, frame, '00289110') ?? instance, '00280030')
  if (origin.length !== 3 || cosines.length !== 6 || !rowMm || !columnMm) return undefined
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = cosines
  return {
    origin,
    across: [a, b, c],
    down: [d, e, f],
    normal: [b * f - c * e, c * d - a * f, a * e - b * d],
    columnMm,
    rowMm,
  }
}

export const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, part, at) => sum + part * (b[at] ?? 0), 0)
