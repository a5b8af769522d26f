import type { DecodedFrame } from './decode.ts'

export type StoredValues =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array

/**
 * The stored values of a frame as numbers, in the order of `data`: bits beyond BitsStored are masked away (overlays
 * were kept there) and the sign is extended.
 */
export function storedValues(frame: DecodedFrame): StoredValues {
  const count = frame.isSubsampled ? frame.rows * frame.columns * 2 : frame.rows * frame.columns * frame.samplesPerPixel
  const bytes = aligned(frame)
  if (frame.kind === 'float') return new Float32Array(bytes.buffer, bytes.byteOffset, count)
  if (frame.kind === 'double') return new Float64Array(bytes.buffer, bytes.byteOffset, count)
  if (frame.bitsAllocated === 1) return unpackBits(frame.data, frame.bitOffset, count)
  const whole = integerView(bytes, frame.bitsAllocated, frame.isSigned, count)
  const isWhole = frame.bitsStored === frame.bitsAllocated
  return isWhole ? whole : cutBits(whole, frame)
}

/** Typed arrays need their bytes on a multiple of the word; a range out of a larger buffer may lie elsewhere. */
function aligned(frame: DecodedFrame): Uint8Array {
  const skipped = frame.bitsAllocated === 1 ? 0 : frame.bitOffset / 8
  const bytes = skipped > 0 ? frame.data.subarray(skipped) : frame.data
  return bytes.byteOffset % (frame.bitsAllocated / 8) === 0 ? bytes : bytes.slice()
}

function unpackBits(bytes: Uint8Array, bitOffset: number, count: number): Uint8Array {
  const values = new Uint8Array(count)
  for (let index = 0; index < count; index++) {
    const bit = bitOffset + index
    values[index] = ((bytes[bit >>> 3] ?? 0) >>> (bit & 7)) & 1
  }
  return values
}

function integerView(bytes: Uint8Array, bits: number, isSigned: boolean, count: number) {
  const { buffer, byteOffset } = bytes
  if (bits === 8) return isSigned ? new Int8Array(buffer, byteOffset, count) : new Uint8Array(buffer, byteOffset, count)
  if (bits === 16) {
    return isSigned ? new Int16Array(buffer, byteOffset, count) : new Uint16Array(buffer, byteOffset, count)
  }
  return isSigned ? new Int32Array(buffer, byteOffset, count) : new Uint32Array(buffer, byteOffset, count)
}

/** The bits of the value alone, its sign extended. */
export function cutBits<T extends Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array>(
  whole: T,
  frame: Pick<DecodedFrame, 'highBit' | 'bitsStored' | 'isSigned'>,
): T {
  const cut = whole.slice() as T
  const left = 31 - frame.highBit
  const right = 32 - frame.bitsStored
  // Shifting up and back drops the bits above and below; an arithmetic shift brings the sign along.
  if (frame.isSigned) for (let index = 0; index < cut.length; index++) cut[index] = ((cut[index] ?? 0) << left) >> right
  else for (let index = 0; index < cut.length; index++) cut[index] = ((cut[index] ?? 0) << left) >>> right
  return cut
}
