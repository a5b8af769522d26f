import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { corpusFolder, isCorpusMissing } from '../node/corpus.ts'
import { inspectCodestream } from './codestream.ts'
import { type FrameEncoding, encodings, syntaxOfEncoding } from './encodings.ts'
import { transcodeFrame } from './render-job.ts'
import { buildObject, type TestImage, words } from './test-object.ts'
import { decodeWithWasm, loadWasm } from './wasm-codecs.ts'

const folder = mkdtempSync(join(tmpdir(), 'hilum-encode-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function write(image: TestImage): string {
  const path = join(folder, `${(files += 1)}.dcm`)
  writeFileSync(path, buildObject(image))
  return path
}

/** Values that neighbour each other a little and fill the whole range. */
function noise(count: number, bits: number, isSigned = false): number[] {
  let seed = 7
  return Array.from({ length: count }, (_, index) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    const value = (index * 5 + (seed >>> 11)) % 2 ** bits
    return isSigned ? value - 2 ** (bits - 1) : value
  })
}

const size = { rows: 13, columns: 11 }
const pixels = 13 * 11
const bytes = (values: number[]) => Uint8Array.from(values.map((value) => value & 0xff))

type Case = [name: string, image: TestImage, precision: Partial<Record<FrameEncoding, number>>]
const cases: Case[] = [
  ['grey of 8 bits', { ...size, pixels: bytes(noise(pixels, 8)) }, { jpegLs: 8, jpeg2000: 8, htj2k: 8 }],
  [
    'a single line',
    { rows: 1, columns: pixels, pixels: bytes(noise(pixels, 8)) },
    { jpegLs: 8, jpeg2000: 8, htj2k: 8 },
  ],
  ['grey of 6 bits', { ...size, stored: 6, pixels: bytes(noise(pixels, 6)) }, { jpegLs: 6, jpeg2000: 6, htj2k: 6 }],
  [
    'grey of 16 bits',
    { ...size, bits: 16, photometric: 'MONOCHROME1', pixels: words(noise(pixels, 16)) },
    { jpegLs: 16, jpeg2000: 16, htj2k: 16 },
  ],
  [
    'grey of 12 bits',
    { ...size, bits: 16, stored: 12, pixels: words(noise(pixels, 12)) },
    { jpegLs: 12, jpeg2000: 12, htj2k: 12 },
  ],
  [
    'grey of 12 bits with an overlay above them',
    { ...size, bits: 16, stored: 12, pixels: words(noise(pixels, 16)) },
    { jpegLs: 16, jpeg2000: 16, htj2k: 16 },
  ],
  [
    'grey of 8 bits in words',
    { ...size, bits: 16, stored: 8, pixels: words(noise(pixels, 8)) },
    { jpegLs: 16, jpeg2000: 16, htj2k: 16 },
  ],
  [
    'signed grey of 16 bits',
    { ...size, bits: 16, isSigned: true, pixels: words(noise(pixels, 16, true)) },
    { jpegLs: 16, jpeg2000: 16, htj2k: 16 },
  ],
  [
    'signed grey of 12 bits',
    { ...size, bits: 16, stored: 12, isSigned: true, pixels: words(noise(pixels, 12, true)) },
    { jpegLs: 16, jpeg2000: 12, htj2k: 12 },
  ],
  ['signed grey of 8 bits', { ...size, isSigned: true, pixels: bytes(noise(pixels, 8, true)) }, { jpegLs: 8 }],
  [
    'colour',
    { ...size, samples: 3, photometric: 'RGB', pixels: bytes(noise(pixels * 3, 8)) },
    { jpegLs: 8, jpeg2000: 8, htj2k: 8 },
  ],
  [
    'colour in planes',
    { ...size, samples: 3, photometric: 'RGB', isPlanar: true, pixels: bytes(noise(pixels * 3, 8)) },
    { jpegLs: 8, jpeg2000: 8, htj2k: 8 },
  ],
  [
    'colour in YBR',
    { ...size, samples: 3, photometric: 'YBR_FULL', pixels: bytes(noise(pixels * 3, 8)) },
    { jpegLs: 8 },
  ],
  [
    'colour of 16 bits',
    { ...size, samples: 3, bits: 16, photometric: 'RGB', pixels: words(noise(pixels * 3, 16)) },
    { jpegLs: 16 },
  ],
]

describe.each(encodings)('pixels encoded as %s', (encoding) => {
  test.each(cases.filter(([, , precision]) => precision[encoding]))(
    'come back as they were: %s',
    async (_, image, precision) => {
      const encoded = await transcodeFrame({ path: write(image), frame: 0, encoding })
      const { pixels: before, ...header } = image
      const again = write({
        ...header,
        photometric: encoded.photometric,
        transferSyntax: syntaxOfEncoding[encoding],
        fragments: [new Uint8Array(4), encoded.bytes],
      })
      const decoded = await transcodeFrame({ path: again, frame: 0 })
      expect(Buffer.compare(decoded.bytes, before ?? new Uint8Array(0))).toBe(0)
      expect(decoded.photometric).toBe(image.photometric ?? 'MONOCHROME2')
      const isTransformed = encoding !== 'jpegLs' && image.samples === 3
      expect(encoded.photometric).toBe(isTransformed ? 'YBR_RCT' : (image.photometric ?? 'MONOCHROME2'))
      expect(inspectCodestream(encoded.bytes)).toMatchObject({
        format: encoding,
        precision: precision[encoding],
        hasComponentTransform: isTransformed,
      })
    },
  )

  test.each<[string, TestImage]>([
    ['single bits', { rows: 8, columns: 8, bits: 1, pixels: new Uint8Array(8) }],
    ['32 bits', { rows: 2, columns: 2, bits: 32, pixels: new Uint8Array(16) }],
    ['floating point', { rows: 2, columns: 2, pixels: new Uint8Array(16), pixelTag: 0x7fe00008, pixelVr: 'OF' }],
    [
      'colours of half the resolution',
      { rows: 2, columns: 2, samples: 3, photometric: 'YBR_FULL_422', pixels: new Uint8Array(8) },
    ],
    ['colours of another kind', { rows: 1, columns: 2, samples: 3, photometric: 'HSV', pixels: new Uint8Array(6) }],
  ])('are refused in words: %s', async (_, image) => {
    await expect(transcodeFrame({ path: write(image), frame: 0, encoding })).rejects.toMatchObject({
      fault: 'unsupported',
      message: expect.stringContaining('here.'),
    })
  })

  test
    .skipIf(isCorpusMissing)
    .each([
      '1.2.2_big-endian_CT1',
      '1.2.1.99_deflated_CT1',
      '1.2.5_rle_MR1',
      '1.2.5_rle_US1-rgb',
      '4.57_jpeg-lossless-p14_CT',
      '4.70_jpeg-lossless-sv1_MR1',
      '4.90_j2k-lossless_US1-rgb',
      '4.202_htj2k-lossless-rpcl_MR1',
    ])('come back as they were from %s', async (name) => {
    const path = join(corpusFolder, 'transfer-syntaxes', `${name}.dcm`)
    const before = await transcodeFrame({ path, frame: 0 })
    const encoded = await transcodeFrame({ path, frame: 0, encoding })
    const decoded = await decodeWithWasm(encoding, encoded.bytes)
    expect(decoded.isPlanar).toBe(false)
    expect(Buffer.compare(decoded.data, before.bytes)).toBe(0)
    expect(encoded.bytes.length).toBeLessThan(before.bytes.length)
  })
})

test.each(cases.filter(([, , precision]) => precision.htj2k))(
  'OpenJPEG, which did not write it, reads the same pixels out of HTJ2K: %s',
  async (_, image) => {
    const { bytes: encoded } = await transcodeFrame({ path: write(image), frame: 0, encoding: 'htj2k' })
    const { data, componentCount } = await decodeWithWasm('jpeg2000', encoded)
    const before = Buffer.from(image.pixels ?? [])
    const wanted = image.isPlanar
      ? before.map((__, index) => before[(index % componentCount) * pixels + Math.floor(index / componentCount)] ?? 0)
      : before
    expect(Buffer.compare(data, wanted)).toBe(0)
  },
)

interface RawEncoder {
  getDecodedBuffer(frame: object): Uint8Array
  getEncodedBuffer(): Uint8Array
  encode(): void
}

/**
 * Three components without a transform lie one after the other, but this encoder takes the lines of all in turn. The
 * encoder is therefore given pixels whose line `n` in turn is the line `n` of the components one after the other.
 */
async function encodeUntransformed(planes: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const codec = await loadWasm<{ HTJ2KEncoder: new () => RawEncoder }>('@cornerstonejs/codec-openjph/wasmjs', '/wasm')
  const encoder = new codec.HTJ2KEncoder()
  const shape = { width, height, bitsPerSample: 8, componentCount: 3, isSigned: false, isUsingColorTransform: false }
  const room = encoder.getDecodedBuffer(shape)
  for (let line = 0; line < height * 3; line++)
    for (let x = 0; x < width; x++)
      room[Math.floor(line / 3) * width * 3 + x * 3 + (line % 3)] = planes[line * width + x] ?? 0
  encoder.encode()
  return encoder.getEncodedBuffer().slice()
}

test('HTJ2K colours without a component transform keep their places', async () => {
  const planes = bytes(noise(pixels * 3, 8))
  const encoded = await encodeUntransformed(planes, size.columns, size.rows)
  const shape = { ...size, samples: 3, photometric: 'RGB', isPlanar: true, transferSyntax: syntaxOfEncoding.htj2k }
  const path = write({ ...shape, fragments: [new Uint8Array(4), encoded] })
  expect(inspectCodestream(encoded)).toMatchObject({ format: 'htj2k', hasComponentTransform: false, components: 3 })
  expect(Buffer.compare((await transcodeFrame({ path, frame: 0 })).bytes, planes)).toBe(0)
})
