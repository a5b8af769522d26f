import { compareObjects } from '../compare/compare-objects.ts'
import { DicomReadError } from '../read-error.ts'
import { WindowedReader } from './byte-source.ts'
import { type DecodeOptions, decodeFrame } from './decode.ts'
import { assertEncodable, encodeFrame } from './encode.ts'
import type { FrameEncoding } from './encodings.ts'
import { pixelAspect, representativeFrame } from './frame-attributes.ts'
import { listFragments } from './fragments.ts'
import { readFrame } from './frames.ts'
import { type HeaderJsonRequest, makeHeaderJson } from './header-json.ts'
import type { VoiChoice } from './grey-mapping.ts'
import { describeImage, type ImageDescription } from './image-description.ts'
import { type ImageHeader, readImageHeader } from './image-header.ts'
import { openFileSource } from './file-source.ts'
import { encodeDeepGrey, encodePicture, type Picture, type PictureBox, type PictureFormat } from './picture.ts'
import { findOverlays } from './overlays.ts'
import { RenderError } from './render-error.ts'
import { toDeepGrey, toScreen } from './to-rgb.ts'
import { toNativeFrame } from './transcode.ts'

/** Where an object's bytes are: a file, or a part of one. */
export interface ObjectLocation {
  readonly path: string
  readonly offset?: number
  readonly length?: number
  /** Used when the bytes carry no file meta information. */
  readonly transferSyntaxUid?: string
}

export interface ThumbnailRequest extends ObjectLocation {
  /** From 0; by default the one the object names as representative, else the middle one. */
  readonly frame?: number
  /** Longer edge in pixels, default 256. */
  readonly edge?: number
  readonly format?: PictureFormat
  /** Overlays are drawn unless this is false. */
  readonly withOverlays?: boolean
}

export interface FrameRequest extends ObjectLocation {
  /** From 0. */
  readonly frame: number
  readonly format?: PictureFormat
  /** 16 gives PNG or TIFF of the frame's full range, without overlays; colour stays at 8. */
  readonly depth?: 8 | 16
  readonly within?: PictureBox
  /** 1…100. */
  readonly quality?: number
  readonly voi?: VoiChoice
  /** Overlays are drawn unless this is false. */
  readonly withOverlays?: boolean
}

export interface TranscodeRequest extends ObjectLocation {
  /** From 0. */
  readonly frame: number
  /** Compressed anew, without losses; by default native. */
  readonly encoding?: FrameEncoding
}

/** Two objects that may be the same one. */
export interface CompareRequest {
  readonly first: ObjectLocation
  readonly second: ObjectLocation
}

export interface RenderedPicture extends Picture {
  readonly frame: number
  readonly frameCount: number
}

export interface TranscodedFrame {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** See `NativeFrame`: differs from the object's own where decoding gave RGB, or encoding changed the colour space. */
  readonly photometric: string
  readonly frameCount: number
}

/** Fragments one after the other, without the table of offsets in front. Empty when the pixels are not encapsulated. */
export interface FragmentTable {
  /** Of their bytes, counted from the object's beginning. */
  readonly offsets: Float64Array<ArrayBuffer>
  readonly lengths: Float64Array<ArrayBuffer>
}

/** A text in UTF-8. */
export interface JsonText {
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type RenderResult = RenderedPicture | TranscodedFrame | FragmentTable | JsonText

export type RenderJob =
  | { readonly kind: 'thumbnail'; readonly request: ThumbnailRequest }
  | { readonly kind: 'frame'; readonly request: FrameRequest }
  | { readonly kind: 'transcode'; readonly request: TranscodeRequest }
  | { readonly kind: 'fragments'; readonly request: ObjectLocation }
  | { readonly kind: 'headerJson'; readonly request: ObjectLocation & HeaderJsonRequest }
  | { readonly kind: 'compare'; readonly request: CompareRequest }

const defaultThumbnailEdge = 256
const fragmentWindowBytes = 64 * 1024

/** Makes a thumbnail in this thread; the pool is the way to do it for input that is not trusted. */
export function renderThumbnail(request: ThumbnailRequest): Promise<RenderedPicture> {
  return withObject(request, async (header, image) => {
    const frame = request.frame ?? representativeFrame(header.attributes, image.frameCount)
    const edge = request.edge ?? defaultThumbnailEdge
    return draw(header, image, { ...request, frame, within: { width: edge, height: edge } })
  })
}

/** Renders a frame with square pixels, in this thread. */
export function renderFrame(request: FrameRequest): Promise<RenderedPicture> {
  return withObject(request, (header, image) => draw(header, image, request))
}

async function draw(header: ImageHeader, image: ImageDescription, request: FrameRequest): Promise<RenderedPicture> {
  const { frame, within, quality, voi, depth, withOverlays = true } = request
  const { attributes } = header
  const hasOverlays = withOverlays && depth !== 16 && findOverlays(attributes).length > 0
  // overlays are laid out on the whole image
  const decoding = hasOverlays ? {} : decodingFor(within)
  const decoded = await decodeFrame(await readFrame(header, frame, image), image, decoding)
  const counts = { frame, frameCount: image.frameCount }
  const shape = { within, quality, pixelAspect: pixelAspect(attributes, frame) }
  if (depth === 16) {
    const format = request.format ?? 'png'
    if (format !== 'png' && format !== 'tiff') {
      throw new RenderError('unsupported', 'Pictures of 16 bits are made as PNG or TIFF.')
    }
    const deep = toDeepGrey(decoded, attributes, frame, voi)
    if (deep) return { ...(await encodeDeepGrey(deep, { ...shape, format })), ...counts }
  }
  const screen = toScreen(decoded, attributes, frame, { voi, withOverlays: hasOverlays })
  const format = request.format ?? (depth === 16 ? 'png' : 'jpeg')
  return { ...(await encodePicture(screen, { ...shape, format })), ...counts }
}

/** One frame as native pixel bytes of Explicit VR Little Endian, or encoded, in this thread. */
export function transcodeFrame(request: TranscodeRequest): Promise<TranscodedFrame> {
  return withObject(request, async (header, image) => {
    const { frame, encoding } = request
    if (encoding) assertEncodable(image, encoding)
    const decoded = await decodeFrame(await readFrame(header, frame, image), image)
    const { bytes, photometric } = encoding
      ? await encodeFrame(decoded, image, encoding)
      : toNativeFrame(decoded, image)
    return { bytes: new Uint8Array(bytes), photometric, frameCount: image.frameCount }
  })
}

/** Lists the fragments of encapsulated pixels, in this thread. */
async function tabulateFragments(request: ObjectLocation): Promise<FragmentTable> {
  await using source = await openFileSource(request.path, request.offset, request.length)
  const { pixelElement, source: pixelSource } = await readImageHeader(source, request.transferSyntaxUid)
  const isEncapsulated = pixelElement !== undefined && pixelElement.length === undefined && pixelSource === source
  const reader = new WindowedReader(source, fragmentWindowBytes)
  const [, ...fragments] = isEncapsulated ? await listFragments(reader, pixelElement.offset) : []
  return {
    offsets: Float64Array.from(fragments, (fragment) => fragment.offset),
    lengths: Float64Array.from(fragments, (fragment) => fragment.length),
  }
}

/** @throws RenderError damaged */
async function describeHeader(request: ObjectLocation & HeaderJsonRequest): Promise<JsonText> {
  await using source = await openFileSource(request.path, request.offset, request.length)
  try {
    return { bytes: await makeHeaderJson(source, request) }
  } catch (cause) {
    if (cause instanceof DicomReadError) throw new RenderError('damaged', cause.message, { cause })
    throw cause
  }
}

/** A `Comparison` as JSON. @throws RenderError */
async function compare({ first, second }: CompareRequest): Promise<JsonText> {
  await using one = await openFileSource(first.path, first.offset, first.length)
  await using other = await openFileSource(second.path, second.offset, second.length)
  try {
    return { bytes: new TextEncoder().encode(JSON.stringify(await compareObjects(one, other))) }
  } catch (cause) {
    if (cause instanceof DicomReadError) throw new RenderError('damaged', cause.message, { cause })
    throw cause
  }
}

export function runRenderJob(job: RenderJob): Promise<RenderResult> {
  switch (job.kind) {
    case 'thumbnail':
      return renderThumbnail(job.request)
    case 'frame':
      return renderFrame(job.request)
    case 'transcode':
      return transcodeFrame(job.request)
    case 'fragments':
      return tabulateFragments(job.request)
    case 'headerJson':
      return describeHeader(job.request)
    case 'compare':
      return compare(job.request)
  }
}

/** JPEG 2000 is decoded at twice the size asked for: its own small versions are sharper than they should be. */
function decodingFor(within: PictureBox | undefined): DecodeOptions {
  return within === undefined ? {} : { minEdge: Math.max(within.width, within.height) * 2 }
}

async function withObject<T>(
  location: ObjectLocation,
  work: (header: ImageHeader, image: ImageDescription) => Promise<T>,
): Promise<T> {
  await using source = await openFileSource(location.path, location.offset, location.length)
  const header = await readImageHeader(source, location.transferSyntaxUid)
  return await work(header, describeImage(header))
}
