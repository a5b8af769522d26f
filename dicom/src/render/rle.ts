import { RenderError } from './render-error.ts'

const headerBytes = 64

/**
 * Decodes one RLE frame (PS3.5 Annex G) into interleaved little-endian samples, or planes when `isPlanar`.
 * Segments hold one byte plane each: of every sample, the high byte first.
 */
export function decodeRle(
  bytes: Uint8Array,
  pixels: number,
  samples: number,
  bytesPerSample: number,
  isPlanar: boolean,
): Uint8Array {
  if (bytes.length < headerBytes) throw new RenderError('damaged', 'The RLE header is cut short.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const segments = view.getUint32(0, true)
  if (segments !== samples * bytesPerSample) {
    const expected = samples * bytesPerSample
    throw new RenderError('damaged', `The RLE header names ${segments} segments where ${expected} belong.`)
  }
  const out = new Uint8Array(pixels * samples * bytesPerSample)
  for (let segment = 0; segment < segments; segment++) {
    const start = view.getUint32(4 + 4 * segment, true)
    const end = segment + 1 < segments ? view.getUint32(8 + 4 * segment, true) : bytes.length
    if (start < headerBytes || end < start || end > bytes.length) {
      throw new RenderError('damaged', 'The RLE header points outside the frame.')
    }
    const sample = Math.floor(segment / bytesPerSample)
    const byteInSample = bytesPerSample - 1 - (segment % bytesPerSample)
    const first = (isPlanar ? sample * pixels : sample) * bytesPerSample + byteInSample
    const step = (isPlanar ? 1 : samples) * bytesPerSample
    unpackSegment(bytes.subarray(start, end), out, first, step, pixels)
  }
  return out
}

function unpackSegment(packed: Uint8Array, out: Uint8Array, first: number, step: number, count: number): void {
  let at = 0
  let to = first
  const end = first + step * count
  while (to < end) {
    const control = packed[at++]
    if (control === undefined) throw new RenderError('damaged', 'An RLE segment ends before its pixels do.')
    if (control < 128) {
      for (let left = control + 1; left > 0 && to < end; left--, to += step) {
        const value = packed[at++]
        if (value === undefined) throw new RenderError('damaged', 'An RLE segment ends before its pixels do.')
        out[to] = value
      }
    } else if (control > 128) {
      const value = packed[at++]
      if (value === undefined) throw new RenderError('damaged', 'An RLE segment ends before its pixels do.')
      for (let left = 257 - control; left > 0 && to < end; left--, to += step) out[to] = value
    }
  }
}
