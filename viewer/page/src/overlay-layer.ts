import type { Types } from '@cornerstonejs/core'
import type { DicomObject } from './dicom-json.ts'
import type { StudySource } from './dicomweb.ts'
import { type OverlayPlane, overlaysOf } from './hard-images.ts'
import { embeddedBits } from './own-loader.ts'
import { readPart } from './read-part.ts'

const OVERLAY_COLOUR = '#ffffff'

export type OverlayLayer = {
  /** Draws the overlays of one image and waits for those that the server still has. */
  show: (shown: { instance: DicomObject; frame: number; image: Types.IImage } | undefined) => Promise<void>
  /** Lays the drawing over the picture, by where three corners of the picture are on the screen. */
  place: (origin: Point, right: Point, bottom: Point) => void
  setOn: (isOn: boolean) => void
}
type Point = readonly [number, number]

/** Overlays (groups 60xx) over the picture, drawn apart so that they can be taken off. */
export function createOverlayLayer(host: HTMLElement, source: StudySource): OverlayLayer {
  const canvas = document.createElement('canvas')
  canvas.className = 'overlays'
  canvas.setAttribute('aria-hidden', 'true')
  canvas.hidden = true
  host.append(canvas)
  let isOn = true
  let hasAny = false
  let drawing = 0
  const settle = () => {
    canvas.hidden = !(isOn && hasAny)
  }
  return {
    show: async (shown) => {
      const mine = ++drawing
      hasAny = false
      settle()
      const planes = shown ? overlaysOf(shown.instance) : []
      if (!shown || planes.length === 0) return
      const { image, frame } = shown
      const bits = await Promise.all(planes.map((plane) => bitsOf(plane, image, frame - 1, source)))
      if (mine !== drawing) return
      canvas.width = image.width
      canvas.height = image.height
      const paint = canvas.getContext('2d')
      if (!paint) return
      paint.clearRect(0, 0, image.width, image.height)
      paint.fillStyle = OVERLAY_COLOUR
      planes.forEach((plane, at) => {
        const isSet = bits[at]
        if (isSet) hasAny = drawPlane(paint, plane, isSet) || hasAny
      })
      settle()
    },
    place: (origin, right, bottom) => {
      const across = [(right[0] - origin[0]) / canvas.width, (right[1] - origin[1]) / canvas.width]
      const down = [(bottom[0] - origin[0]) / canvas.height, (bottom[1] - origin[1]) / canvas.height]
      canvas.style.transform = `matrix(${[...across, ...down, ...origin].join(',')})`
    },
    setOn: (value) => {
      isOn = value
      settle()
    },
  }
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

async function bitsOf(
  plane: OverlayPlane,
  image: Types.IImage,
  frame: number,
  source: StudySource,
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
  const bytes = await readBytes(plane.data, source).catch(() => undefined) // the picture is there without it
  if (!bytes) return undefined
  const start = own * rows * columns
  return (row, column) => {
    if (!within(row, column)) return false
    const bit = start + row * columns + column
    return (((bytes[bit >> 3] ?? 0) >>> (bit & 7)) & 1) === 1
  }
}

async function readBytes(data: NonNullable<OverlayPlane['data']>, source: StudySource): Promise<Uint8Array> {
  if ('inline' in data) return Uint8Array.from(atob(data.inline), (letter) => letter.charCodeAt(0))
  // only the path: behind a proxy the server may call itself otherwise
  const { pathname } = new URL(data.address, location.origin)
  const response = await source.fetchBytes(pathname, 'multipart/related; type="application/octet-stream"')
  return readPart(new Uint8Array(await response.arrayBuffer()))
}
