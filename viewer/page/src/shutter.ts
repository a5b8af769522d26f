import { type DicomObject, numberOf, numbersOf, textsOf } from './dicom-json.ts'

/** The part of an image that may be seen, in pixels from its corner, and how bright the rest is. */
export type Shutter = {
  shapes: ShutterShape[]
  grey: number
  /** The group of the overlay whose bits cover the image, e.g. `6002`. */
  bitmap: string | undefined
}
export type ShutterShape =
  | { kind: 'polygon'; points: (readonly [x: number, y: number])[] }
  | { kind: 'circle'; x: number; y: number; radius: number }

/** Each shape hides more. Source: PS3.3 C.7.6.11, C.7.6.15 (bits of an overlay). */
export function readShutter(object: DicomObject): Shutter | undefined {
  const kinds = textsOf(object, '00181600')
  const shapes: ShutterShape[] = []
  if (kinds.includes('RECTANGULAR')) {
    const [left, right, top, bottom] = ['00181602', '00181604', '00181606', '00181608'].map((tag) =>
      numberOf(object, tag),
    )
    if (left !== undefined && right !== undefined && top !== undefined && bottom !== undefined) {
      const [x, y] = [left - 1, top - 1]
      shapes.push({
        kind: 'polygon',
        points: [
          [x, y],
          [right, y],
          [right, bottom],
          [x, bottom],
        ],
      })
    }
  }
  if (kinds.includes('CIRCULAR')) {
    const [row, column] = numbersOf(object, '00181610')
    const radius = numberOf(object, '00181612')
    if (row !== undefined && column !== undefined && radius !== undefined)
      shapes.push({ kind: 'circle', x: column - 0.5, y: row - 0.5, radius })
  }
  if (kinds.includes('POLYGONAL')) {
    const values = numbersOf(object, '00181620')
    const points = values.flatMap((row, at) => {
      const column = values[at + 1]
      return at % 2 === 0 && column !== undefined ? [[column - 0.5, row - 0.5] as const] : []
    })
    if (points.length > 2) shapes.push({ kind: 'polygon', points })
  }
  const grey = Math.round(((numberOf(object, '00181622') ?? 0) / 0xffff) * 255)
  const group = numberOf(object, '00181623')
  const bitmap = kinds.includes('BITMAP') && group ? group.toString(16).toUpperCase() : undefined
  if (shapes.length === 0 && bitmap === undefined) return undefined
  return { shapes, grey: Math.min(255, Math.max(0, grey)), bitmap }
}
