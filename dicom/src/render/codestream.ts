import { RenderError } from './render-error.ts'

type CodestreamFormat = 'jpeg' | 'jpegLossless' | 'jpegLs' | 'jpeg2000' | 'htj2k' | 'jpegXl'

/** The header of a compressed frame, read before a decoder takes memory by it. */
export interface CodestreamInfo {
  readonly format: CodestreamFormat
  /** Zero for JPEG XL, whose header is not read. */
  readonly rows: number
  readonly columns: number
  readonly components: number
  /** Bits of a sample. */
  readonly precision: number
  /** JPEG 2000: components were decorrelated, so decoding gives RGB. */
  readonly hasComponentTransform: boolean
  /** JPEG 2000: how often the image can be halved while decoding. */
  readonly decompositions: number
}

/** @throws RenderError when the bytes are no image of the JPEG family */
export function inspectCodestream(bytes: Uint8Array): CodestreamInfo {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    if (view.getUint16(0) === 0xffd8) return inspectJpeg(view)
    if (view.getUint32(0) === 0xff4fff51) return inspectJpeg2000(view, 0)
    if (view.getUint32(4) === 0x6a502020) return inspectJpeg2000(view, findCodestreamBox(view))
    if (view.getUint16(0) === 0xff0a || view.getUint32(4) === 0x4a584c20) return jpegXl
  } catch (cause) {
    if (cause instanceof RangeError) throw new RenderError('damaged', 'The compressed image is cut short.', { cause })
    throw cause
  }
  throw new RenderError('damaged', 'The compressed image is not of a known kind.')
}

const jpegXl: CodestreamInfo = {
  format: 'jpegXl',
  rows: 0,
  columns: 0,
  components: 0,
  precision: 0,
  hasComponentTransform: false,
  decompositions: 0,
}

function inspectJpeg(view: DataView): CodestreamInfo {
  let offset = 2
  for (;;) {
    if (view.getUint8(offset) !== 0xff) throw new RenderError('damaged', 'The JPEG image is damaged.')
    const marker = view.getUint8(offset + 1)
    if (marker === 0xff) {
      offset += 1
      continue
    }
    const isFrame = (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) || marker === 0xf7
    if (isFrame) {
      const isLossless = marker === 0xc3 || marker === 0xc7 || marker === 0xcb || marker === 0xcf
      return {
        format: marker === 0xf7 ? 'jpegLs' : isLossless ? 'jpegLossless' : 'jpeg',
        precision: view.getUint8(offset + 4),
        rows: view.getUint16(offset + 5),
        columns: view.getUint16(offset + 7),
        components: view.getUint8(offset + 9),
        hasComponentTransform: false,
        decompositions: 0,
      }
    }
    if (marker === 0xda || marker === 0xd9) throw new RenderError('damaged', 'The JPEG image has no frame header.')
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    offset += isBare ? 2 : 2 + view.getUint16(offset + 2)
  }
}

/** JPEG 2000 inside a JP2 file: the codestream is in the box `jp2c`. */
function findCodestreamBox(view: DataView): number {
  let offset = 0
  for (;;) {
    const size = view.getUint32(offset)
    if (view.getUint32(offset + 4) === 0x6a703263) return offset + (size === 1 ? 16 : 8)
    if (size < 8) throw new RenderError('damaged', 'The JP2 file holds no image.')
    offset += size
  }
}

function inspectJpeg2000(view: DataView, start: number): CodestreamInfo {
  const size = start + 2
  const columns = view.getUint32(size + 6) - view.getUint32(size + 14)
  const rows = view.getUint32(size + 10) - view.getUint32(size + 18)
  const components = view.getUint16(size + 38)
  const precision = (view.getUint8(size + 40) & 0x7f) + 1
  let format: CodestreamFormat = 'jpeg2000'
  let hasComponentTransform = false
  let decompositions = 0
  let offset = size + 2 + view.getUint16(size + 2)
  // The main header ends where the first tile part begins (SOT).
  for (let marker = view.getUint16(offset); marker !== 0xff90; marker = view.getUint16(offset)) {
    if (marker >>> 8 !== 0xff) throw new RenderError('damaged', 'The JPEG 2000 image is damaged.')
    // CAP with Pcap15: block coding by ISO 15444-15, which is HTJ2K.
    if (marker === 0xff50 && view.getUint32(offset + 4) & 0x00020000) format = 'htj2k'
    if (marker === 0xff52) {
      hasComponentTransform = view.getUint8(offset + 8) !== 0
      decompositions = view.getUint8(offset + 9)
    }
    offset += 2 + view.getUint16(offset + 2)
  }
  return { format, rows, columns, components, precision, hasComponentTransform, decompositions }
}
