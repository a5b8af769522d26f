import type { ScreenPoint } from './canvas-layer.ts'
import type { Graphic } from './graphics.ts'
import type { Shutter, ShutterShape } from './shutter.ts'

type Drawing = {
  shutter: Shutter | undefined
  graphics: readonly Graphic[]
  /** Of the image, in pixels. */
  width: number
  height: number
}
type AnnotationLayer = {
  show: (drawing: Drawing | undefined) => void
  /** Draws again by where three corners of the picture are on the screen: lines and letters keep their size there. */
  place: (origin: ScreenPoint, right: ScreenPoint, bottom: ScreenPoint) => void
  setOn: (isOn: boolean) => void
}

const SVG = 'http://www.w3.org/2000/svg'
const LINE_PX = 16
const CURVE_STEPS = 48

/** Shutter, graphics and texts of a presentation state, contours, and kept lengths, over the picture. */
export function createAnnotationLayer(host: HTMLElement): AnnotationLayer {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'annotations')
  svg.setAttribute('aria-hidden', 'true')
  host.append(svg)
  let shown: Drawing | undefined
  let isOn = true
  return {
    show: (value) => {
      shown = value
      svg.replaceChildren()
    },
    setOn: (value) => {
      isOn = value
      svg.style.visibility = value ? 'visible' : 'hidden'
    },
    place: (origin, right, bottom) => {
      if (!shown || !isOn) return
      const { shutter, graphics, width, height } = shown
      const onScreen: OnScreen = ([x, y]) => [
        origin[0] + ((right[0] - origin[0]) * x) / width + ((bottom[0] - origin[0]) * y) / height,
        origin[1] + ((right[1] - origin[1]) * x) / width + ((bottom[1] - origin[1]) * y) / height,
      ]
      svg.replaceChildren(
        ...(shutter?.shapes ?? []).map((shape) => drawShutter(shape, shutter?.grey ?? 0, host, onScreen)),
        ...graphics.flatMap((graphic) => drawGraphic(graphic, onScreen)),
      )
    },
  }
}

type OnScreen = (point: ScreenPoint) => ScreenPoint

function make(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value))
  return made
}

function pathOf(points: readonly ScreenPoint[], onScreen: OnScreen): string {
  return points.map((point, at) => `${at === 0 ? 'M' : 'L'}${onScreen(point).join(' ')}`).join('')
}

/** The whole screen but for the shape. */
function drawShutter(shape: ShutterShape, grey: number, host: HTMLElement, onScreen: OnScreen): SVGElement {
  const [width, height] = [host.clientWidth, host.clientHeight]
  const points = shape.kind === 'circle' ? aroundOf([shape.x, shape.y], shape.radius, shape.radius) : shape.points
  return make('path', {
    d: `M0 0H${width}V${height}H0Z${pathOf(points, onScreen)}Z`,
    'fill-rule': 'evenodd',
    fill: `rgb(${grey} ${grey} ${grey})`,
  })
}

function aroundOf(center: ScreenPoint, across: number, down: number, angle = 0): ScreenPoint[] {
  return Array.from({ length: CURVE_STEPS }, (_, step) => {
    const turn = (step / CURVE_STEPS) * 2 * Math.PI
    const [x, y] = [across * Math.cos(turn), down * Math.sin(turn)]
    return [
      center[0] + x * Math.cos(angle) - y * Math.sin(angle),
      center[1] + x * Math.sin(angle) + y * Math.cos(angle),
    ]
  })
}

function drawGraphic(graphic: Graphic, onScreen: OnScreen): SVGElement[] {
  const drawn = drawUncoloured(graphic, onScreen)
  if ('colour' in graphic && graphic.colour)
    for (const one of drawn) one.style.setProperty('--own', `rgb(${graphic.colour.join(' ')})`)
  return drawn
}

function drawUncoloured(graphic: Graphic, onScreen: OnScreen): SVGElement[] {
  const drawLine = (points: readonly ScreenPoint[], isFilled = false, end = '') => [
    make('path', { class: isFilled ? 'line filled' : 'line', d: pathOf(points, onScreen) + end }),
  ]
  switch (graphic.kind) {
    case 'lines':
      return drawLine(graphic.points, graphic.isFilled)
    case 'dots':
      return graphic.points.map((point) => {
        const [cx, cy] = onScreen(point)
        return make('circle', { class: 'dot', cx, cy, r: 3 })
      })
    case 'circle': {
      const radius = Math.hypot(graphic.onEdge[0] - graphic.center[0], graphic.onEdge[1] - graphic.center[1])
      return drawLine(aroundOf(graphic.center, radius, radius), graphic.isFilled, 'Z')
    }
    case 'ellipse': {
      const [from, to, oneSide, otherSide] = graphic.ends
      const center = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] as const
      const half = (a: ScreenPoint, b: ScreenPoint) => Math.hypot(a[0] - b[0], a[1] - b[1]) / 2
      const angle = Math.atan2(to[1] - from[1], to[0] - from[0])
      const around = aroundOf(center, half(from, to), half(oneSide, otherSide), angle)
      return drawLine(around, graphic.isFilled, 'Z')
    }
    case 'text':
      return drawText(graphic, onScreen)
  }
}

function drawText({ text, at, anchor }: Extract<Graphic, { kind: 'text' }>, onScreen: OnScreen): SVGElement[] {
  const [x, y] = onScreen(at)
  const words = make('text', { x, y })
  text.split(/\r?\n/).forEach((line, index) => {
    const span = make('tspan', { x, dy: index === 0 ? LINE_PX - 3 : LINE_PX })
    span.textContent = line
    words.append(span)
  })
  const pointer = anchor ? [make('path', { class: 'line', d: pathOf([at, anchor], onScreen) })] : []
  return [...pointer, words]
}
