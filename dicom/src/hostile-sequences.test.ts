import { expect, test } from 'vitest'
import { dataSetToJson } from './json.ts'
import { MAX_NESTED_HEADERS, MAX_OPENED_INSIDE, MAX_SPELT_OUT_BYTES } from './limits.ts'
import { deflate, inflate } from './node/inflate.ts'
import { DicomReadError } from './read-error.ts'
import { readHeader } from './read.ts'
import { Tag } from './tags.ts'
import { DeflatedLittleEndian, ExplicitLittleEndian } from './transfer-syntaxes.ts'
import { type WriteElement, writeMeta, writePart10 } from './write-part10.ts'

const SOP_CLASS = '1.2.840.10008.5.1.4.1.1.7'
const names: WriteElement[] = [
  { tag: Tag.SOPClassUID, vr: 'UI', value: SOP_CLASS },
  { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
  { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2.3' },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3.1' },
  { tag: Tag.PatientName, vr: 'PN', value: 'Behind^It' },
]
const metaBytes = writeMeta(SOP_CLASS, '1.2.3.4', ExplicitLittleEndian).length

/** The data set of `names` with more elements behind it, as a file, deflated or not. */
function fileOf(more: readonly Uint8Array[], isDeflated: boolean): Uint8Array {
  const dataSet = Buffer.concat([writePart10(names).subarray(metaBytes), ...more])
  const syntax = isDeflated ? DeflatedLittleEndian : ExplicitLittleEndian
  return Buffer.concat([writeMeta(SOP_CLASS, '1.2.3.4', syntax), isDeflated ? deflate(dataSet) : dataSet])
}

/** A sequence of empty items, (0040,A730). */
function emptyItems(count: number): Uint8Array[] {
  const head = Buffer.from('400030a7535100000000000000', 'hex').subarray(0, 12)
  head.writeUInt32LE(count * 8, 8)
  return [head, Buffer.alloc(count * 8, Buffer.from('feff00e000000000', 'hex'))]
}

function read(file: Uint8Array) {
  const found = readHeader(file, { inflate, untilPixelData: true })
  if (found.kind !== 'header') throw new Error('A whole file needs no more bytes')
  return found.header
}

function refusal(file: Uint8Array): string | undefined {
  try {
    read(file)
  } catch (error) {
    if (error instanceof DicomReadError) return error.code
    throw error
  }
  return undefined
}

// deflated, a hundred kilobytes say this
test.each([false, true])('more items than any image has are refused, deflated: %s', (isDeflated) => {
  const file = fileOf(emptyItems(MAX_NESTED_HEADERS + 1), isDeflated)
  expect(refusal(file)).toBe('too-large')
})

test('of a sequence with too much to open the model tells no items, and all else', () => {
  const json = dataSetToJson(read(fileOf(emptyItems(MAX_OPENED_INSIDE), true)).dataSet)
  expect(Object.keys(json['0040A730'] ?? {})).toEqual(['vr'])
  expect(json['00100010']?.Value).toEqual([{ Alphabetic: 'Behind^It' }])
})

test('a long list of numbers or a long text has an address, and is not spelt out', () => {
  const value = (tag: string, vr: string, length: number) => {
    const head = Buffer.from(`${tag}${Buffer.from(vr).toString('hex')}000000000000`, 'hex')
    head.writeUInt32LE(length, 8)
    return Buffer.concat([head, Buffer.alloc(length, '1')])
  }
  const long = MAX_SPELT_OUT_BYTES + 2
  const file = fileOf([value('40006ba7', 'UT', long)], false)
  const json = dataSetToJson(read(file).dataSet, { bulkDataUri: ({ path }) => `/bulk/${path}` })
  expect(json['0040A76B']).toEqual({ vr: 'UT', BulkDataURI: '/bulk/0040A76B' })
})

test.each([10_000, 300_000])('sequences nested %i deep are refused, with their ends told or not', (depth) => {
  const open = Buffer.from('400030a753510000fffffffffeff00e0ffffffff', 'hex')
  const undefinedEnds = Buffer.concat(Array.from({ length: depth }, () => open))
  expect(refusal(fileOf([undefinedEnds], false))).toBe('too-deep')
  expect(refusal(fileOf([undefinedEnds], true))).toBe('too-deep')
  const parts: Buffer[] = []
  for (let left = depth; left > 0; left -= 1) {
    const told = Buffer.from('400030a7535100000000000000000000', 'hex').subarray(0, 12)
    told.writeUInt32LE(left * 20 - 12, 8)
    const item = Buffer.from('feff00e000000000', 'hex')
    item.writeUInt32LE(left * 20 - 20, 4)
    parts.push(told, item)
  }
  expect(refusal(fileOf(parts, false))).toBe('too-deep')
})
