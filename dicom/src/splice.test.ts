import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DataSet } from './data-set.ts'
import { corpusFolder, isCorpusMissing, listCorpus, readCorpusFile, sampleCorpus } from './node/corpus.ts'
import { deflate, inflate } from './node/inflate.ts'
import { type DicomHeader, readDataSet, readHeader } from './read.ts'
import { blankPreamble, type ElementEdit, spliceFile } from './splice.ts'
import { Tag, tagToHex } from './tags.ts'
import {
  DeflatedLittleEndian,
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  transferSyntaxOf,
} from './transfer-syntaxes.ts'
import { findItems, findText, valueBytes } from './values.ts'
import { concatBytes, encodeElements, type WriteElement, writeMeta, writePart10 } from './write-part10.ts'

const context = {
  modifyingSystem: 'Hilum',
  modifiedAt: '20240115101500+0000',
  reason: 'CORRECT' as const,
  inflate,
  deflate,
}

describe('correcting a file', () => {
  it.each([ExplicitLittleEndian, ImplicitLittleEndian, ExplicitBigEndian, DeflatedLittleEndian])(
    'changes only the edited elements, whatever else is in the file (%s)',
    (transferSyntax) => {
      fc.assert(
        fc.property(elements, fc.array(edit, { minLength: 1, maxLength: 4 }), (others, wanted) => {
          const bytes = fileOf(others, transferSyntax)
          const before = headerOf(bytes)
          const edits = [...new Map(wanted.map(([tag, value]) => [tag, value]))].map(([tag, value]) => ({
            tag,
            old: findText(before.dataSet, tag) ?? '',
            new: value,
          }))
          const spliced = splice(bytes, edits)
          expect(differences(bytes, spliced.bytes, spliced.applied)).toEqual([])
        }),
        { numRuns: 60 },
      )
    },
  )

  it('leaves an instance alone that no longer holds the old value', () => {
    const bytes = fileOf([{ tag: Tag.PatientID, vr: 'LO', value: 'NEW' }])
    const spliced = splice(bytes, [{ tag: Tag.PatientID, old: 'OLD', new: 'NEWER' }])
    expect(spliced.applied).toEqual([])
    expect(spliced.bytes).toEqual(bytes)
  })

  it('replaces what follows another attribute only where that one still has its old value, whatever it is', () => {
    const edits: ElementEdit[] = [
      { tag: Tag.PatientID, old: 'X1', new: 'M1' },
      { tag: Tag.IssuerOfPatientID, old: 'AWAY', new: 'HOME', follows: { tag: Tag.PatientID, old: 'X1' } },
    ]
    const issuerOf = (dataSet?: DataSet) =>
      dataSet?.elements.has(Tag.IssuerOfPatientID) ? (findText(dataSet, Tag.IssuerOfPatientID) ?? '') : undefined
    const issuerAfter = (mrn: string, ...issuer: string[]) => {
      const issuers = issuer.map((value) => ({ tag: Tag.IssuerOfPatientID, vr: 'LO', value }))
      const before = fileOf([{ tag: Tag.PatientID, vr: 'LO', value: mrn }, ...issuers])
      const { bytes, applied } = splice(before, edits)
      expect(differences(before, bytes, applied)).toEqual([])
      const { dataSet } = headerOf(bytes)
      const [kept] = findItems(dataSet, Tag.OriginalAttributesSequence)
      return [issuerOf(dataSet), issuerOf(kept && findItems(kept, Tag.ModifiedAttributesSequence)[0])]
    }
    expect(issuerAfter('X1', 'AWAY')).toEqual(['HOME', 'AWAY'])
    expect(issuerAfter('X1', 'ELSEWHERE')).toEqual(['HOME', 'ELSEWHERE'])
    expect(issuerAfter('X1')).toEqual(['HOME', ''])
    expect(issuerAfter('X1', 'HOME')).toEqual(['HOME', undefined])
    expect(issuerAfter('X2', 'AWAY')).toEqual(['AWAY', undefined])
  })

  it('takes away what would contradict the new value, and keeps it among the originals', () => {
    const qualifiers = Tag.IssuerOfPatientIDQualifiersSequence
    const edits: ElementEdit[] = [
      { tag: Tag.PatientID, old: 'X1', new: 'M1' },
      {
        tag: Tag.IssuerOfPatientID,
        old: 'AWAY',
        new: 'HOME',
        follows: { tag: Tag.PatientID, old: 'X1' },
        drops: [qualifiers],
      },
    ]
    const entity = { tag: 0x00400032, vr: 'UT', value: '1.2.840.99' }
    const entityIn = (dataSet?: DataSet) => {
      if (!dataSet?.elements.has(qualifiers)) return undefined
      const [item] = findItems(dataSet, qualifiers)
      return item ? findText(item, entity.tag) : 'empty'
    }
    const qualifiersAfter = (issuer: string, newName?: string) => {
      const before = fileOf([
        { tag: Tag.PatientName, vr: 'PN', value: 'Doe^Jane' },
        { tag: Tag.PatientID, vr: 'LO', value: 'X1' },
        { tag: Tag.IssuerOfPatientID, vr: 'LO', value: issuer },
        { tag: qualifiers, vr: 'SQ', value: [[entity]] },
      ])
      const name = newName ? [{ tag: Tag.PatientName, old: 'Doe^Jane', new: newName }] : []
      const { bytes, applied } = splice(before, [...name, ...edits])
      const { charset } = headerOf(bytes).dataSet
      // with a new name the character set changes, too
      const isOtherwiseSame =
        charset !== headerOf(before).dataSet.charset || differences(before, bytes, applied).length === 0
      expect(isOtherwiseSame).toBe(true)
      const { dataSet } = headerOf(bytes)
      const [kept] = findItems(dataSet, Tag.OriginalAttributesSequence)
      return [entityIn(dataSet), entityIn(kept && findItems(kept, Tag.ModifiedAttributesSequence)[0])]
    }
    expect(qualifiersAfter('AWAY')).toEqual([undefined, '1.2.840.99'])
    // in another character set the sequence is kept as it is, too
    expect(qualifiersAfter('AWAY', '山田^太郎')).toEqual([undefined, '1.2.840.99'])
    // the issuer was the right one already, and so are they
    expect(qualifiersAfter('HOME')).toEqual(['1.2.840.99', undefined])
  })

  it('puts what is new where it belongs in a file whose elements are out of order, never in front of all', () => {
    const encoding = transferSyntaxOf(ExplicitLittleEndian)
    const bytes = concatBytes([
      writeMeta('1.2.840.10008.5.1.4.1.1.7', '1.2.3.4', ExplicitLittleEndian),
      encodeElements([{ tag: 0x352e0030, vr: 'SH', value: 'ASTRAY' }], encoding),
      encodeElements([...uids, { tag: Tag.PatientName, vr: 'PN', value: 'Doe^Jane' }], encoding),
    ])
    const edits = [{ tag: Tag.PatientName, old: 'Doe^Jane', new: 'Roe^Jane' }]
    const spliced = splice(bytes, edits)
    expect(spliced.applied).toEqual(edits)
    expect(differences(bytes, spliced.bytes, edits)).toEqual([])
    expect([...headerOf(spliced.bytes).dataSet.elements.keys()][0]).toBe(0x352e0030)
  })

  it('keeps the old values in the Original Attributes Sequence, behind those of earlier corrections', () => {
    const first = splice(fileOf([{ tag: Tag.PatientName, vr: 'PN', value: 'Doe^Jane' }]), [
      { tag: Tag.PatientName, old: 'Doe^Jane', new: 'Roe^Jane' },
      { tag: Tag.AccessionNumber, old: '', new: 'A1' },
    ])
    const second = splice(first.bytes, [{ tag: Tag.PatientName, old: 'Roe^Jane', new: 'Poe^Jane' }])
    const items = findItems(headerOf(second.bytes).dataSet, Tag.OriginalAttributesSequence)
    const kept = items
      .map((item) => findItems(item, Tag.ModifiedAttributesSequence)[0])
      .map((item) => item && findText(item, Tag.PatientName))
    expect(kept).toEqual(['Doe^Jane', 'Roe^Jane'])
    expect(items.map((item) => findText(item, Tag.ModifyingSystem))).toEqual(['Hilum', 'Hilum'])
    expect(items.map((item) => findText(item, Tag.ReasonForTheAttributeModification))).toEqual(['CORRECT', 'CORRECT'])
  })

  it('carries a new SOP Instance UID into group 0002 and sets its length right', () => {
    const bytes = fileOf([])
    const spliced = splice(bytes, [{ tag: Tag.SOPInstanceUID, old: '1.2.3.4', new: '1.2.3.4.55555' }])
    const { meta, dataSetStart, sopInstanceUid } = headerOf(spliced.bytes)
    if (!meta) throw new Error('The file has no group 0002')
    expect(findText(meta, Tag.MediaStorageSOPInstanceUID)).toBe('1.2.3.4.55555')
    expect(sopInstanceUid).toBe('1.2.3.4.55555')
    const length = meta.elements.get(Tag.FileMetaInformationGroupLength)
    expect(meta.source.view.getUint32(length?.valueStart ?? 0, true)).toBe(dataSetStart - (length?.end ?? 0))
  })

  it('leaves no length of a group that the correction made wrong', () => {
    const bytes = fileOf([
      { tag: 0x00100000, vr: 'UL', value: 18 },
      { tag: Tag.PatientName, vr: 'PN', value: 'Doe^Jane' },
      { tag: 0x00400000, vr: 'UL', value: 0 },
    ])
    const spliced = splice(bytes, [{ tag: Tag.PatientName, old: 'Doe^Jane', new: 'Roe^Jane^Mary' }])
    const { elements: left } = headerOf(spliced.bytes).dataSet
    expect([left.has(0x00100000), left.has(0x00400000)]).toEqual([false, true])
  })

  it('finds the old value in the forms that records show', () => {
    const corrected = (tag: number, vr: string, held: string, old: string, now: string) => {
      const before = fileOf([{ tag, vr, value: held }])
      return findText(headerOf(splice(before, [{ tag, old, new: now }]).bytes).dataSet, tag)
    }
    expect(corrected(Tag.PatientBirthDate, 'DA', '1970.01.02', '19700102', '19700201')).toBe('19700201')
    expect(corrected(Tag.PatientBirthDate, 'DA', 'unknown', '', '19700201')).toBe('19700201')
    expect(corrected(Tag.StudyTime, 'TM', '10:11:12', '101112', '121110')).toBe('121110')
    expect(corrected(Tag.PatientSex, 'CS', 'm', 'M', 'F')).toBe('F')
    const long = 'L'.repeat(700)
    expect(corrected(Tag.StudyDescription, 'LO', long, long.slice(0, 512), 'short')).toBe('short')
    expect(corrected(Tag.StudyDescription, 'LO', 'another', 'old', 'new')).toBe('another')
  })

  it('replaces what is said of all images whatever one of them says', () => {
    const before = fileOf([{ tag: Tag.PatientName, vr: 'PN', value: 'Doe^J' }])
    const edit = { tag: Tag.PatientName, old: 'Doe^Jane', new: 'Roe^Ann', isForAll: true }
    expect(findText(headerOf(splice(before, [edit]).bytes).dataSet, Tag.PatientName)).toBe('Roe^Ann')
    expect(splice(before, [{ ...edit, new: 'Doe^J' }]).applied).toEqual([])
  })

  it('replaces an identifier that was seen, as records show it, and leaves another one', () => {
    const edit = { tag: Tag.PatientID, old: 'A', new: 'B', isForAll: true, among: ['1234', 'M-1'] }
    const left = (value: string) =>
      findText(headerOf(splice(fileOf([{ tag: Tag.PatientID, vr: 'LO', value }]), [edit]).bytes).dataSet, Tag.PatientID)
    expect(['12\u000034', 'm-1', '', 'OTHER'].map(left)).toEqual(['B', 'B', 'B', 'OTHER'])
  })

  it('leaves no second copy of a corrected attribute behind the pixel data, and texts there in its character set', () => {
    const latin = (text: string) => Buffer.from(text, 'latin1')
    const front = fileOf([
      { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 100' },
      { tag: Tag.PatientName, vr: 'PN', value: 'Doe^Jane' },
      { tag: Tag.PixelData, vr: 'OW', value: new Uint8Array(64) },
    ])
    const encoding = transferSyntaxOf(ExplicitLittleEndian)
    const astray = encodeElements([{ tag: Tag.PatientName, vr: 'PN', value: 'Doe^Jane' }], encoding)
    const text = encodeElements([{ tag: 0x7fe10010, vr: 'LO', value: latin('HÄUSLER') }], encoding)
    const behind = concatBytes([astray, text])
    const spliced = spliceFile(front, headerOf(front), [{ tag: Tag.PatientName, old: 'Doe^Jane', new: '山' }], context)
    expect(Buffer.from(spliced.behindPixels(behind)).toString()).toMatch(/^.{4}LO..HÄUSLER$/s)
    const ascii = spliceFile(front, headerOf(front), [{ tag: Tag.PatientName, old: 'Doe^Jane', new: 'Roe' }], context)
    expect(ascii.behindPixels(behind)).toEqual(text)
    expect(ascii.behindPixels(text)).toBe(text)
  })

  it('writes the new value in the character set of the file', () => {
    const latin = concatBytes([
      writeMeta('1.2.840.10008.5.1.4.1.1.7', '1.2.3.4', ExplicitLittleEndian),
      encodeElements(
        [
          ...uids,
          { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 100' },
          { tag: Tag.PatientName, vr: 'PN', value: Uint8Array.from('M\u00fcller', (c) => c.charCodeAt(0)) },
        ],
        transferSyntaxOf(ExplicitLittleEndian),
      ),
    ])
    const spliced = splice(latin, [{ tag: Tag.PatientName, old: 'Müller', new: 'Møller' }])
    expect(findText(headerOf(spliced.bytes).dataSet, Tag.PatientName)).toBe('Møller')
    expect(headerOf(spliced.bytes).dataSet.charset).toBe('ISO_IR 100')
    const unicode = splice(latin, [{ tag: Tag.PatientName, old: 'Müller', new: '山田' }])
    const { dataSet } = headerOf(unicode.bytes)
    expect([dataSet.charset, findText(dataSet, Tag.PatientName)]).toEqual(['ISO_IR 192', '山田'])
    const original = findItems(
      findItems(dataSet, Tag.OriginalAttributesSequence)[0] as DataSet,
      Tag.ModifiedAttributesSequence,
    )[0]
    expect(findText(original as DataSet, Tag.PatientName)).toBe('Müller')
  })
})

describe('blanking the preamble', () => {
  it('empties it and nothing else, and shares the bytes when it is empty', () => {
    const bytes = fileOf([])
    expect(blankPreamble(bytes)).toBe(bytes)
    const program = bytes.slice()
    program.set([0x4d, 0x5a], 0)
    expect(blankPreamble(program)).toEqual(bytes)
    expect(program[0]).toBe(0x4d)
  })
})

describe.skipIf(isCorpusMissing)('correcting readable files of every series of the corpus', () => {
  it('differs only in the edited elements', () => {
    const wrong: string[] = []
    for (const file of sampleCorpus().filter(
      (file) => file.expected === 'accept' && !file.path.startsWith('media/zip/'),
    )) {
      const bytes = readCorpusFile(file.path)
      const { dataSet } = headerOf(bytes)
      const edits = [
        { tag: Tag.PatientID, old: findText(dataSet, Tag.PatientID) ?? '', new: 'NEWMRN-12345' },
        { tag: Tag.AccessionNumber, old: findText(dataSet, Tag.AccessionNumber) ?? '', new: 'ACC-9' },
      ]
      const spliced = splice(bytes, edits)
      wrong.push(...differences(bytes, spliced.bytes, edits).map((difference) => `${file.path} ${difference}`))
    }
    expect(wrong).toEqual([])
  })

  it('leaves files that DCMTK dumps line by line as before, but for the edits, from their first 64 KB', () => {
    const folder = mkdtempSync(join(tmpdir(), 'splice-'))
    const wrong = listCorpus('transfer-syntaxes/').filter((file) => {
      const bytes = readCorpusFile(file.path)
      const { transferSyntax } = headerOf(bytes)
      const prefix = transferSyntaxOf(transferSyntax).isDeflated ? bytes : bytes.subarray(0, 65_536)
      const read = readHeader(prefix, { size: bytes.length, untilPixelData: true, inflate })
      if (read.kind !== 'header') return true
      const old = findText(read.header.dataSet, Tag.PatientID) ?? ''
      const spliced = spliceFile(prefix, read.header, [{ tag: Tag.PatientID, old, new: 'NEWMRN' }], context)
      const path = join(folder, 'spliced.dcm')
      writeFileSync(path, concatBytes([spliced.prefix, bytes.subarray(spliced.tailOffset)]))
      const edited = /^\((0010,0020|0400,0561|fffe|[0-9a-f]{4},0000)/
      const before = dump(join(corpusFolder, file.path)).filter((line) => !edited.test(line))
      return (
        before.join('\n') !==
        dump(path)
          .filter((line) => !edited.test(line))
          .join('\n')
      )
    })
    rmSync(folder, { recursive: true })
    expect(wrong.map((file) => file.path)).toEqual([])
  })
})

/** The top-level lines of dcmdump, which fails the test when the file is broken. */
function dump(path: string): string[] {
  const text = execFileSync('dcmdump', ['-q', '+L', path], { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] })
  return text
    .toString('latin1')
    .split('\n')
    .filter((line) => line.startsWith('('))
}

const uids: WriteElement[] = [
  { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
  { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
  { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2.3' },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3.1' },
]

const texts = fc.stringMatching(/^[A-Za-z0-9^]{0,12}$/)
const optional: fc.Arbitrary<WriteElement>[] = [
  fc.record({ tag: fc.constant(Tag.PatientName), vr: fc.constant('PN'), value: texts }),
  fc.record({ tag: fc.constant(Tag.PatientID), vr: fc.constant('LO'), value: texts }),
  fc.record({ tag: fc.constant(Tag.AccessionNumber), vr: fc.constant('SH'), value: texts }),
  fc.record({ tag: fc.constant(0x00091001), vr: fc.constant('OB'), value: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({
    tag: fc.constant(Tag.ConceptNameCodeSequence),
    vr: fc.constant('SQ'),
    value: texts.map((text) => [[{ tag: Tag.CodeValue, vr: 'SH', value: text }]]),
  }),
  fc.record({ tag: fc.constant(Tag.PixelData), vr: fc.constant('OW'), value: fc.uint8Array({ maxLength: 300 }) }),
]
const elements = fc
  .tuple(...optional.map((one) => fc.option(one)))
  .map((all) => all.filter((one): one is WriteElement => one !== null))
const edit = fc.tuple(
  fc.constantFrom(Tag.PatientName, Tag.PatientID, Tag.AccessionNumber, Tag.StudyDescription, Tag.SOPInstanceUID),
  fc.stringMatching(/^[1-9][0-9.]{0,8}[1-9]$/),
)

function fileOf(others: WriteElement[], transferSyntax: string = ExplicitLittleEndian): Uint8Array {
  const all = [...uids, ...others]
  if (transferSyntax !== DeflatedLittleEndian) return writePart10(all, transferSyntax)
  const dataSet = encodeElements(all, transferSyntaxOf(transferSyntax))
  return concatBytes([writeMeta('1.2.840.10008.5.1.4.1.1.7', '1.2.3.4', transferSyntax), deflate(dataSet)])
}

function headerOf(bytes: Uint8Array): DicomHeader {
  const read = readHeader(bytes, { untilPixelData: true, inflate })
  if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
  return read.header
}

function splice(bytes: Uint8Array, edits: ElementEdit[]): { bytes: Uint8Array; applied: ElementEdit[] } {
  const { prefix, tailOffset, applied } = spliceFile(bytes, headerOf(bytes), edits, context)
  return { bytes: concatBytes([prefix, bytes.subarray(tailOffset)]), applied }
}

/** Differences between two files besides the edits, and the edits that are not in the second. */
function differences(before: Uint8Array, after: Uint8Array, edits: ElementEdit[]): string[] {
  const old = readDataSet(before, { inflate })
  const now = readDataSet(after, { inflate })
  const touched = new Set([
    ...edits.flatMap((edit) => [edit.tag, ...(edit.drops ?? [])]),
    ...(edits.length > 0 ? [Tag.OriginalAttributesSequence] : []),
  ])
  const rest = (dataSet: DataSet) =>
    [...dataSet.elements.values()]
      // lengths of corrected groups would be wrong, and are left out
      .filter(({ tag }) => !touched.has(tag) && (tag & 0xffff) !== 0)
      .map((element) => `${tagToHex(element.tag)} ${element.vr} ${hash(valueBytes(dataSet, element))}`)
  // Pixel data and what follows it.
  const tail = (dataSet: DataSet) => hash(dataSet.source.bytes.subarray(dataSet.end))
  return [
    ...(rest(now.dataSet).join('\n') === rest(old.dataSet).join('\n') ? [] : ['other elements differ']),
    ...(tail(now.dataSet) === tail(old.dataSet) ? [] : ['the tail differs']),
    ...edits
      .filter((edit) => (findText(now.dataSet, edit.tag) ?? '') !== edit.new)
      .map((edit) => `${tagToHex(edit.tag)} is not edited`),
  ]
}

function hash(bytes: Uint8Array): string {
  return `${bytes.length}:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`
}
