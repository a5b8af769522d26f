import type { QueryOf } from '@hilum/contract/route-parameters'
import type { renderInstance } from '@hilum/contract/routes/dicomweb'
import type { FrameRequest } from '@hilum/dicom/render/render-job'
import { DRAWING_VERSION } from '../../areas/pictures/picture-cache.ts'
import { DicomwebError } from './answer-errors.ts'

/** The query of a picture. */
export type RenderQuery = QueryOf<(typeof renderInstance)['query']>

/** How a picture is to be drawn, as the query says. */
export interface RenderOptions {
  quality?: number
  voi?: FrameRequest['voi']
  viewport?: { width: number; height: number }
  withOverlays: boolean
  /** Parameters of the standard that have no effect here. */
  ignored: string[]
  /** Tells options apart in an entity tag. */
  key: string
}

const withoutEffect = ['annotation', 'iccprofile'] as const
const maxViewport = 16_384
const shapes: Record<string, 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID'> = {
  linear: 'LINEAR',
  'linear-exact': 'LINEAR_EXACT',
  sigmoid: 'SIGMOID',
}

/** Reads `window`, `quality`, `viewport` and our own `overlays`. @throws DicomwebError 400. Source: PS3.18 §8.3.5.1. */
export function readRenderOptions(query: RenderQuery): RenderOptions {
  const [window = '', quality = '', viewport = ''] = [query.window, query.quality, query.viewport].map((one) =>
    one?.trim(),
  )
  const { overlays: withOverlays } = query
  return {
    ...(window ? { voi: readWindow(window) } : {}),
    ...(quality ? { quality: readQuality(quality) } : {}),
    ...(viewport ? { viewport: readViewport(viewport) } : {}),
    withOverlays,
    ignored: withoutEffect.filter((name) => query[name]),
    key: [`v${DRAWING_VERSION}`, window, quality, viewport, withOverlays].join('_').replace(/[^\w.,-]/g, ''),
  }
}

function readWindow(text: string): NonNullable<FrameRequest['voi']> {
  const [center, width, shape = 'linear', ...rest] = text.split(',').map((one) => one.trim())
  const known = shapes[shape.toLowerCase()]
  const numbers = [center, width].map((one) => (one ? Number(one) : Number.NaN))
  const [centerNumber = Number.NaN, widthNumber = Number.NaN] = numbers
  if (!numbers.every(Number.isFinite) || widthNumber <= 0 || !known || rest.length > 0)
    throw new DicomwebError(400, 'window is center,width,function; the function is linear, linear-exact or sigmoid')
  return { kind: 'window', center: centerNumber, width: widthNumber, shape: known }
}

function readQuality(text: string): number {
  const quality = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (quality < 1 || quality > 100) throw new DicomwebError(400, 'quality is a whole number from 1 to 100')
  return quality
}

function readViewport(text: string): { width: number; height: number } {
  const numbers = text.split(',').map((one) => (/^\d{1,5}$/.test(one.trim()) ? Number(one) : 0))
  const [width = 0, height = 0] = numbers
  if (numbers.length > 2)
    throw new DicomwebError(400, 'viewport takes width,height; regions of an image are not cut out')
  if (width < 1 || height < 1 || Math.max(width, height) > maxViewport)
    throw new DicomwebError(400, `viewport is width,height of 1 to ${maxViewport} pixels`)
  return { width, height }
}
