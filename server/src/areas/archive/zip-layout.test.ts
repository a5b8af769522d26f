import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lengthOfPart, lengthOfParts, type Part, streamParts } from '../storage/parts.ts'
import { layoutZip, type ZipEntry } from './zip-layout.ts'

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
