import { element } from './element.ts'
import { texts } from './texts.ts'
import type { Channel, WaveformGroup } from './waveform.ts'

/** Paper speed and height everybody reads ECGs at. */
const MM_PER_SECOND = 25
const MM_PER_MILLIVOLT = 10
/** Height of a channel that is not measured in millivolts. */
const OTHER_HEIGHT_MM = 20
const GAP_MM = 6
const LEAST_PX_PER_MM = 3
const MOST_PX_PER_MM = 5
/** Longer recordings are drawn to here. */
const MOST_SECONDS = 60
const PAPER = '#fffaf7'
const THIN = '#f6d9d3'
const THICK = '#eab0a5'
const INK = '#14181d'

/** Curves on paper of millimetres, as they are printed. */
export function createWaveformSheet(groups: readonly WaveformGroup[], availablePx: number): HTMLElement {
  return element(
    'div',
    { class: 'sheet', tabindex: 0, role: 'group', 'aria-label': texts.curves },
    ...groups.map((group) => {
      const seconds = Math.min(group.seconds, MOST_SECONDS)
      const fitting = availablePx / (seconds * MM_PER_SECOND)
      const pxPerMm = Math.min(MOST_PX_PER_MM, Math.max(LEAST_PX_PER_MM, fitting))
      const isMillivolts = group.channels.every(({ unit }) => unit === 'mV')
      const facts = [
        group.label,
        texts.leads(group.channels.map(({ name }) => name).join(', ')),
        isMillivolts ? `${MM_PER_SECOND} mm/s  ·  ${MM_PER_MILLIVOLT} mm/mV` : `${MM_PER_SECOND} mm/s`,
        seconds < group.seconds ? texts.curvesBegin(MOST_SECONDS) : '',
      ]
      const caption = element('figcaption', {}, facts.filter((text) => text !== '').join('  ·  '))
      return element('figure', {}, caption, drawGroup(group, seconds, pxPerMm))
    }),
  )
}

function drawGroup({ channels, hz }: WaveformGroup, seconds: number, pxPerMm: number): HTMLCanvasElement {
  const scales = channels.map(scaleOf)
  const heightMm = scales.reduce((sum, { mm }) => sum + mm + GAP_MM, GAP_MM)
  const widthMm = seconds * MM_PER_SECOND
  const canvas = element('canvas', { 'aria-hidden': 'true' })
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.ceil(widthMm * pxPerMm * ratio)
  canvas.height = Math.ceil(heightMm * pxPerMm * ratio)
  canvas.style.width = `${widthMm * pxPerMm}px`
  canvas.style.height = `${heightMm * pxPerMm}px`
  const paint = canvas.getContext('2d')
  if (!paint) return canvas
  // from here on in millimetres
  paint.scale(pxPerMm * ratio, pxPerMm * ratio)
  drawPaper(paint, widthMm, heightMm, 1 / pxPerMm)
  let top = GAP_MM
  channels.forEach((channel, at) => {
    const { mm, perUnit } = scales[at] ?? { mm: 0, perUnit: 0 }
    const zero = top + channel.high * perUnit
    const last = Math.min(channel.values.length, Math.ceil(seconds * hz))
    paint.strokeStyle = INK
    paint.lineWidth = 1.2 / pxPerMm
    paint.lineJoin = 'round'
    paint.beginPath()
    for (let along = 0; along < last; along++)
      paint.lineTo((along / hz) * MM_PER_SECOND, zero - (channel.values[along] ?? 0) * perUnit)
    paint.stroke()
    paint.fillStyle = INK
    paint.font = `600 ${12 / pxPerMm}px "Inter Variable", sans-serif`
    const words = channel.unit === 'mV' ? channel.name : describeOther(channel)
    paint.strokeStyle = PAPER
    paint.lineWidth = 4 / pxPerMm
    paint.strokeText(words, 1.5, top - 1.5)
    paint.fillText(words, 1.5, top - 1.5)
    top += mm + GAP_MM
  })
  return canvas
}

function describeOther({ name, unit, low, high }: Channel): string {
  return `${name}  ${Number(low.toPrecision(3))} to ${Number(high.toPrecision(3))} ${unit}`
}

function scaleOf({ unit, low, high }: Channel): { mm: number; perUnit: number } {
  const range = Math.max(high - low, Number.EPSILON)
  const perUnit = unit === 'mV' ? MM_PER_MILLIVOLT : OTHER_HEIGHT_MM / range
  return { mm: range * perUnit, perUnit }
}

function drawPaper(paint: CanvasRenderingContext2D, widthMm: number, heightMm: number, thinMm: number): void {
  paint.fillStyle = PAPER
  paint.fillRect(0, 0, widthMm, heightMm)
  for (const [every, colour] of [
    [1, THIN],
    [5, THICK],
  ] as const) {
    paint.strokeStyle = colour
    paint.lineWidth = thinMm
    paint.beginPath()
    for (let x = 0; x <= widthMm; x += every) {
      paint.moveTo(x, 0)
      paint.lineTo(x, heightMm)
    }
    for (let y = 0; y <= heightMm; y += every) {
      paint.moveTo(0, y)
      paint.lineTo(widthMm, y)
    }
    paint.stroke()
  }
}
