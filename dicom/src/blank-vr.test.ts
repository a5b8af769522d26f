import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { type DataSet, walkDataSet } from './data-set.ts'
import { EndCheck } from './end-check.ts'
import { hasShortLength } from './elements.ts'
import { indexInstance } from './instance-index.ts'
import { dataSetToJson } from './json.ts'
import { isCorpusMissing, listCorpus, readCorpusFile } from './node/corpus.ts'
import { inflate } from './node/inflate.ts'
import { DicomReadError } from './read-error.ts'
import { readDataSet, readHeader } from './read.ts'
import { transcodeFrame } from './render/render-job.ts'
import { readItems } from './values.ts'
import { isPrivateTag, Tag } from './tags.ts'
import { ExplicitBigEndian, ExplicitLittleEndian } from './transfer-syntaxes.ts'
import { concatBytes, encodeElements, writeMeta } from './write-part10.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-blank-vr-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Explicit files of each folder, little endian and big. */
const files = listCorpus().filter(
  (file) =>
    [ExplicitLittleEndian, ExplicitBigEndian].includes(file.transfer_syntax ?? '') &&
    file.expected === 'accept' &&
    /^(transfer-syntaxes|charsets|studies\/(ct-with-sr|mr-enhanced|rt-breast|ecg|sm-slide))/.test(file.path),
)

/** The same file with other signs in place of the VRs of public elements, those inside sequences included. */
function blanked(bytes: Uint8Array, signs: string): Uint8Array {
  const copy = bytes.slice()
  const blank = (dataSet: DataSet) => {
    for (const element of dataSet.elements.values()) {
      const { tag, vr, start } = element
      if (vr === 'SQ') for (const item of readItems(dataSet, element)) blank(item)
      if (vr && hasShortLength(vr) && !isPrivateTag(tag)) copy.set(Buffer.from(signs), start + 4)
    }
  }
  blank(readDataSet(bytes, { inflate }).dataSet)
  return copy
}

function headerOf(bytes: Uint8Array) {
  for (let size = 600; ; size *= 2) {
    const read = readHeader(bytes.subarray(0, size), { size: bytes.length, untilPixelData: true })
    if (read.kind === 'header') return read.header
  }
}

describe.skipIf(isCorpusMissing)('elements with two blanks, or other signs, in place of their VR', () => {
  describe.each(['  ', '??', '--', 'us'])('"%s"', (signs) => {
    it('are read like any others, from the whole file and from its beginning', () => {
      expect(files.length).toBeGreaterThan(20)
      for (const file of files) {
        const bytes = readCorpusFile(file.path)
        const other = blanked(bytes, signs)
        expect(indexInstance(headerOf(other)), `${file.path}`).toEqual(indexInstance(headerOf(bytes)))
        const check = new EndCheck(headerOf(other))
        check.push(other)
        expect(() => check.finish()).not.toThrow()
        // the dictionary does not know of signed pixels what the VR said of padding and the like
        const json = dataSetToJson(readDataSet(other).dataSet)
        expect(Object.keys(json), `${file.path}`).toEqual(Object.keys(dataSetToJson(readDataSet(bytes).dataSet)))
      }
    })
  })

  test('have the same pixels', async () => {
    let pictures = 0
    for (const file of files) {
      const bytes = readCorpusFile(file.path)
      if (headerOf(bytes).pixelOffset === undefined) continue
      pictures += 1
      const paths = [join(folder, 'as-it-is'), join(folder, 'blanked')]
      await writeFile(paths[0] ?? '', bytes)
      await writeFile(paths[1] ?? '', blanked(bytes, '  '))
      const [one, other] = await Promise.all(paths.map((path) => transcodeFrame({ path, frame: 0 })))
      expect(other, `${file.path}`).toEqual(one)
    }
    expect(pictures).toBeGreaterThan(10)
  })
})

describe.skipIf(isCorpusMissing)('a file in another byte order than it says', () => {
  const swap = (file: Uint8Array, syntax: string) => {
    const copy = Buffer.from(file.slice())
    const at = copy.indexOf('1.2.840.10008.1.2')
    const declared = copy.indexOf(Buffer.from([0x02, 0x00, 0x10, 0x00, 0x55, 0x49])) + 8
    expect(at).toBeGreaterThan(0)
    copy.fill(0, declared, declared + copy.readUInt16LE(declared - 2))
    copy.write(syntax, declared, 'latin1')
    return new Uint8Array(copy)
  }

  it.each([
    ['1.2.2_big-endian_CT1', ExplicitLittleEndian],
    ['1.2.2_big-endian_CT1', '1.2.840.10008.1.2'],
    ['1.2.2_big-endian_US-rgb', ExplicitLittleEndian],
    ['1.2.1_explicit-le_CT1', ExplicitBigEndian],
    ['1.2.2_big-endian_CT1', '1.2.840.10008.1.2.5'],
  ])('is refused in words: %s as %s', (name, syntax) => {
    const bytes = swap(readCorpusFile(`transfer-syntaxes/${name}.dcm`), syntax)
    const refusal = () => readHeader(bytes, { untilPixelData: true })
    expect(refusal).toThrow(DicomReadError)
    expect(refusal).toThrow(/^The file is in (big|little) endian, but says it is in (big|little) endian$/)
  })
})

describe('a file in an encoding that peers do not read', () => {
  const uids = [Tag.SOPClassUID, Tag.SOPInstanceUID, Tag.StudyInstanceUID, Tag.SeriesInstanceUID]
  const elements = uids.map((tag, index) => ({ tag, vr: 'UI', value: `1.2.${index}` }))
  const file = (syntax: string, isExplicit: boolean, isLittleEndian: boolean) =>
    concatBytes([writeMeta('1.2.0', '1.2.1', syntax), encodeElements(elements, { isExplicit, isLittleEndian })])
  const read = (bytes: Uint8Array) => () => readHeader(bytes, { untilPixelData: true })

  it('is refused where it is in big endian without VRs', () => {
    expect(read(file(ExplicitBigEndian, true, false))).not.toThrow()
    expect(read(file(ExplicitBigEndian, false, false))).toThrow('The file is in big endian, but has no VRs')
  })

  it('is refused where GE alone knows the order of its pixels', () => {
    expect(read(file('1.2.840.113619.5.2', false, true))).toThrow('a byte order of GE alone')
    expect(read(file('1.2.840.113619.5.9', false, true))).not.toThrow()
  })
})

it('an implicit element among explicit ones is still read as such, whatever its length looks like', () => {
  const implicit = (tag: number, value: Uint8Array) => {
    const head = Buffer.alloc(8)
    head.writeUInt16LE(tag >>> 16, 0)
    head.writeUInt16LE(tag & 0xffff, 2)
    head.writeUInt32LE(value.length, 4)
    return Buffer.concat([head, value])
  }
  // 0x2020 bytes: the length has the bytes of two blanks
  const bytes = Buffer.concat([
    implicit(0x00081030, Buffer.alloc(0x2020, 0x41)),
    Buffer.from([0x10, 0x00, 0x20, 0x00, 0x4c, 0x4f, 0x04, 0x00, 0x31, 0x32, 0x33, 0x34]),
  ])
  const encoding = { isExplicit: true, isLittleEndian: true }
  const source = {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    encoding,
    isPrefix: false,
    left: { nestedHeaders: 10, opened: 10 },
  }
  const { elements } = walkDataSet(source, encoding, { start: 0, limit: bytes.length })
  expect([...elements.values()].map(({ tag, length }) => [tag, length])).toEqual([
    [0x00081030, 0x2020],
    [0x00100020, 4],
  ])
})
