import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type DirectoryFile, fileIdOf, lengthOfDicomdir, writeDicomdir } from './dicomdir.ts'
import { type InstanceIndex, indexInstance } from './instance-index.ts'
import { isCorpusMissing, listCorpus, readCorpusFile } from './node/corpus.ts'
import { inflate } from './node/inflate.ts'
import { readDataSet, readHeader } from './read.ts'
import { Tag } from './tags.ts'
import { findItems, findNumber, findText } from './values.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const plain = {
  sopClassUid: '1.2.840.10008.5.1.4.1.1.2',
  transferSyntax: '1.2.840.10008.1.2.1',
  patientName: 'Yamada^Tarou=山田^太郎',
  patientId: 'P1',
  patientBirthDate: '19700101',
  patientSex: 'M',
  studyDate: '20240115',
  studyTime: '101500',
  studyDescription: 'Head',
  studyId: '',
  accessionNumber: '',
  modality: 'CT',
  seriesNumber: 1,
  seriesDescription: '',
  instanceNumber: 1,
}

describe('writing a DICOMDIR', () => {
  it('links every record to its next and to its first child', () => {
    const files = [1, 2, 3, 4].map((number) => ({
      ...plain,
      sopInstanceUid: `1.2.3.${number}`,
      studyUid: number < 3 ? '1.1' : '1.2',
      seriesUid: `1.9.${Math.ceil(number / 2)}`,
      fileId: fileIdOf(1, 1, number),
    }))
    const bytes = writeDicomdir(files, 'HILUM')
    expect(walkRecords(bytes)).toEqual([
      'PATIENT',
      'STUDY',
      'SERIES',
      'IMAGE DICOM/ST000001/SE000001/IM000001',
      'IMAGE DICOM/ST000001/SE000001/IM000002',
      'STUDY',
      'SERIES',
      'IMAGE DICOM/ST000001/SE000001/IM000003',
      'IMAGE DICOM/ST000001/SE000001/IM000004',
    ])
  })

  it('names each of a thousand files, whatever their texts', () => {
    const files = Array.from({ length: 1000 }, (_, index) => ({
      ...plain,
      sopInstanceUid: `1.2.3.${index}`,
      patientName: 'Müller^Jörg=山田^太郎',
      seriesDescription: 'x'.repeat(index % 64),
      studyUid: '1.1',
      seriesUid: `1.9.${index % 7}`,
      fileId: fileIdOf(1, 1, index),
    }))
    const records = walkRecords(writeDicomdir(files, 'HILUM'))
    expect(records.slice(0, 3)).toEqual(['PATIENT', 'STUDY', 'SERIES'])
    expect(records.filter((one) => one.startsWith('IMAGE')).toSorted()).toEqual(
      files.map(({ fileId }) => `IMAGE ${fileId.join('/')}`).toSorted(),
    )
  })

  it('refuses a file name that disc readers cannot open', () => {
    const file = { ...plain, sopInstanceUid: '1', studyUid: '1', seriesUid: '1', fileId: ['DICOM', 'image.dcm'] }
    expect(() => writeDicomdir([file], 'HILUM')).toThrow(RangeError)
  })

  it('has the length that is reckoned ahead, whatever the texts and the classes are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('', 'Müller^Jörg', '19700101'),
    )
    const number = fc.option(fc.integer(), { nil: undefined })
    const file = fc.record({
      sopClassUid: fc.constantFrom('1.2.840.10008.5.1.4.1.1.2', '1.2.840.10008.5.1.4.1.1.104.1', '1.2.3.4'),
      sopInstanceUid: fc.constantFrom('1.2', '1.2.3', '1.2.34'),
      transferSyntax: fc.constant('1.2.840.10008.1.2.1'),
      studyUid: fc.constantFrom('1.1', '1.22'),
      seriesUid: fc.constantFrom('1.9', '1.99'),
      seriesNumber: number,
      instanceNumber: number,
      fileId: fc.constantFrom(['A'], fileIdOf(1, 2, 3)),
      patientName: text,
      patientId: text,
      patientBirthDate: text,
      patientSex: text,
      studyDate: text,
      studyTime: text,
      studyDescription: text,
      studyId: text,
      accessionNumber: text,
      modality: text,
      seriesDescription: text,
    })
    fc.assert(
      fc.property(fc.array(file, { maxLength: 8 }), fc.constantFrom('2.25.1', '2.25.12'), (files, uid) => {
        expect(lengthOfDicomdir(files, 'HILUM', uid)).toBe(writeDicomdir(files, 'HILUM', uid).length)
      }),
    )
  })

  it('makes a directory of nothing', () => {
    expect(walkRecords(writeDicomdir([], 'HILUM'))).toEqual([])
  })
})

describe.skipIf(isCorpusMissing)('a DICOMDIR over real studies', () => {
  const studies = [...new Set(listCorpus('studies/').map((file) => file.path.split('/')[1] ?? ''))]

  it.each(studies)('of %s is read by DCMTK and refers only to files that are there', (study) => {
    const folder = mkdtempSync(join(tmpdir(), 'dicomdir-'))
    folders.push(folder)
    const files = listCorpus(`studies/${study}/`).map((file, index): DirectoryFile => {
      const bytes = readCorpusFile(file.path)
      const fileId = fileIdOf(1, 1, index + 1)
      mkdirSync(dirname(join(folder, ...fileId)), { recursive: true })
      writeFileSync(join(folder, ...fileId), bytes)
      return { ...indexOf(bytes), fileId }
    })
    const dicomdir = join(folder, 'DICOMDIR')
    writeFileSync(dicomdir, writeDicomdir(files, 'HILUM'))
    const dump = execFileSync('dcmdump', ['+L', '+P', '0004,1500', '+P', '0004,1511', dicomdir]).toString()
    const fileIds = [...dump.matchAll(/\(0004,1500\) CS \[(.*?) ?\]/g)].map((match) => match[1] ?? '')
    const sopUids = [...dump.matchAll(/\(0004,1511\) UI \[(.*?)\]/g)].map((match) => match[1])
    const resolved = fileIds.map((fileId, index) => {
      const path = join(folder, ...fileId.split('\\'))
      return [fileId, sopUids[index] === indexOf(new Uint8Array(readFileSync(path))).sopInstanceUid]
    })
    const wanted = files.map((file): unknown[] => [file.fileId.join('\\'), true])
    expect(resolved.sort()).toEqual(wanted.sort())
    expect(walkRecords(writeDicomdir(files, 'HILUM')).filter((record) => record.includes(' DICOM/'))).toHaveLength(
      files.length,
    )
  })
})

function indexOf(bytes: Uint8Array): InstanceIndex {
  const read = readHeader(bytes, { inflate })
  if (read.kind !== 'header') throw new Error('The file is whole')
  return indexInstance(read.header)
}

/** The records in the order in which a reader of discs finds them, by their offsets. */
function walkRecords(bytes: Uint8Array): string[] {
  const { dataSet } = readDataSet(bytes)
  const items = findItems(dataSet, Tag.DirectoryRecordSequence)
  const byOffset = new Map(items.map((item) => [(item.elements.values().next().value?.start ?? 0) - 8, item]))
  const found: string[] = []
  const walk = (first: number) => {
    let offset = first
    while (offset !== 0) {
      const item = byOffset.get(offset)
      if (!item) throw new Error(`No record at ${offset}`)
      const fileId = findText(item, Tag.ReferencedFileID)?.replaceAll('\\', '/')
      found.push([findText(item, Tag.DirectoryRecordType), fileId].filter(Boolean).join(' '))
      walk(findNumber(item, Tag.OffsetOfReferencedLowerLevelDirectoryEntity) ?? 0)
      offset = findNumber(item, Tag.OffsetOfTheNextDirectoryRecord) ?? 0
    }
  }
  walk(findNumber(dataSet, Tag.OffsetOfTheFirstDirectoryRecordOfTheRootDirectoryEntity) ?? 0)
  return found
}
