import sharp from 'sharp'
import type { Picture } from './picture.ts'
import type { RenderFault } from './render-error.ts'
import { letteringPath, letteringWidth, wrapLettering } from './stroke-lettering.ts'

interface ReasonTileOptions {
  /** A short word above the reason, e.g. the modality. */
  readonly label?: string
  /** The reason in words, as `RenderError` gives it. */
  readonly reason: string
  readonly fault?: RenderFault
  /** Of the square, default 256. */
  readonly edge?: number
  readonly format?: 'png' | 'jpeg'
}

const surface = '#141920'
const line = '#4a5866'
const label = '#c3ccd5'
const text = '#8b98a5'

/** Below this the letters of the reason cannot be read; the label alone is drawn then. */
const minReadableEdge = 160

/**
 * A calm dark tile for an object without a picture, with the reason in words. Needs no fonts: the letters are strokes.
 */
export async function drawReasonTile(options: ReasonTileOptions): Promise<Picture> {
  const edge = Math.max(16, Math.min(2048, Math.round(options.edge ?? 256)))
  const image = sharp(Buffer.from(tileSvg(options, edge)))
  const isPng = (options.format ?? 'png') === 'png'
  const encoded = isPng ? image.png({ compressionLevel: 9 }) : image.flatten({ background: surface }).jpeg()
  const bytes = new Uint8Array(await encoded.toBuffer())
  return { bytes, mediaType: isPng ? 'image/png' : 'image/jpeg', width: edge, height: edge }
}

function tileSvg(options: ReasonTileOptions, edge: number): string {
  const isReadable = edge >= minReadableEdge
  const title = options.label?.replace(/[^A-Za-z0-9 ./-]/g, '').slice(0, 10) ?? ''
  const titleScale = 3
  // All below is laid out on a square of 256.
  const titleX = 128 - (letteringWidth(title) * titleScale) / 2
  const lines = isReadable ? wrapLettering(options.reason, 24, 5) : []
  const reason = lines
    .map((words, index) => letteringPath(words, 128 - (letteringWidth(words) * 1.5) / 2, 158 + index * 17, 1.5))
    .join('')
  const iconY = isReadable ? 30 : 56
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${edge}" height="${edge}" viewBox="0 0 256 256">
<rect width="256" height="256" fill="${surface}"/>
<g fill="none" stroke-linecap="round" stroke-linejoin="round">
<path d="${iconPath(options.fault)}" transform="translate(96 ${iconY})" stroke="${line}" stroke-width="4"/>
<path d="${letteringPath(title, titleX, iconY + 84, titleScale)}" stroke="${label}" stroke-width="2.6"/>
<path d="${reason}" stroke="${text}" stroke-width="1.4"/>
</g></svg>`
}

/** A sheet for objects that hold no picture, a struck-out frame for pictures that cannot be shown. */
function iconPath(fault: RenderFault | undefined): string {
  if (fault === undefined || fault === 'noPicture') {
    return 'M14 2H40L54 16V62H14ZM40 2V16H54M24 30H44M24 40H44M24 50H36'
  }
  return 'M4 10H60V58H4ZM4 48L22 32L34 44L46 34L60 46M10 64L56 4'
}
