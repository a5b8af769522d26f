import type { Types } from '@cornerstonejs/core'
import { type BulkData, readBulkData } from './bulk-data.ts'
import { type CanvasLayer, createCanvasLayer } from './canvas-layer.ts'
import { type DicomObject, jsonTextOf } from './dicom-json.ts'
import type { StudySource } from './dicomweb.ts'
import { embeddedBits } from './embedded-bits.ts'
import { type OverlayPlane, overlaysOf } from './hard-images.ts'
import { rememberAnswers } from './remember-answers.ts'
import { readShutter } from './shutter.ts'

const OVERLAY_COLOUR = '#ffffff'
const MOST_PLANES_STORED = 200

type OverlayLayer = Pick<CanvasLayer, 'place' | 'setOn'> & {
  /**
   * Draws the overlays of one image and waits for those that the server still has.
   * @returns false where some did not come
   */
  show: (shown: ShownOverlays | undefined) => Promise<boolean>
}

type ShownOverlays = {
  instance: DicomObject
  frame: number
  image: Types.IImage
  /** A presentation state that speaks of the image: its planes lie over the image as well. */
  state: DicomObject | undefined
}
type ReadBits = (data: BulkData) => Promise<Uint8Array>
type DrawnPlane = OverlayPlane & { colour: string }

/** Overlays (groups 60xx) over the picture, drawn apart so that they can be taken off. */
export function createOverlayLayer(host: HTMLElement, source: StudySource): OverlayLayer {
  const layer = createCanvasLayer(host)
  const readStored = rememberAnswers((address) => readBulkData({ address }, source), MOST_PLANES_STORED)
  const readBits: ReadBits = (data) => ('address' in data ? readStored(data.address) : readBulkData(data, source))
  let drawing = 0
  return {
    place: layer.place,
    setOn: layer.setOn,
    show: async (shown) => {
      const mine = ++drawing
      layer.clear()
      const planes = shown ? planesOf(shown) : []
      if (!shown || planes.length === 0) return true
      const { image, frame } = shown
      const bits = await Promise.all(
        planes.map((plane) => bitsOf(plane, image, frame - 1, readBits).catch(() => 'unread' as const)),
      )
      const isWhole = !bits.includes('unread')
      const paint = mine === drawing ? layer.begin(image.width, image.height) : undefined
      if (!paint) return isWhole
      let hasAny = false
      planes.forEach((plane, at) => {
        const isSet = bits[at]
        paint.fillStyle = plane.colour
        if (isSet && isSet !== 'unread') hasAny = drawPlane(paint, plane, isSet) || hasAny
      })
      layer.finish(hasAny)
      return isWhole
    },
  }
}

/** The image's own planes, and those of a state that are on; the bits of a shutter cover what they lie on. */
function planesOf({ instance, state }: ShownOverlays): DrawnPlane[] {
  const own = overlaysOf(instance).map((plane) => ({ ...plane, colour: OVERLAY_COLOUR }))
  if (!state) return own
  const shutter = readShutter(state)
  const its = overlaysOf(state).filter(({ data }) => data !== undefined)
  const grey = shutter?.grey ?? 0
  const covering = its.filter(({ group }) => group === shutter?.bitmap)
  const isOn = ({ group }: OverlayPlane) => group !== shutter?.bitmap && jsonTextOf(state, `${group}1001`) !== ''
  return [
    ...covering.map((plane) => ({ ...plane, isRegion: false, colour: `rgb(${grey} ${grey} ${grey})` })),
    ...own,
    ...its.filter(isOn).map((plane) => ({ ...plane, colour: OVERLAY_COLOUR })),
  ]
}

type IsSet = (row: number, column: number) => boolean

/** @returns whether anything was drawn */
function drawPlane(paint: CanvasRenderingContext2D, plane: OverlayPlane, isSet: IsSet): boolean {
  const isInside: IsSet = (row, column) =>
    isSet(row - 1, column) && isSet(row + 1, column) && isSet(row, column - 1) && isSet(row, column + 1)
  let hasDrawn = false
  for (let row = 0; row < plane.rows; row++) {
    for (let column = 0; column < plane.columns; column++) {
      if (!isSet(row, column) || (plane.isRegion && isInside(row, column))) continue
      paint.fillRect(column + plane.left, row + plane.top, 1, 1)
      hasDrawn = true
    }
  }
  return hasDrawn
}

/** @throws RequestError where the bits did not come */
async function bitsOf(
  plane: OverlayPlane,
  image: Types.IImage,
  frame: number,
  readBits: ReadBits,
): Promise<IsSet | undefined> {
  const { rows, columns, frames } = plane
  const within = (row: number, column: number) => row >= 0 && column >= 0 && row < rows && column < columns
  if (!plane.data) {
    const bits = embeddedBits(image, plane.bit)
    return bits && columns === image.width
      ? (row, column) => within(row, column) && bits[row * columns + column] === 1
      : undefined
  }
  const own = frames ? frame - frames.first : 0
  if (own < 0 || own >= (frames?.count ?? 1)) return undefined
  const bytes = await readBits(plane.data)
  const start = own * rows * columns
  return (row, column) => {
    if (!within(row, column)) return false
    const bit = start + row * columns + column
    return (((bytes[bit >> 3] ?? 0) >>> (bit & 7)) & 1) === 1
  }
}
