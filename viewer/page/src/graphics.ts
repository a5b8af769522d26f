import { type DicomObject, itemsOf, numbersOf, jsonTextOf } from './dicom-json.ts'
import type { Colour } from './segment-colours.ts'

/** A part of an image, in pixels from its corner. */
export type Area = { left: number; top: number; right: number; bottom: number }
type Point = readonly [x: number, y: number]
/** Undefined for the colour of annotations. */
type Coloured = { colour?: Colour }

/** An annotation of a presentation state, in pixels from the image's corner. */
export type Graphic =
  | ({ kind: 'lines'; points: Point[]; isFilled: boolean } & Coloured)
  | ({ kind: 'dots'; points: Point[] } & Coloured)
  | { kind: 'circle'; center: Point; onEdge: Point; isFilled: boolean }
  /** The ends of both axes. */
  | { kind: 'ellipse'; ends: [Point, Point, Point, Point]; isFilled: boolean }
  | { kind: 'text'; text: string; at: Point; anchor: Point | undefined }

/** Graphics and texts of one item. Source: PS3.3 C.10.5. */
export function readGraphics(item: DicomObject, area: Area | undefined): Graphic[] {
  return [
    ...itemsOf(item, '00700009').flatMap((graphic) => readGraphic(graphic, area)),
    ...itemsOf(item, '00700008').flatMap((text) => readText(text, area)),
  ]
}

function readGraphic(object: DicomObject, area: Area | undefined): Graphic[] {
  const points = pointsOf(object, '00700022', jsonTextOf(object, '00700005'), area)
  const [first, second, third, fourth] = points
  if (first === undefined) return []
  const isFilled = jsonTextOf(object, '00700024') === 'Y'
  switch (jsonTextOf(object, '00700023')) {
    case 'POINT':
      return [{ kind: 'dots', points }]
    case 'CIRCLE':
      return second ? [{ kind: 'circle', center: first, onEdge: second, isFilled }] : []
    case 'ELLIPSE':
      return second && third && fourth ? [{ kind: 'ellipse', ends: [first, second, third, fourth], isFilled }] : []
    default:
      return second ? [{ kind: 'lines', points, isFilled }] : []
  }
}

function readText(object: DicomObject, area: Area | undefined): Graphic[] {
  const text = jsonTextOf(object, '00700006')
  const [corner] = pointsOf(object, '00700010', jsonTextOf(object, '00700003'), area)
  const [anchor] = pointsOf(object, '00700014', jsonTextOf(object, '00700004'), area)
  const at = corner ?? anchor
  if (text === '' || at === undefined) return []
  const isPointedOut = corner !== undefined && jsonTextOf(object, '00700015') === 'Y'
  return [{ kind: 'text', text, at, anchor: isPointedOut ? anchor : undefined }]
}

/** Points of the screen are shares of the displayed area; without one they have no place in the image. */
function pointsOf(object: DicomObject, tag: string, units: string, area: Area | undefined): Point[] {
  const values = numbersOf(object, tag)
  const points = values.flatMap((x, at) => {
    const y = values[at + 1]
    return at % 2 === 0 && y !== undefined ? [[x, y] as const] : []
  })
  if (units !== 'DISPLAY') return points
  if (area === undefined) return []
  return points.map(([x, y]) => [area.left + x * (area.right - area.left), area.top + y * (area.bottom - area.top)])
}
