import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexInstance } from '../instance-index.ts'
import { readHeader } from '../read.ts'
import { Tag } from '../tags.ts'
import { isStandardUid } from '../uid.ts'
import { findNumbers } from '../values.ts'
import { demoFiles } from './demo.ts'

const files = [...demoFiles('test')]
const indexed = files.map((file) => {
  const read = readHeader(file.bytes)
  if (read.kind !== 'header') throw new Error('The file is whole')
  return { header: read.header, index: indexInstance(read.header) }
})

describe('the made-up studies', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'synthetic-'))
    for (const file of files) {
      mkdirSync(dirname(join(folder, file.path)), { recursive: true })
      writeFileSync(join(folder, file.path), file.bytes)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('are a CT with a prior, an MR of three series, a clip and photographs, of four patients', () => {
    const count = (of: (index: (typeof indexed)[number]['index']) => string) =>
      new Set(indexed.map(({ index }) => of(index))).size
    expect(files).toHaveLength(60 + 20 + 60 + 1 + 2)
    expect(count((index) => index.studyUid)).toBe(5)
    expect(count((index) => index.seriesUid)).toBe(7)
    expect(count((index) => index.sopInstanceUid)).toBe(files.length)
    expect(count((index) => index.patientName)).toBe(4)
    expect(indexed.some(({ index }) => index.patientName === 'Yamada^Tarou=山田^太郎=やまだ^たろう')).toBe(true)
    expect(indexed.find(({ index }) => index.modality === 'US')?.index.frames).toBe(30)
  })

  it('come out the same for the same seed and otherwise for another', () => {
    const first = [...demoFiles('test')].map((file) => Buffer.from(file.bytes).toString('latin1'))
    expect(first.every((bytes, index) => bytes === Buffer.from(files[index]?.bytes ?? []).toString('latin1'))).toBe(
      true,
    )
    expect(demoFiles('other').next().value?.bytes).not.toEqual(files[0]?.bytes)
  })

  it('take their UIDs under a given root', () => {
    const first = demoFiles('test', '1.2.826.0.1.3680043.10.99').next().value
    const read = first && readHeader(first.bytes)
    const uid = read?.kind === 'header' ? read.header.studyUid : ''
    expect(uid).toMatch(/^1\.2\.826\.0\.1\.3680043\.10\.99\.\d+$/)
    expect(isStandardUid(uid)).toBe(true)
  })

  it('lie in space so that a volume can be built of them', () => {
    const positions = indexed
      .filter(({ index }) => index.studyDescription === 'CT chest with contrast')
      .map(({ header }) => findNumbers(header.dataSet, Tag.ImagePositionPatient)[2] ?? Number.NaN)
    const steps = positions.slice(1).map((position, index) => position - (positions[index] ?? 0))
    expect(new Set(steps)).toEqual(new Set([3]))
  })

  it('are part-10 files to DCMTK and dump without a complaint', () => {
    const paths = files.map((file) => join(folder, file.path))
    const tested = execFileSync('dcmftest', paths).toString().trim().split('\n')
    expect(tested.filter((line) => !line.startsWith('yes:'))).toEqual([])
    const dumped = spawnSync('dcmdump', paths, { maxBuffer: 1 << 28, encoding: 'utf8' })
    expect([dumped.status, dumped.stderr]).toEqual([0, ''])
    for (const { index } of indexed) expect(isStandardUid(index.sopInstanceUid)).toBe(true)
  })
})
