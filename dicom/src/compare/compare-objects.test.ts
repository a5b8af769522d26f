import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCorpusMissing, listCorpus, readCorpusFile } from '../node/corpus.ts'
import { memorySource } from '../render/byte-source.ts'
import { encodeFrame } from '../render/encode.ts'
import { encodings, syntaxOfEncoding } from '../render/encodings.ts'
import { decodeFrame } from '../render/decode.ts'
import { readFrame } from '../render/frames.ts'
import { describeImage } from '../render/image-description.ts'
import { readImageHeader } from '../render/image-header.ts'
import { rewritten, type Writing } from '../synthetic/rewritten.ts'
import { pixelElements } from '../synthetic/study.ts'
import { Tag } from '../tags.ts'
import { ExplicitBigEndian } from '../transfer-syntaxes.ts'
import { type Correction, correctFile } from '../node/correct-file.ts'
import { readHeader } from '../read.ts'
import { concatBytes, encodeElements, type WriteElement, writePart10 } from '../write-part10.ts'
import { compareObjects } from './compare-objects.ts'

const compare = (one: Uint8Array, other: Uint8Array) => compareObjects(memorySource(one), memorySource(other))
const same = { isSame: true, differences: [], differenceCount: 0, pixels: { isSame: true, frames: [] } }

const writings: fc.Arbitrary<Writing> = fc.record({
  syntax: fc.constantFrom('explicit', 'implicit', 'bigEndian', 'deflated'),
  hasUndefinedLengths: fc.boolean(),
  hasGroupLengths: fc.boolean(),
  hasTrailingPadding: fc.boolean(),
  hasOtherMeta: fc.boolean(),
  hasCutFragments: fc.boolean(),
  hasMoreBlanks: fc.boolean(),
})

/** An image with values of every VR, sequences, private elements and 16-bit pixels. */
function made(more: readonly WriteElement[] = []): Uint8Array {
  const pixels = new Uint8Array(new Uint16Array(12 * 10).map((_, index) => (index * 37) % 4096).buffer)
  const elements: WriteElement[] = [
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.1.1' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2.3' },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3.1' },
    { tag: Tag.PatientName, vr: 'PN', value: 'Kovač^Luka=路卡' },
    { tag: Tag.PatientID, vr: 'LO', value: 'M1' },
    { tag: 0x00081140, vr: 'SQ', value: [[{ tag: 0x00081155, vr: 'UI', value: '1.2.9' }], []] },
    { tag: 0x00090010, vr: 'LO', value: 'MAKER' },
    { tag: 0x00091001, vr: 'FD', value: [1.5, -3] },
    { tag: 0x00091002, vr: 'SH', value: 'abc' },
    { tag: 0x00181063, vr: 'DS', value: '1.50' },
    { tag: 0x00209165, vr: 'AT', value: [0x00181063] },
    { tag: 0x00280030, vr: 'DS', value: '0.5\\0.5' },
    { tag: 0x00281050, vr: 'DS', value: '40' },
    ...pixelElements({ rows: 12, columns: 10, bitsAllocated: 16, bitsStored: 12 } as never, pixels),
  ]
  const replaced = new Set(more.map(({ tag }) => tag))
  return writePart10([...elements.filter(({ tag }) => !replaced.has(tag)), ...more])
}

describe('the same object in another writing', () => {
  it('is the same, however it is written', async () => {
    await fc.assert(
      fc.asyncProperty(writings, writings, async (one, other) => {
        expect(await compare(rewritten(made(), one), rewritten(made(), other))).toEqual(same)
      }),
      { numRuns: 60 },
    )
  })

  it('is the same where texts in other character sets say the same', async () => {
    const latin = concatBytes([made([{ tag: Tag.PatientName, vr: 'PN', value: 'Muller^Jurgen' }])])
    const inUtf8 = made([{ tag: Tag.PatientName, vr: 'PN', value: 'Müller^Jürgen' }])
    const inLatin1 = made([
      { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 100' },
      { tag: Tag.PatientName, vr: 'PN', value: Uint8Array.from('Müller^Jürgen', (sign) => sign.charCodeAt(0)) },
    ])
    expect((await compare(inUtf8, inLatin1)).isSame).toBe(true)
    expect((await compare(latin, inLatin1)).differences).toMatchObject([{ path: '00100010', second: 'Müller^Jürgen' }])
  })

  it('is the same where numbers, names and UIDs are only written otherwise', async () => {
    const other = made([
      { tag: 0x00181063, vr: 'DS', value: '+15E-1 ' },
      { tag: Tag.PatientName, vr: 'PN', value: 'Kovač^Luka^^^=路卡^' },
      { tag: 0x00280030, vr: 'DS', value: ' .5\\5e-1' },
    ])
    expect(await compare(made(), other)).toEqual(same)
  })

  it('is the same compressed without losses, whatever with', async () => {
    const native = made()
    const header = await readImageHeader(memorySource(native))
    const image = describeImage(header)
    for (const encoding of encodings) {
      const { bytes } = await encodeFrame(await decodeFrame(await readFrame(header, 0, image), image), image, encoding)
      const { photometric } = image
      const compressed = encapsulated(syntaxOfEncoding[encoding], photometric, bytes)
      expect([encoding, await compare(native, compressed)]).toEqual([encoding, same])
      expect([encoding, await compare(rewritten(compressed, { ...plain, hasCutFragments: true }), compressed)]).toEqual(
        [encoding, same],
      )
    }
  })

  it.skipIf(isCorpusMissing)('is the same for the files of the corpus', async () => {
    const seen = new Set<string>()
    const files = [...listCorpus('transfer-syntaxes/'), ...listCorpus('charsets/'), ...listCorpus('studies/')].filter(
      ({ path, expected }) => {
        const kind = path.split('/').slice(0, 2).join('/')
        const isFirst = path.startsWith('transfer-syntaxes/') || path.startsWith('charsets/') || !seen.has(kind)
        seen.add(kind)
        return expected === 'accept' && isFirst
      },
    )
    expect(files.length).toBeGreaterThan(20)
    const [all] = fc.sample(fc.array(writings, { minLength: files.length, maxLength: files.length }), {
      numRuns: 1,
      seed: 7,
    })
    const wrong: unknown[] = []
    for (const [index, { path }] of files.entries()) {
      const file = readCorpusFile(path)
      if (file.length > 8_000_000 || (await isBigEndian(file))) continue
      const comparison = await compare(file, rewritten(file, all?.[index] ?? plain))
      if (!comparison.isSame) wrong.push([path, all?.[index], comparison])
    }
    expect(wrong).toEqual([])
  })
})

describe('an object as we corrected it on its way out', () => {
  const edits = [
    { tag: Tag.PatientName, old: 'Kovač^Luka=路卡', new: 'HOSPITAL^NAME' },
    { tag: Tag.PatientID, old: 'M1', new: 'H-7' },
    // absent before
    { tag: Tag.AccessionNumber, old: '', new: 'ACC-1' },
  ]
  const corrected = (file: Uint8Array, more: Partial<Correction> = {}) => {
    const read = readHeader(file, { size: file.length, untilPixelData: true })
    if (read.kind !== 'header') throw new Error('The header is incomplete')
    const { prefix, tailOffset } = correctFile(file, read.header, { edits, modifiedAt: '20261129', ...more })
    return concatBytes([prefix, file.subarray(tailOffset)])
  }

  it('is a correction of the other, in any writing, and once more corrected', async () => {
    await fc.assert(
      fc.asyncProperty(writings, async (writing) => {
        const back = rewritten(corrected(made()), writing)
        expect(await compare(back, made())).toMatchObject({ isSame: false, isCorrection: true })
      }),
      { numRuns: 20 },
    )
    const once = corrected(made())
    const twice = corrected(once, { edits: [{ tag: Tag.PatientID, old: 'H-7', new: 'H-8' }] })
    expect(await compare(twice, once)).toMatchObject({ isCorrection: true })
  })

  it.each<[string, (back: Uint8Array) => Uint8Array]>([
    ['something else was changed', (back) => changed(back, Tag.StudyDescription, 'Another')],
    ['another system signed it', (back) => replacedText(back, 'Hilum', 'Others')],
    ['the values before are others', (back) => replacedText(back, 'M1', 'M2')],
  ])('is none where %s', async (_what, change) => {
    expect(await compare(change(corrected(made())), made())).not.toHaveProperty('isCorrection')
  })

  it('is none the other way round, and with other pixels', async () => {
    expect(await compare(made(), corrected(made()))).not.toHaveProperty('isCorrection')
    const file = rewritten(corrected(made()), plain, ({ tag, value }) => {
      if (tag === Tag.PixelData) value[0] = (value[0] ?? 0) ^ 1
      return value
    })
    expect(await compare(file, made())).not.toHaveProperty('isCorrection')
  })
})

/** A file in which a text stands in place of another one of the same length. */
function replacedText(file: Uint8Array, text: string, other: string): Uint8Array {
  const bytes = Buffer.from(file)
  const at = bytes.lastIndexOf(text)
  expect(at).toBeGreaterThan(0)
  bytes.write(other.slice(0, text.length), at)
  return new Uint8Array(bytes)
}

function changed(file: Uint8Array, tag: number, value: string): Uint8Array {
  const read = readHeader(file, { size: file.length, untilPixelData: true })
  if (read.kind !== 'header') throw new Error('The header is incomplete')
  const { dataSet } = read.header
  const at = [...dataSet.elements.values()].findLast((element) => element.tag < tag)?.end ?? 0
  const element = encodeElements([{ tag, vr: 'LO', value }], dataSet.encoding)
  return concatBytes([file.subarray(0, at), element, file.subarray(at)])
}

describe('another object', () => {
  it('is told by the attribute that differs, in any writing', async () => {
    const changed: [path: string, element: WriteElement][] = [
      ['00100010', { tag: Tag.PatientName, vr: 'PN', value: 'Kovač^Lukas=路卡' }],
      ['00100020', { tag: Tag.PatientID, vr: 'LO', value: 'M2' }],
      ['00181063', { tag: 0x00181063, vr: 'DS', value: '1.51' }],
      ['00091001', { tag: 0x00091001, vr: 'FD', value: [1.5, -3.0000001] }],
      ['00209165', { tag: 0x00209165, vr: 'AT', value: [0x00181064] }],
      [
        '00081140/0/00081155',
        { tag: 0x00081140, vr: 'SQ', value: [[{ tag: 0x00081155, vr: 'UI', value: '1.2.8' }], []] },
      ],
      ['00081140', { tag: 0x00081140, vr: 'SQ', value: [[{ tag: 0x00081155, vr: 'UI', value: '1.2.9' }]] }],
      ['00104000', { tag: 0x00104000, vr: 'LT', value: 'new' }],
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...changed), writings, writings, async ([path, element], one, other) => {
        const comparison = await compare(rewritten(made(), one), rewritten(made([element]), other))
        expect(comparison).toMatchObject({ isSame: false, differenceCount: 1, differences: [{ path }] })
        expect(comparison.pixels.isSame).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('is told by one pixel, in any writing', async () => {
    await fc.assert(
      fc.asyncProperty(writings, writings, fc.nat(12 * 10 - 1), async (one, other, pixel) => {
        const file = rewritten(made(), other, ({ tag, value }) => {
          if (tag === Tag.PixelData) value[pixel * 2] = (value[pixel * 2] ?? 0) ^ 1
          return value
        })
        expect(await compare(rewritten(made(), one), file)).toMatchObject({
          isSame: false,
          differences: [],
          pixels: { isSame: false, frames: [0] },
        })
      }),
      { numRuns: 30 },
    )
  })

  it('says which frames differ', async () => {
    const frames = (changed: number) => {
      const pixels = new Uint8Array(4 * 25).map((_, index) =>
        index >= changed * 25 && index < changed * 25 + 3 ? 9 : 1,
      )
      return made([
        { tag: Tag.NumberOfFrames, vr: 'IS', value: '4' },
        ...pixelElements({ rows: 5, columns: 5 }, pixels),
      ])
    }
    expect((await compare(frames(9), frames(2))).pixels).toEqual({ isSame: false, frames: [2] })
  })
})

const plain: Writing = {
  syntax: 'explicit',
  hasUndefinedLengths: false,
  hasGroupLengths: false,
  hasTrailingPadding: false,
  hasOtherMeta: false,
  hasCutFragments: false,
  hasMoreBlanks: false,
}

async function isBigEndian(file: Uint8Array): Promise<boolean> {
  return (await readImageHeader(memorySource(file))).transferSyntaxUid === ExplicitBigEndian
}

function encapsulated(syntax: string, photometric: string, frame: Uint8Array): Uint8Array {
  const elements = rewritten(made([{ tag: Tag.PhotometricInterpretation, vr: 'CS', value: photometric }]), plain)
  const at = Buffer.from(elements).indexOf(Buffer.from([0xe0, 0x7f, 0x10, 0x00]))
  const meta = writePart10([{ tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.1.1' }], syntax)
  const metaEnd = Buffer.from(meta).lastIndexOf(Buffer.from([0x08, 0x00, 0x18, 0x00]))
  const start = Buffer.from(elements).indexOf(Buffer.from([0x08, 0x00, 0x05, 0x00]))
  const even = concatBytes([frame, new Uint8Array(frame.length % 2)])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(even.length)
  return concatBytes([
    meta.subarray(0, metaEnd),
    elements.subarray(start, at),
    Buffer.from('e07f10004f420000fffffffffeff00e000000000feff00e0', 'hex'),
    length,
    even,
    Buffer.from('feffdde000000000', 'hex'),
  ])
}
