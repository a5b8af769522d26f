import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { NativeCodecs } from 'dcmjs-codecs'

const require = createRequire(import.meta.url)

interface FrameInfo {
  readonly width: number
  readonly height: number
  readonly bitsPerSample: number
  readonly componentCount: number
  readonly isSigned?: boolean
}

interface Decoder {
  getEncodedBuffer(length: number): Uint8Array
  getDecodedBuffer(): Uint8Array
  decode(): void
  decodeSubResolution?(level: number, layer: number): void
  getFrameInfo(): FrameInfo
  getInterleaveMode?(): number
  delete(): void
}

interface WasmFrame extends FrameInfo {
  readonly data: Uint8Array
  /** JPEG-LS with one scan a component leaves planes. */
  readonly isPlanar: boolean
}

const modules = {
  jpeg: ['@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs', '/decodewasm', 'JPEGDecoder'],
  jpegLs: ['@cornerstonejs/codec-charls/decodewasmjs', '/decodewasm', 'JpegLSDecoder'],
  jpeg2000: ['@cornerstonejs/codec-openjpeg/decodewasmjs', '/decodewasm', 'J2KDecoder'],
  htj2k: ['@cornerstonejs/codec-openjph/wasmjs', '/wasm', 'HTJ2KDecoder'],
} as const

export type WasmFormat = keyof typeof modules

type Instance = Record<string, (new () => Decoder) | undefined> & { getExceptionMessage?(pointer: number): string }

const instances = new Map<WasmFormat, Promise<Instance>>()

function load(format: WasmFormat): Promise<Instance> {
  const [script, wasm] = modules[format]
  return loadWasm<Instance>(script, wasm)
}

/** One build of a codec package. @param wasm what takes the place of the script's last path element */
export async function loadWasm<T>(script: string, wasm: string): Promise<T> {
  const wasmBinary = await readFile(require.resolve(script.replace(/\/[^/]+$/, wasm)))
  // The builds write their complaints to the console unless told otherwise; failures reach us as exceptions.
  return require(script)({ wasmBinary, print() {}, printErr() {} }) as Promise<T>
}

/**
 * Decodes with the WASM build for one format. Whatever is thrown, the instance is dropped: after a trap its memory
 * cannot be trusted.
 * @param reduceBy JPEG 2000 only: how often to halve the image
 */
export async function decodeWithWasm(format: WasmFormat, bytes: Uint8Array, reduceBy = 0): Promise<WasmFrame> {
  let loading = instances.get(format)
  if (!loading) {
    loading = load(format)
    instances.set(format, loading)
  }
  let instance: Instance | undefined
  try {
    instance = await loading
    const guarded = format === 'jpegLs' ? withEndOfImage(bytes) : bytes
    return runDecoder(instance, modules[format][2], guarded, reduceBy)
  } catch (cause) {
    instances.delete(format)
    throw new Error(describeThrown(cause, instance), { cause })
  }
}

/** CharLS reads on past the end of a cut stream, for 10 s and more, unless a marker stops it. */
function withEndOfImage(bytes: Uint8Array): Uint8Array {
  const ended = new Uint8Array(bytes.length + 2)
  ended.set(bytes)
  ended.set([0xff, 0xd9], bytes.length)
  return ended
}

function runDecoder(instance: Instance, className: string, bytes: Uint8Array, reduceBy: number): WasmFrame {
  const Constructor = instance[className]
  if (!Constructor) throw new Error(`The decoder ${className} is missing from its package.`)
  const decoder = new Constructor()
  decoder.getEncodedBuffer(bytes.length).set(bytes)
  if (reduceBy > 0 && decoder.decodeSubResolution) decoder.decodeSubResolution(reduceBy, 0)
  else decoder.decode()
  const { width, height, bitsPerSample, componentCount, isSigned } = decoder.getFrameInfo()
  const scale = 2 ** reduceBy
  const view = decoder.getDecodedBuffer()
  const frame = {
    width: Math.ceil(width / scale),
    height: Math.ceil(height / scale),
    bitsPerSample,
    componentCount,
    isSigned: isSigned ?? false,
    isPlanar: componentCount > 1 && decoder.getInterleaveMode?.() === 0,
    // The view is into WASM memory, which the next decode reuses.
    data: new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice(),
  }
  decoder.delete()
  return frame
}

/** Emscripten throws C++ exceptions as bare pointers. */
export function describeThrown(
  thrown: unknown,
  instance: { getExceptionMessage?(pointer: number): string } | undefined,
): string {
  if (thrown instanceof Error) return thrown.message
  if (typeof thrown === 'number' && instance?.getExceptionMessage) return instance.getExceptionMessage(thrown)
  return 'the decoder gave no reason'
}

export type NativeDecodeCall = 'decodeJpeg' | 'decodeJpegLs' | 'decodeJpeg2000' | 'decodeHtJpeg2000' | 'decodeJpegXl'

interface NativeLayout {
  readonly width: number
  readonly height: number
  readonly bitsAllocated: number
  readonly bitsStored: number
  readonly samplesPerPixel: number
  readonly pixelRepresentation: number
  readonly planarConfiguration: number
  readonly photometricInterpretation: string
}

let nativeCodecs: Promise<typeof NativeCodecs> | undefined

async function loadNative(): Promise<typeof NativeCodecs> {
  const { NativeCodecs: codecs, log } = require('dcmjs-codecs') as typeof import('dcmjs-codecs')
  log.setLevel('silent')
  await codecs.initializeAsync({ logCodecsInfo: false, logCodecsTrace: false })
  return codecs
}

/** The second set of decoders; the only one for 12-bit and lossless JPEG. Dropped after any failure, as above. */
export async function decodeWithNative(
  call: NativeDecodeCall,
  bytes: Uint8Array,
  layout: NativeLayout,
  convertColorspaceToRgb: boolean,
): Promise<WasmFrame & { photometric: string }> {
  nativeCodecs ??= loadNative()
  try {
    const codecs = await nativeCodecs
    const { Context } = require('dcmjs-codecs') as typeof import('dcmjs-codecs')
    const context = new Context({ ...layout, encodedBuffer: bytes })
    const decoded = codecs[call](context, call === 'decodeJpeg' ? { convertColorspaceToRgb } : {})
    const buffer = decoded.getDecodedBuffer()
    if (!buffer) throw new Error('the decoder gave no pixels')
    return {
      data: new Uint8Array(buffer),
      width: decoded.getWidth() ?? layout.width,
      height: decoded.getHeight() ?? layout.height,
      bitsPerSample: decoded.getBitsAllocated() ?? layout.bitsAllocated,
      componentCount: decoded.getSamplesPerPixel() ?? layout.samplesPerPixel,
      isSigned: decoded.getPixelRepresentation() === 1,
      isPlanar: decoded.getPlanarConfiguration() === 1,
      photometric: decoded.getPhotometricInterpretation() ?? layout.photometricInterpretation,
    }
  } catch (cause) {
    nativeCodecs = undefined
    throw cause instanceof Error ? cause : new Error(String(cause), { cause })
  }
}
