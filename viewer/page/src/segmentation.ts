import { type DicomObject, itemsOf, numberOf, numbersOf, jsonTextOf } from './dicom-json.ts'
import { dot, groupWith, type ImagePlane, planeOf } from './image-plane.ts'
import { type Colour, createPalette, usualColour } from './segment-colours.ts'
import { type References, referencedSeries, referencesOf, refersTo } from './references.ts'

export type Segment = { number: number; label: string; colour: Colour }

/** A segmentation: parts of images marked pixel by pixel. Source: PS3.3 A.51. */
export type Segmentation = {
  instance: DicomObject
  seriesUid: string
  sopUid: string
  rows: number
  columns: number
  /** A bit for each pixel of a segment, a byte with its share of the largest value, or the number of the pixel's segment. */
  kind: 'bits' | 'shares' | 'labels'
  largest: number
  /** Of labels: bytes of a number, and the number that stands for no segment. */
  labelBytes: 1 | 2
  padding: number | undefined
  segments: Segment[]
  frames: SegmentFrame[]
  seriesUids: string[]
}
type SegmentFrame = { frame: number; segments: readonly Segment[]; sources: References; plane: ImagePlane | undefined }

const SEGMENTATION = '1.2.840.10008.5.1.4.1.1.66.4'
const LABEL_MAP = '1.2.840.10008.5.1.4.1.1.66.7'

export function readSegmentations(instances: readonly DicomObject[]): Segmentation[] {
  return instances
    .filter((instance) => [SEGMENTATION, LABEL_MAP].includes(jsonTextOf(instance, '00080016')))
    .map((instance) => {
      const isLabels = jsonTextOf(instance, '00080016') === LABEL_MAP
      const padding = numberOf(instance, '00280120')
      // number 0 is what lies between the segments (PS3.3 C.8.20.2)
      const isShown = ({ number }: Segment) => !isLabels || (number !== 0 && number !== padding)
      const segments = itemsOf(instance, '00620002').map(readSegment).filter(isShown)
      const readSegments = (frame: number) => (isLabels ? segments : segmentOf(instance, frame, segments))
      const count = Math.max(1, numberOf(instance, '00280008') ?? 1)
      return {
        instance,
        seriesUid: jsonTextOf(instance, '0020000E'),
        sopUid: jsonTextOf(instance, '00080018'),
        rows: numberOf(instance, '00280010') ?? 0,
        columns: numberOf(instance, '00280011') ?? 0,
        kind: isLabels ? 'labels' : numberOf(instance, '00280100') === 1 ? 'bits' : 'shares',
        largest: numberOf(instance, '0062000E') || 255,
        labelBytes: numberOf(instance, '00280100') === 16 ? 2 : 1,
        padding,
        segments,
        frames: Array.from({ length: count }, (_, at) => ({
          frame: at + 1,
          segments: readSegments(at + 1),
          sources: referencesOf(itemsOf(groupWith(instance, at + 1, '00089124'), '00082112')),
          plane: planeOf(instance, at + 1),
        })).filter((one) => one.segments.length > 0),
        seriesUids: referencedSeries(instance),
      }
    })
}

/** The segment that a frame is about; none where no item describes it. */
function segmentOf(instance: DicomObject, frame: number, segments: readonly Segment[]): Segment[] {
  const number = numberOf(groupWith(instance, frame, '0062000A') ?? {}, '0062000B') ?? segments[0]?.number
  return segments.filter((one) => one.number === number).slice(0, 1)
}

/** Segmentations whose segments have a colour each that the eye tells from all before, as long as there is one. */
export function withOwnColours(segmentations: readonly Segmentation[]): Segmentation[] {
  const choose = createPalette()
  return segmentations.map((segmentation) => {
    const colours = choose(segmentation.segments.map(({ colour }) => colour))
    const recoloured = new Map(
      segmentation.segments.map((segment, at) => [segment, { ...segment, colour: colours[at] ?? segment.colour }]),
    )
    const inOwn = (segment: Segment) => recoloured.get(segment) ?? segment
    return {
      ...segmentation,
      segments: segmentation.segments.map(inOwn),
      frames: segmentation.frames.map((one) => ({ ...one, segments: one.segments.map(inOwn) })),
    }
  })
}

function readSegment(item: DicomObject, at: number): Segment {
  const number = numberOf(item, '00620004') ?? at + 1
  const lab = numbersOf(item, '0062000D')
  return {
    number,
    label: nameOf(item) || `${number}`,
    colour: lab.length === 3 ? colourOf(lab) : usualColour(at),
  }
}

/** The label of a segment, or where the label is a bare number, the kind of tissue or finding. */
function nameOf(item: DicomObject): string {
  const label = jsonTextOf(item, '00620005')
  return /^\d*$/.test(label) ? jsonTextOf(itemsOf(item, '0062000F')[0] ?? {}, '00080104') || label : label
}

/** Source: PS3.3 C.10.7.1.1; the white point is D50. */
function colourOf([l = 0, a = 0, b = 0]: readonly number[]): Colour {
  const lightness = ((l / 0xffff) * 100 + 16) / 116
  const inverse = (t: number) => (t > 6 / 29 ? t ** 3 : 3 * (6 / 29) ** 2 * (t - 4 / 29))
  const x = 0.9642 * inverse(lightness + ((a / 0xffff) * 255 - 128) / 500)
  const y = inverse(lightness)
  const z = 0.8249 * inverse(lightness - ((b / 0xffff) * 255 - 128) / 200)
  const screen = (linear: number) => {
    const light = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, light)) * 255)
  }
  return [
    screen(3.1339 * x - 1.6169 * y - 0.4906 * z),
    screen(-0.9788 * x + 1.9161 * y + 0.0335 * z),
    screen(0.0719 * x - 0.229 * y + 1.4052 * z),
  ]
}

export type LaidSegment = {
  segmentation: Segmentation
  frame: number
  /** One, but of a label map all that its pixels may name. */
  segments: readonly Segment[]
  /** From the segment's pixels to the image's, as a canvas takes it. */
  matrix: readonly [number, number, number, number, number, number]
}
type Image = { instance: DicomObject; sopUid: string; frame: number }

/** The segments that lie on an image: on the images they name, else on those of the same place. */
export function segmentsOn(segmentations: readonly Segmentation[], image: Image): LaidSegment[] {
  const plane = planeOf(image.instance, image.frame)
  return segmentations.flatMap((segmentation) =>
    segmentation.frames.flatMap((one): LaidSegment[] => {
      const isNamed = one.sources.size > 0
      if (isNamed && !refersTo(one.sources, image.sopUid, image.frame)) return []
      const isOnIt = one.plane && plane && isSamePlace(segmentation.instance, one.plane, image, plane)
      if (!isNamed && !isOnIt) return []
      const matrix = one.plane && plane ? matrixBetween(one.plane, plane) : sameSize(segmentation, image.instance)
      return matrix ? [{ segmentation, frame: one.frame, segments: one.segments, matrix }] : []
    }),
  )
}

const SAME_DIRECTION = 0.999
/** Where an image does not say how thick it is. */
const USUAL_THICKNESS_MM = 1

function isSamePlace(segmentation: DicomObject, own: ImagePlane, image: Image, plane: ImagePlane): boolean {
  const frameOfReference = '00200052'
  if (jsonTextOf(segmentation, frameOfReference) !== jsonTextOf(image.instance, frameOfReference)) return false
  if (Math.abs(dot(own.normal, plane.normal)) < SAME_DIRECTION) return false
  const thicknessMm =
    numberOf(groupWith(image.instance, image.frame, '00289110') ?? image.instance, '00180050') || USUAL_THICKNESS_MM
  const away = own.origin.map((part, at) => part - (plane.origin[at] ?? 0))
  return Math.abs(dot(away, plane.normal)) < thicknessMm / 2
}

function matrixBetween(own: ImagePlane, plane: ImagePlane): LaidSegment['matrix'] {
  const away = own.origin.map((part, at) => part - (plane.origin[at] ?? 0))
  const across = (direction: readonly number[]) => dot(direction, plane.across) / plane.columnMm
  const down = (direction: readonly number[]) => dot(direction, plane.down) / plane.rowMm
  const [a, b] = [across(own.across) * own.columnMm, down(own.across) * own.columnMm]
  const [c, d] = [across(own.down) * own.rowMm, down(own.down) * own.rowMm]
  // positions are of the middle of the first pixel, drawing begins at its corner
  return [a, b, c, d, across(away) + 0.5 - (a + c) / 2, down(away) + 0.5 - (b + d) / 2]
}

function sameSize({ rows, columns }: Segmentation, image: DicomObject): LaidSegment['matrix'] | undefined {
  const isSame = numberOf(image, '00280010') === rows && numberOf(image, '00280011') === columns
  return isSame ? [1, 0, 0, 1, 0, 0] : undefined
}
