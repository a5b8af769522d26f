import { getRenderingCapabilities, getShouldUseCPURendering, type Types } from '@cornerstonejs/core'
import { drawGreyPicture, type GreyImage, type GreyTable, type ScreenPlace } from './grey-picture.ts'

/** Places of a table of colours on the graphics processor. */
const PLACES = 1024
/** Steps of a table here for each place there, where neighbouring places are mixed. */
const FINE = 4
/** The library draws no smaller viewport. */
const LEAST_SIZE = 2
const NEAREST = 0

type GreyView = {
  image: GreyImage
  table: GreyTable
  /** Column and row of a point of the patient. */
  toIndex: (point: Types.Point3) => ArrayLike<number>
}

/**
 * Draws plain grey stacks of a viewport on its canvas, without the graphics processor, where that is made of software:
 * nearly all the time of a step is the copy of its picture then. Everything else (colours, floating point, curves) is
 * drawn by the library as before.
 * @param background red, green and blue, 0 to 1
 * @returns does what gives the viewport another size, which the library does only for viewports that it draws itself
 */
export function drawGreysPlainly(
  viewport: Types.IStackViewport,
  background: readonly number[],
): (resize: () => void) => void {
  // without any graphics processor the library draws all by itself
  if (getShouldUseCPURendering() || !getRenderingCapabilities().softwareRasterizer) return (resize) => resize()
  const readView = createViewReader()
  const screen = createScreen(viewport.canvas, wordOf(background.map((share) => share * 255)))
  let shown: GreyView | undefined
  let isResized = false
  viewport.getUseCustomRenderingPipeline = () => {
    if (isResized) return false
    shown = readView(viewport)
    return shown !== undefined
  }
  viewport.customRenderViewportToCanvas = () => {
    const { canvas, element, id: viewportId, renderingEngineId, viewportStatus, sWidth, sHeight } = viewport
    const isVisible = canvas.clientWidth > 0 && canvas.clientHeight > 0
    if (shown && isVisible && sWidth >= LEAST_SIZE && sHeight >= LEAST_SIZE)
      screen.draw(sWidth, sHeight, shown, placeOf(viewport, shown.toIndex))
    return { canvas, element, viewportId, renderingEngineId, viewportStatus }
  }
  return (resize) => {
    isResized = true
    try {
      resize()
    } finally {
      isResized = false
    }
  }
}

/** Reads what the library would hand to the graphics processor; undefined for all but plain grey images. */
function createViewReader(): (viewport: Types.IStackViewport) => GreyView | undefined {
  let table: GreyTable | undefined
  let tableOf: unknown
  let tableTime = 0
  return (viewport) => {
    const [drawn, ...others] = viewport.getActors()
    if (!drawn || others.length > 0) return undefined
    const actor = drawn.actor as Types.ImageActor // a stack has no other
    const property = actor.getProperty()
    const transfer = property.getRGBTransferFunction(0)
    const data = actor.getMapper().getInputData()
    const scalars = data?.getPointData().getScalars()
    const values: unknown = scalars?.getData()
    const isLinear = transfer?.getSize() === 2 && Number(property.getInterpolationType()) !== NEAREST
    if (!isLinear || scalars.getNumberOfComponents() !== 1 || !isWhole(values)) return undefined
    if (tableOf !== transfer || tableTime !== transfer.getMTime()) {
      table = readTable(transfer)
      tableOf = transfer
      tableTime = transfer.getMTime()
    }
    const [columns, rows] = data.getDimensions()
    if (!table || values.length !== columns * rows) return undefined
    return { image: { values, columns, rows }, table, toIndex: (point) => data.worldToIndex(point, [0, 0, 0]) }
  }
}

type Transfer = NonNullable<ReturnType<ReturnType<Types.ImageActor['getProperty']>['getRGBTransferFunction']>>

/** Undefined of a table in colour, and of one without any width. */
function readTable(transfer: Transfer): GreyTable | undefined {
  const [lower = 0, upper = 0] = transfer.getRange()
  if (!(upper > lower)) return undefined
  const parts = Array.from({ length: PLACES * 3 }, () => 0)
  transfer.getTable(lower, upper, PLACES, parts)
  const greys = new Uint8ClampedArray(PLACES)
  for (let place = 0; place < PLACES; place++) {
    const [red = 0, green, blue] = parts.slice(place * 3, place * 3 + 3)
    if (red !== green || red !== blue) return undefined
    greys[place] = red * 255
  }
  const colours = Uint32Array.from({ length: PLACES * FINE }, (_, step) => {
    const at = Math.min(PLACES - 1, Math.max(0, (step + 0.5) / FINE - 0.5))
    const [one = 0, other = one] = greys.subarray(Math.floor(at))
    const grey = one + (other - one) * (at - Math.floor(at))
    return wordOf([grey, grey, grey])
  })
  return { lower, upper, colours }
}

function isWhole(values: unknown): values is GreyImage['values'] {
  return (
    values instanceof Int16Array ||
    values instanceof Uint16Array ||
    values instanceof Uint8Array ||
    values instanceof Int8Array
  )
}

/** By the camera of the viewport, however it moves, turns or mirrors the picture. */
function placeOf(viewport: Types.IStackViewport, toIndex: GreyView['toIndex']): ScreenPlace {
  const { sWidth, sHeight } = viewport
  const ratio = globalThis.devicePixelRatio || 1
  const at = (x: number, y: number) => {
    const place = toIndex(viewport.canvasToWorld([x / ratio, y / ratio]))
    return [place[0] ?? 0, place[1] ?? 0] as const
  }
  const corner = at(0, 0)
  // over the whole screen, since the library reckons with single precision in part
  const [right, bottom] = [at(sWidth, 0), at(0, sHeight)]
  const across = [(right[0] - corner[0]) / sWidth, (right[1] - corner[1]) / sWidth] as const
  const down = [(bottom[0] - corner[0]) / sHeight, (bottom[1] - corner[1]) / sHeight] as const
  const origin = [corner[0] + (across[0] + down[0]) / 2, corner[1] + (across[1] + down[1]) / 2] as const
  return { origin, across, down }
}

/** A canvas, and the words of its picture. */
function createScreen(canvas: HTMLCanvasElement, background: number) {
  const context = canvas.getContext('2d')
  let picture: ImageData | undefined
  return {
    draw: (width: number, height: number, { image, table }: GreyView, place: ScreenPlace): void => {
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width
        canvas.height = height
        canvas.style.aspectRatio = `${width} / ${height}`
      }
      if (picture?.width !== width || picture.height !== height) picture = new ImageData(width, height)
      const pixels = new Uint32Array(picture.data.buffer)
      drawGreyPicture({ pixels, width, height, background }, image, place, table)
      context?.putImageData(picture, 0, 0)
    },
  }
}

function wordOf([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0
}
