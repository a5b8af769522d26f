import { type DicomObject, numberOf } from './dicom-json.ts'

/** More pixels would take more memory than a page gets. */
const MOST_PIXELS = 2 ** 27
/** Sides that every graphics processor of today draws; known where one can be asked. */
const USUAL_SIDE = 8192

let longestSide: number | undefined

/** An image with more pixels than the browser can draw. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
  readonly rows: number
  readonly columns: number
  constructor(rows: number, columns: number) {
    super(`${rows} × ${columns} pixels`)
    this.rows = rows
    this.columns = columns
  }
}

/** Whether an image has more pixels than can be drawn; asked before any of them come. */
export function findTooLarge(instance: DicomObject): TooLargeError | undefined {
  const [rows, columns] = [numberOf(instance, '00280010') ?? 0, numberOf(instance, '00280011') ?? 0]
  const side = Math.max(rows, columns)
  const isMuch = rows * columns > MOST_PIXELS || (side > USUAL_SIDE && side > findLongestSide())
  return isMuch ? new TooLargeError(rows, columns) : undefined
}

function findLongestSide(): number {
  if (longestSide !== undefined) return longestSide
  const context = document.createElement('canvas').getContext('webgl2')
  const answer: unknown = context?.getParameter(context.MAX_TEXTURE_SIZE)
  longestSide = typeof answer === 'number' ? answer : USUAL_SIDE
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return longestSide
}
