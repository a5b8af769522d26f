import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileStore } from '../../outbound/storage/file-store.ts'
import { lengthOfPart, lengthOfParts, type Part, streamParts } from '../storage/parts.ts'
import { packEntries } from './packed-entries.ts'
import { inFolders } from './studies-in-folders.ts'
import { type Entries, layoutZip, type ZipEntry } from './zip-layout.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hilum-zip-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const modified = new Date('2026-01-31T12:34:56Z')

function textEntry(name: string, text: string): ZipEntry {
  const bytes = Buffer.from(text)
  return { name, length: bytes.length, crc32: crc32(bytes), modified, parts: [{ kind: 'bytes', bytes }] }
}

/** Bytes that are never read: a hole in a file. */
function holeEntry(name: string, length: number): ZipEntry {
  const open = async function* () {}
  return { name, length, crc32: 0, modified, parts: [{ kind: 'stream', length, open }] }
}

/** Writes what is in memory to its place and leaves holes for the rest. */
function writeSparse(name: string, parts: Iterable<Part>): string {
  const path = join(folder, name)
  const file = openSync(path, 'w')
  let position = 0
  for (const part of parts) {
    if (part.kind === 'bytes') writeSync(file, part.bytes, 0, part.bytes.length, position)
    position += lengthOfPart(part)
  }
  ftruncateSync(file, position)
  closeSync(file)
  return path
}

test('unzip finds an archive whole', () => {
  const parts = layoutZip([textEntry('SER0001/IMG0001', 'one'), textEntry('naïve.txt', 'zwei'), textEntry('empty', '')])
  const path = writeSparse('small.zip', parts)
  expect(execFileSync('unzip', ['-t', path], { encoding: 'utf8' })).toContain('No errors')
  expect(execFileSync('unzip', ['-p', path, 'SER0001/IMG0001'], { encoding: 'utf8' })).toBe('one')
})

test('unzip finds files of more than 4 GB and files behind them', () => {
  const path = writeSparse(
    'large.zip',
    layoutZip([holeEntry('large', 4_500_000_000), textEntry('behind', 'still there')]),
  )
  expect(execFileSync('unzip', ['-l', path], { encoding: 'utf8' })).toContain('4500000000')
  expect(execFileSync('unzip', ['-p', path, 'behind'], { encoding: 'utf8' })).toBe('still there')
})

test('unzip finds more than 65,535 files', () => {
  const entries = Array.from({ length: 70_000 }, (_, index) => textEntry(`e/${index}`, ''))
  const path = writeSparse('many.zip', layoutZip(entries))
  const listed = execFileSync('unzip', ['-Z1', path], { encoding: 'utf8', maxBuffer: 10_000_000 })
  expect(listed.trim().split('\n')).toHaveLength(70_000)
})

const stored = {
  series_uid: '1.2',
  sop_uid: '1.2.3',
  version: '',
  is_primary: true,
  sop_class: '1.2.840.10008.5.1.4.1.1.2',
  transfer_syntax: '1.2.840.10008.1.2.1',
  instance_number: 1,
  frames: 1,
  rows: 1,
  columns: 1,
  pixel_offset: null,
  length: 5000,
  crc32: 1,
  tail_crc32: null,
  preamble_blank: true,
  bare_start: null,
  accession_number: '',
  account_uuid: '',
  sha256: '',
  seq: 1,
  arrived: modified,
  object_key: 'account/place/study/object',
  byte_offset: 0,
}
const packed = packEntries(
  createFileStore('/nowhere'),
  [
    stored,
    { ...stored, preamble_blank: false },
    { ...stored, bare_start: 300 },
    { ...stored, bare_start: 0, length: 4_500_000_000 },
    { ...stored, object_key: 'account/place/other/object' },
  ],
  ['DICOM/IM1', 'DICOM/IM2', 'Röntgen/日本.dcm', 'IM4', 'IM5'],
)

test.each<[string, Entries]>([
  ['without entries', []],
  ['of names in several scripts', [textEntry('naïve.txt', 'zwei'), textEntry('日本', '')]],
  ['of files beyond 4 GB, and files behind them', [holeEntry('large', 4_500_000_000), textEntry('behind', 'there')]],
  ['of a file just below the limit of 4 GB', [holeEntry('large', 0xfffffffe), textEntry('behind', 'there')]],
  ['of more than 65,535 files', Array.from({ length: 65_535 }, (_, index) => textEntry(`e/${index}`, ''))],
  ['of stored images, some bare and with a preamble that is blanked', packed],
  [
    'of several studies',
    inFolders([
      { name: 'Müller', entries: packed },
      { name: 'B', entries: [textEntry('a', 'b')] },
    ]),
  ],
])('the length of an archive %s is that of its parts', (_, entries) => {
  const parts = layoutZip(entries)
  let length = 0
  for (const part of parts) length += lengthOfPart(part)
  expect(lengthOfParts(parts)).toBe(length)
})

test('any range of the parts is the same bytes', async () => {
  const parts = layoutZip([textEntry('a', 'first file'), textEntry('b', 'second file')])
  const read = async (start: number, end: number) => await buffer(streamParts(parts, start, end))
  const whole = await read(0, lengthOfParts(parts))
  for (let start = 0; start < whole.length; start += 13) {
    for (const length of [1, 7, 60]) {
      const end = Math.min(whole.length, start + length)
      expect((await read(start, end)).equals(whole.subarray(start, end))).toBe(true)
    }
  }
})
