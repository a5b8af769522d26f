import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpusFolder, isCorpusMissing } from '../node/corpus.ts'
import { openFileSource } from './file-source.ts'
import { decodeFrame } from './decode.ts'
import { describeImage } from './image-description.ts'
import { inspectCodestream } from './codestream.ts'
import { readFrame } from './frames.ts'
import { readImageHeader } from './image-header.ts'
import { decodeWithNative, decodeWithWasm, type NativeDecodeCall, type WasmFormat } from './wasm-codecs.ts'

async function codestreamOf(name: string): Promise<Uint8Array> {
  await using source = await openFileSource(join(corpusFolder, 'transfer-syntaxes', name))
  return (await readFrame(await readImageHeader(source), 0)).bytes
}

function layoutOf(bytes: Uint8Array) {
  const { columns, rows, components, precision } = inspectCodestream(bytes)
  return {
    width: columns,
    height: rows,
    bitsAllocated: precision > 8 ? 16 : 8,
    bitsStored: precision,
    samplesPerPixel: components,
    pixelRepresentation: components === 3 ? 0 : 1,
    planarConfiguration: 0,
    photometricInterpretation: components === 3 ? 'RGB' : 'MONOCHROME2',
  }
}

describe.skipIf(isCorpusMissing)('the second decoder', () => {
  test.each<[string, WasmFormat, NativeDecodeCall]>([
    ['4.50_jpeg-baseline_SC-rgb.dcm', 'jpeg', 'decodeJpeg'],
    ['4.80_jpeg-ls-lossless_CT1.dcm', 'jpegLs', 'decodeJpegLs'],
    ['4.90_j2k-lossless_CT1.dcm', 'jpeg2000', 'decodeJpeg2000'],
    ['4.90_j2k-lossless_US1-rgb.dcm', 'jpeg2000', 'decodeJpeg2000'],
    ['4.201_htj2k-lossless_CT1.dcm', 'htj2k', 'decodeHtJpeg2000'],
  ])('gives the pixels of the first for %s', async (name, format, call) => {
    const bytes = await codestreamOf(name)
    const first = await decodeWithWasm(format, bytes)
    const second = await decodeWithNative(call, bytes, layoutOf(bytes), first.componentCount === 3)
    expect(Buffer.compare(first.data, second.data)).toBe(0)
  })

  test('and the first work on after damaged input', async () => {
    await using source = await openFileSource(join(corpusFolder, 'transfer-syntaxes/4.90_j2k-lossless_CT1.dcm'))
    const header = await readImageHeader(source)
    const image = describeImage(header)
    const frame = await readFrame(header, 0, image)
    const before = await decodeFrame(frame, image)
    const damaged = { bytes: frame.bytes.slice(0, 200), bitOffset: 0 }
    await expect(decodeFrame(damaged, image)).rejects.toMatchObject({ fault: 'damaged' })
    expect(Buffer.compare((await decodeFrame(frame, image)).data, before.data)).toBe(0)
  })
})
