import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexInstance } from './instance-index.ts'
import { dataSetToJson } from './json.ts'
import { inflate } from './node/inflate.ts'
import { DicomReadError } from './read-error.ts'
import { readDataSet, readHeader } from './read.ts'
import { demoFiles } from './synthetic/demo.ts'
import { Tag } from './tags.ts'
import { ExplicitBigEndian, ExplicitLittleEndian, ImplicitLittleEndian } from './transfer-syntaxes.ts'
import { type WriteElement, writePart10 } from './write-part10.ts'

const elements: WriteElement[] = [
  { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
  { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
  { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
  { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2.3' },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3.1' },
  { tag: Tag.PatientName, vr: 'PN', value: 'Doe^Jane' },
  {
    tag: Tag.IssuerOfPatientIDQualifiersSequence,
    vr: 'SQ',
    value: [[{ tag: Tag.UniversalEntityID, vr: 'UT', value: '1.9' }]],
  },
  { tag: Tag.Rows, vr: 'US', value: 4 },
  { tag: Tag.PixelSpacing, vr: 'DS', value: [0.5, 0.5] },
  { tag: Tag.PixelData, vr: 'OW', value: new Uint8Array(32) },
]
const files = [ExplicitLittleEndian, ImplicitLittleEndian, ExplicitBigEndian].map((syntax) =>
  writePart10(elements, syntax),
)

/** The outcome of a reader on any bytes: read, more of a prefix asked for, or refused with a reason. */
function readAll(bytes: Uint8Array, size = bytes.length): string {
  try {
    const read = readHeader(bytes, { size, inflate })
    if (read.kind === 'need-more') return read.atLeastBytes > bytes.length ? 'more' : 'asked for what it had'
    indexInstance(read.header)
    JSON.stringify(dataSetToJson(readDataSet(bytes, { inflate }).dataSet))
    return 'read'
  } catch (error) {
    if (error instanceof DicomReadError) return 'refused'
    return `threw ${String(error)}`
  }
}

const outcomes = ['read', 'refused', 'more']

describe('reading damaged files', () => {
  it('reads or refuses whatever bytes are changed', () => {
    const change = fc.tuple(fc.integer({ min: 128, max: 700 }), fc.constantFrom(0, 1, 0x0c, 0x41, 0x53, 0xfe, 0xff))
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 8 }), (file, changes) => {
        const bytes = file.slice()
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
        expect(outcomes).toContain(readAll(bytes))
      }),
      { numRuns: 3000 },
    )
  })

  it('reads, refuses or asks for more wherever a file is cut', () => {
    for (const file of files) {
      // A file that is cut between two elements looks like a shorter one.
      const boundaries = new Set([...readDataSet(file).dataSet.elements.values()].map((element) => element.end))
      const lengths = Array.from({ length: file.length }, (_, length) => length)
      const read = lengths.filter((length) => readAll(file.subarray(0, length)) === 'read')
      expect(read.filter((length) => !boundaries.has(length))).toEqual([])
      const prefixes = lengths.map((length) => readHeader(file.subarray(0, length), { size: file.length }))
      expect(prefixes.filter((prefix) => prefix.kind === 'need-more' && prefix.atLeastBytes > file.length)).toEqual([])
      expect(prefixes.at(-1)?.kind).toBe('header')
    }
  })

  it('refuses noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (noise) => {
        expect(outcomes).toContain(readAll(noise))
        expect(outcomes).toContain(readAll(Uint8Array.from([...new Uint8Array(128), 0x44, 0x49, 0x43, 0x4d, ...noise])))
      }),
      { numRuns: 1000 },
    )
  })

  it('reads the header of a larger file from its first kilobytes', () => {
    const file = demoFiles('fuzz').next().value
    const bytes = file?.bytes ?? new Uint8Array()
    const read = readHeader(bytes.subarray(0, 8192), { size: bytes.length })
    expect(read.kind === 'header' && read.header.pixelOffset).toBeGreaterThan(0)
  })
})
