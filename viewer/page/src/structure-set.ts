import { type DicomObject, itemsOf, jsonTextOf, numberOf, numbersOf } from './dicom-json.ts'
import type { Graphic } from './graphics.ts'
import { dot, groupWith, type ImagePlane, planeOf } from './image-plane.ts'
import { type References, referencesOf, refersTo } from './references.ts'
import { type Colour, usualColour } from './segment-colours.ts'
import type { Segment } from './segmentation.ts'

/** Outlines of structures in the patient, as radiotherapy plans them. Source: PS3.3 A.19. */
export type StructureSet = {
  instance: DicomObject
  /** Structures with contours, in the order of the set. */
  structures: Segment[]
  contours: readonly Contour[]
  seriesUids: string[]
}
type Contour = {
  structure: Segment
  kind: 'closed' | 'open' | 'points'
  /** In millimetres of the patient. */
  points: readonly Position[]
  frameOfReference: string
  /** Images that it is said to lie on; none where its place alone says so. */
  sources: References
}
type Position = readonly [x: number, y: number, z: number]

const STRUCTURE_SET = '1.2.840.10008.5.1.4.1.1.481.3'
const KINDS: Readonly<Record<string, Contour['kind']>> = {
  CLOSED_PLANAR: 'closed',
  CLOSEDPLANAR_XOR: 'closed',
  OPEN_PLANAR: 'open',
  POINT: 'points',
}

export function readStructureSets(instances: readonly DicomObject[]): StructureSet[] {
  return instances.filter((instance) => jsonTextOf(instance, '00080016') === STRUCTURE_SET).map(readStructureSet)
}

function readStructureSet(instance: DicomObject): StructureSet {
  const drawn = new Map(itemsOf(instance, '30060039').map((item) => [numberOf(item, '30060084'), item] as const))
  const contours: Contour[] = []
  const structures = itemsOf(instance, '30060020').flatMap((item, at): Segment[] => {
    const number = numberOf(item, '30060022')
    const drawing = number === undefined ? undefined : drawn.get(number)
    if (number === undefined || !drawing) return []
    const structure = {
      number,
      label: jsonTextOf(item, '30060026') || `${number}`,
      colour: colourOf(numbersOf(drawing, '3006002A')) ?? usualColour(at),
    }
    const frameOfReference = jsonTextOf(item, '30060024')
    const own = itemsOf(drawing, '30060040').flatMap((contour) => readContour(contour, structure, frameOfReference))
    contours.push(...own)
    return own.length > 0 ? [structure] : []
  })
  return { instance, structures, contours, seriesUids: seriesOf(instance) }
}

function readContour(item: DicomObject, structure: Segment, frameOfReference: string): Contour[] {
  const kind = KINDS[jsonTextOf(item, '30060042')]
  const values = numbersOf(item, '30060050')
  // a number that cannot be read would move all after it
  if (!kind || values.length === 0 || values.length % 3 > 0 || values.length !== item['30060050']?.Value?.length)
    return []
  const points = Array.from(
    { length: values.length / 3 },
    (_, at): Position => [values[at * 3] ?? 0, values[at * 3 + 1] ?? 0, values[at * 3 + 2] ?? 0],
  )
  return [{ structure, kind, points, frameOfReference, sources: referencesOf(itemsOf(item, '30060016')) }]
}

function colourOf(parts: readonly number[]): Colour | undefined {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Math.min(255, Math.max(0, Math.round(part))))
  return parts.length === 3 ? [red, green, blue] : undefined
}

function seriesOf(instance: DicomObject): string[] {
  return itemsOf(instance, '30060010')
    .flatMap((place) => itemsOf(place, '30060012'))
    .flatMap((study) => itemsOf(study, '30060014'))
    .map((series) => jsonTextOf(series, '0020000E'))
}

type Image = { instance: DicomObject; sopUid: string; frame: number }
type LaidContour = { structure: Segment; graphic: Graphic }

/** The contours that lie on an image: on the images they name, else on those of the same place. */
export function contoursOn(sets: readonly StructureSet[], image: Image): LaidContour[] {
  const plane = sets.length > 0 ? planeOf(image.instance, image.frame) : undefined
  if (!plane) return []
  return layingOn(sets, image, plane).map((one) => ({ structure: one.structure, graphic: graphicOf(one, plane) }))
}

/** Structures that lie on an image, each once. */
export function structuresOn(sets: readonly StructureSet[], image: Image): Segment[] {
  const plane = sets.length > 0 ? planeOf(image.instance, image.frame) : undefined
  return plane ? [...new Set(layingOn(sets, image, plane).map(({ structure }) => structure))] : []
}

function layingOn(sets: readonly StructureSet[], image: Image, plane: ImagePlane): Contour[] {
  const isOnIt = placeOf(image, plane)
  return sets.flatMap(({ contours }) =>
    contours.filter((one) => (one.sources.size > 0 ? refersTo(one.sources, image.sopUid, image.frame) : isOnIt(one))),
  )
}

/** Where an image does not say how thick it is. */
const USUAL_THICKNESS_MM = 1

function placeOf({ instance, frame }: Image, plane: ImagePlane): (contour: Contour) => boolean {
  const frameOfReference = jsonTextOf(instance, '00200052')
  const thicknessMm = numberOf(groupWith(instance, frame, '00289110') ?? instance, '00180050') || USUAL_THICKNESS_MM
  const isNear = (point: Position) => Math.abs(dot(awayFrom(plane, point), plane.normal)) < thicknessMm / 2
  return (contour) => contour.frameOfReference === frameOfReference && contour.points.every(isNear)
}

const awayFrom = ({ origin }: ImagePlane, point: Position) => point.map((part, at) => part - (origin[at] ?? 0))

/** In pixels from the corner of the image: positions are of the middle of its first pixel. */
function graphicOf({ kind, points, structure }: Contour, plane: ImagePlane): Graphic {
  const drawn = points.map((point) => {
    const away = awayFrom(plane, point)
    return [dot(away, plane.across) / plane.columnMm + 0.5, dot(away, plane.down) / plane.rowMm + 0.5] as const
  })
  const { colour } = structure
  if (kind === 'points') return { kind: 'dots', points: drawn, colour }
  const [first] = drawn
  return {
    kind: 'lines',
    points: kind === 'closed' && first ? [...drawn, first] : drawn,
    isFilled: false,
    colour,
  }
}
