import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { isCorpusMissing, readCorpusFile } from '../node/corpus.ts'
import { memorySource } from './byte-source.ts'
import { readFrame } from './frames.ts'
import { readImageHeader } from './image-header.ts'
import { RenderError } from './render-error.ts'
import { type FrameRequest, renderFrame, renderThumbnail } from './render-job.ts'
import { buildObject, type TestElement, type TestImage, words } from './test-object.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-render-job-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let files = 0
async function fileOf(bytes: Uint8Array): Promise<string> {
  files += 1
  const path = join(folder, String(files))
  await writeFile(path, bytes)
  return path
}

type Options = Partial<FrameRequest>

/** The same options by both doors. */
async function bothOf(path: string, edge: number, options: Options = {}) {
  const within = { width: edge, height: edge }
  return [
    await renderFrame({ path, frame: 0, format: 'png', within, ...options }),
    await renderThumbnail({ path, frame: 0, format: 'png', edge, withOverlays: options.withOverlays }),
  ]
}

describe('pixels that are not square', () => {
  const flat = (elements: TestElement[]): TestImage => ({
    rows: 40,
    columns: 60,
    bits: 16,
    pixels: words(Array.from({ length: 2400 }, (_, index) => index)),
    elements,
  })
  const cases: [string, TestElement[], [number, number]][] = [
    ['Pixel Spacing', [{ tag: 0x00280030, vr: 'DS', value: '2\\1 ' }], [60, 80]],
    ['Pixel Spacing, wide', [{ tag: 0x00280030, vr: 'DS', value: '0.5\\1.5 ' }], [180, 40]],
    ['Imager Pixel Spacing', [{ tag: 0x00181164, vr: 'DS', value: '2\\1 ' }], [60, 80]],
    ['Nominal Scanned Pixel Spacing', [{ tag: 0x00182010, vr: 'DS', value: '2\\1 ' }], [60, 80]],
    ['Pixel Aspect Ratio', [{ tag: 0x00280034, vr: 'IS', value: '4\\3 ' }], [60, 53]],
    [
      'Pixel Spacing before the ratio',
      [
        { tag: 0x00280030, vr: 'DS', value: '1\\1 ' },
        { tag: 0x00280034, vr: 'IS', value: '2\\1 ' },
      ],
      [60, 40],
    ],
    ['a spacing of nothing', [{ tag: 0x00280030, vr: 'DS', value: '0\\0 ' }], [60, 40]],
    [
      'the spacing of the frame',
      [
        {
          tag: 0x52009229,
          vr: 'SQ',
          value: [[{ tag: 0x00289110, vr: 'SQ', value: [[{ tag: 0x00280030, vr: 'DS', value: '2\\1 ' }]] }]],
        },
      ],
      [60, 80],
    ],
  ]
  test.each(cases)('become square by %s', async (_, elements, [width, height]) => {
    const path = await fileOf(buildObject(flat(elements)))
    for (const picture of await bothOf(path, 1000)) expect(picture).toMatchObject({ width, height })
    for (const depth of [8, 16] as const)
      expect(await renderFrame({ path, frame: 0, depth })).toMatchObject({ width, height })
    const edge = 20
    const factor = edge / Math.max(width, height)
    const small = { width: Math.round(width * factor), height: Math.round(height * factor) }
    for (const picture of await bothOf(path, edge)) expect(picture).toMatchObject(small)
  })
})

describe('overlays', () => {
  /** The left half of the image, as bits of its own. */
  function leftHalf(rows: number, columns: number): TestElement[] {
    const data = new Uint8Array(Math.ceil((rows * columns) / 16) * 2)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns / 2; column++) {
        const bit = row * columns + column
        data[bit >> 3] = (data[bit >> 3] ?? 0) | (1 << (bit & 7))
      }
    return [
      { tag: 0x60000010, vr: 'US', value: rows },
      { tag: 0x60000011, vr: 'US', value: columns },
      { tag: 0x60000040, vr: 'CS', value: 'G ' },
      { tag: 0x60000050, vr: 'SS', value: [1, 1] },
      { tag: 0x60000100, vr: 'US', value: 1 },
      { tag: 0x60000102, vr: 'US', value: 0 },
      { tag: 0x60003000, vr: 'OW', value: data },
    ]
  }
  async function whiteShare(bytes: Uint8Array): Promise<number> {
    const grey = await sharp(bytes).greyscale().raw().toBuffer()
    return grey.filter((value) => value > 200).length / grey.length
  }

  const grey: TestImage = {
    rows: 64,
    columns: 64,
    bits: 8,
    pixels: new Uint8Array(4096).fill(50),
    elements: [
      { tag: 0x00281050, vr: 'DS', value: '128 ' },
      { tag: 0x00281051, vr: 'DS', value: '256 ' },
      ...leftHalf(64, 64),
    ],
  }
  const colour: TestImage = { ...grey, samples: 3, photometric: 'RGB', pixels: new Uint8Array(4096 * 3).fill(50) }
  const inverted: TestImage = { ...grey, photometric: 'MONOCHROME1', pixels: new Uint8Array(4096).fill(200) }

  test.each([
    ['grey', grey],
    ['colour', colour],
    ['inverted grey', inverted],
  ])('are drawn unless they are called off, on %s', async (_, image) => {
    const path = await fileOf(buildObject(image))
    for (const edge of [64, 16]) {
      for (const { bytes } of await bothOf(path, edge)) expect(await whiteShare(bytes)).toBeCloseTo(0.5, 1)
      for (const { bytes } of await bothOf(path, edge, { withOverlays: false })) expect(await whiteShare(bytes)).toBe(0)
    }
  })

  test.skipIf(isCorpusMissing)('lie where they belong on JPEG 2000 that is decoded smaller', async () => {
    const source = memorySource(readCorpusFile('transfer-syntaxes/4.90_j2k-lossless_CT1.dcm'))
    const { bytes: codestream } = await readFrame(await readImageHeader(source), 0)
    const object = buildObject({
      rows: 512,
      columns: 512,
      bits: 16,
      stored: 16,
      isSigned: true,
      transferSyntax: '1.2.840.10008.1.2.4.90',
      fragments: [new Uint8Array(0), codestream],
      elements: [
        { tag: 0x00281050, vr: 'DS', value: '0 ' },
        { tag: 0x00281051, vr: 'DS', value: '20000 ' },
        ...leftHalf(512, 512),
      ],
    })
    for (const { bytes } of await bothOf(await fileOf(object), 64)) expect(await whiteShare(bytes)).toBeCloseTo(0.5, 1)
  })
})

describe('an image whose pixels are not there', () => {
  const raw = (tag: number, vr: string, length: number, value: Uint8Array = new Uint8Array(0)) => {
    const head = Buffer.alloc(vr === 'SQ' || vr === 'OW' ? 12 : 8)
    head.writeUInt16LE(tag >>> 16, 0)
    head.writeUInt16LE(tag & 0xffff, 2)
    head.write(vr, 4, 'latin1')
    if (head.length === 12) head.writeUInt32LE(length, 8)
    else head.writeUInt16LE(length, 6)
    return Buffer.concat([head, value])
  }
  const item = (length: number) => {
    const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0])
    head.writeUInt32LE(length, 4)
    return head
  }
  const header = buildObject({ rows: 2, columns: 2 })
  const pixels = raw(0x7fe00010, 'OW', 4, Uint8Array.of(1, 2, 3, 4))
  const creator = raw(0x00290010, 'LO', 4, Buffer.from('MINE'))

  test.each([
    ['a sequence that says it is empty and is not', [raw(0x00291001, 'SQ', 0), item(8), raw(0x00291002, 'US', 0)]],
    ['a delimiter too many', [Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0])]],
    ['the end of an item that never began', [Buffer.from([0xfe, 0xff, 0x0d, 0xe0, 0, 0, 0, 0])]],
  ])('says that its picture is lost: behind %s', async (_, stray) => {
    const path = await fileOf(Buffer.concat([header, creator, ...stray, pixels]))
    for (const draw of [() => renderFrame({ path, frame: 0 }), () => renderThumbnail({ path })]) {
      const error = await draw().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(RenderError)
      expect(error).toMatchObject({ fault: 'damaged', message: expect.stringContaining('lost') })
    }
  })

  test.each([
    ['describes pixels', header],
    [
      'is an image by its class',
      Buffer.concat([header.subarray(0, 132), raw(0x00080016, 'UI', 26, Buffer.from('1.2.840.10008.5.1.4.1.1.2\0'))]),
    ],
  ])('says that its picture is lost: it %s', async (_, bytes) => {
    const path = await fileOf(bytes)
    await expect(renderThumbnail({ path })).rejects.toMatchObject({
      fault: 'damaged',
      message: expect.stringContaining('lost'),
    })
  })
})
