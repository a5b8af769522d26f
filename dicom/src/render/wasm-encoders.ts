import type { FrameEncoding } from './encodings.ts'
import { describeThrown, loadWasm } from './wasm-codecs.ts'

/** Samples of one frame, interleaved, little endian; two bytes each when there are more than 8 bits. */
interface SamplesToEncode {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  readonly bitsPerSample: number
  readonly componentCount: number
  readonly isSigned: boolean
}

type EncoderFrame = Omit<SamplesToEncode, 'bytes'> & { readonly isUsingColorTransform: boolean }

interface Encoder {
  getDecodedBuffer(frame: EncoderFrame): Uint8Array
  getEncodedBuffer(): Uint8Array
  encode(): void
  setNearLossless?(most: number): void
  setInterleaveMode?(mode: number): void
  setDecompositions?(most: number): void
  setQuality?(isLossless: boolean, quantization: number): void
  delete(): void
}

type Instance = Record<string, (new () => Encoder) | undefined> & { getExceptionMessage?(pointer: number): string }

const modules = {
  jpegLs: ['@cornerstonejs/codec-charls/wasmjs', '/wasm', 'JpegLSEncoder'],
  jpeg2000: ['@cornerstonejs/codec-openjpeg/wasmjs', '/wasm', 'J2KEncoder'],
  htj2k: ['@cornerstonejs/codec-openjph/wasmjs', '/wasm', 'HTJ2KEncoder'],
} as const

const instances = new Map<FrameEncoding, Promise<Instance>>()

/** CharLS: samples of a pixel lie side by side. */
const interleavedBySample = 2

/**
 * Encodes without losses; colour in JPEG 2000 of both kinds by the reversible component transform, which only RGB may go through.
 * Any error drops the instance: after a trap its memory cannot be trusted.
 */
export async function encodeWithWasm(encoding: FrameEncoding, samples: SamplesToEncode): Promise<Uint8Array> {
  const [script, wasm, className] = modules[encoding]
  const loading = instances.get(encoding) ?? loadWasm<Instance>(script, wasm)
  instances.set(encoding, loading)
  let instance: Instance | undefined
  try {
    instance = await loading
    const Constructor = instance[className]
    if (!Constructor) throw new Error(`The encoder ${className} is missing from its package.`)
    const encoder = new Constructor()
    if (encoding === 'jpeg2000') encoder.setDecompositions?.(halvings(samples))
    return runEncoder(encoder, samples)
  } catch (cause) {
    instances.delete(encoding)
    throw new Error(describeThrown(cause, instance), { cause })
  }
}

/** OpenJPEG gives up when it is to halve an image more often than it has pixels; it halves five times by itself. */
function halvings({ width, height }: SamplesToEncode): number {
  return Math.min(5, Math.floor(Math.log2(Math.min(width, height))))
}

function runEncoder(encoder: Encoder, { bytes, ...shape }: SamplesToEncode): Uint8Array {
  const isColour = shape.componentCount > 1
  const room = encoder.getDecodedBuffer({ ...shape, isUsingColorTransform: isColour })
  if (room.length !== bytes.length) throw new Error('the encoder expects pixels of another size')
  room.set(bytes)
  encoder.setNearLossless?.(0)
  encoder.setInterleaveMode?.(isColour ? interleavedBySample : 0)
  encoder.setQuality?.(true, 0)
  encoder.encode()
  // The view is into WASM memory, which the next frame reuses.
  const encoded = encoder.getEncodedBuffer().slice()
  encoder.delete()
  return encoded
}
