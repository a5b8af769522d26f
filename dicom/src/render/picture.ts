import sharp, { type Sharp } from 'sharp'
import { RenderError } from './render-error.ts'
import type { DeepGreyPixels, ScreenPixels } from './to-rgb.ts'

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'tiff'

/** An encoded picture. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly mediaType: `image/${PictureFormat}`
  readonly width: number
  readonly height: number
}

/** The most that a picture may be wide and high, in pixels. */
export interface PictureBox {
  readonly width: number
  readonly height: number
}

interface PictureOptions {
  readonly format: PictureFormat
  /** 1…100, for JPEG and WebP. */
  readonly quality?: number
  /** Width and height that the picture is scaled down to fit into; never up. */
  readonly within?: PictureBox
  /** Height of a pixel over its width, when the picture should have square pixels. */
  readonly pixelAspect?: number
}

/** Encodes 8-bit pixels. */
export async function encodePicture(pixels: ScreenPixels, options: PictureOptions): Promise<Picture> {
  const { width, height, channels } = pixels
  // `channels: 1` alone would be encoded as RGB.
  const image = sharp(pixels.data, { raw: { width, height, channels } }).toColourspace(channels === 1 ? 'b-w' : 'srgb')
  return encode(scale(image, width, height, options), options)
}

/** Encodes 16-bit grey as PNG or TIFF. */
export async function encodeDeepGrey(
  pixels: DeepGreyPixels,
  options: PictureOptions & { readonly format: 'png' | 'tiff' },
): Promise<Picture> {
  const { width, height } = pixels
  const image = sharp(pixels.data, { raw: { width, height, channels: 1 } }).toColourspace('grey16')
  return encode(scale(image, width, height, options), options)
}

function scale(image: Sharp, width: number, height: number, options: PictureOptions): Sharp {
  const { within, pixelAspect = 1 } = options
  const trueWidth = pixelAspect < 1 ? width / pixelAspect : width
  const trueHeight = pixelAspect > 1 ? height * pixelAspect : height
  const factor = within ? Math.min(1, within.width / trueWidth, within.height / trueHeight) : 1
  const target = {
    width: Math.max(1, Math.round(trueWidth * factor)),
    height: Math.max(1, Math.round(trueHeight * factor)),
  }
  if (target.width === width && target.height === height) return image
  return image.resize({ ...target, fit: 'fill' })
}

async function encode(image: Sharp, options: PictureOptions): Promise<Picture> {
  const { format, quality = 85 } = options
  try {
    const { data, info } = await encoderFor(image, format, quality).toBuffer({ resolveWithObject: true })
    // A copy of its own can be handed to another thread.
    return { bytes: new Uint8Array(data), mediaType: `image/${format}`, width: info.width, height: info.height }
  } catch (cause) {
    throw new RenderError('unsupported', `The picture cannot be written as ${format.toUpperCase()}.`, { cause })
  }
}

function encoderFor(image: Sharp, format: PictureFormat, quality: number): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality, chromaSubsampling: quality >= 90 ? '4:4:4' : '4:2:0' })
    case 'png':
      return image.png({ compressionLevel: 6 })
    case 'webp':
      return image.webp({ quality })
    case 'tiff':
      return image.tiff({ compression: 'deflate' })
  }
}
