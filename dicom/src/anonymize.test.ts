import { describe, expect, it } from 'vitest'
import { anonymizeFile, type AnonymizeOptions, type AttributeChange } from './anonymize.ts'
import { deflate, inflate } from './node/inflate.ts'
import { readDataSet, readHeader } from './read.ts'
import { Tag } from './tags.ts'
import {
  DeflatedLittleEndian,
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  transferSyntaxOf,
} from './transfer-syntaxes.ts'
import { findItems, findText, valueBytes } from './values.ts'
import { concatBytes, encodeElements, type WriteElement, writeMeta, writePart10 } from './write-part10.ts'

const referencedPatient = 0x00081120
const requests = 0x00400275
const named = (name: string): WriteElement => ({ tag: Tag.PatientName, vr: 'PN', value: name })
const base: WriteElement[] = [
  { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
  { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
  { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2' },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3' },
  { tag: Tag.PixelData, vr: 'OW', value: Uint8Array.of(1, 2, 3, 4) },
]
const changed = (...changes: [tag: number, vr: string, value?: string][]): AnonymizeOptions => ({
  changes: new Map(changes.map(([tag, vr, value]): [number, AttributeChange] => [tag, { vr, value }])),
  edits: [],
})

function fileOf(elements: readonly WriteElement[], transferSyntax: string): Uint8Array {
  if (transferSyntax !== DeflatedLittleEndian) return writePart10(elements, transferSyntax)
  const dataSet = encodeElements(elements, transferSyntaxOf(transferSyntax))
  return concatBytes([writeMeta('1.2.840.10008.5.1.4.1.1.7', '1.2.3.4', transferSyntax), deflate(dataSet)])
}

function anonymize(bytes: Uint8Array, options: AnonymizeOptions) {
  const read = readHeader(bytes, { untilPixelData: true, inflate })
  if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
  const { prefix, pixelOffset } = anonymizeFile(bytes, read.header, options, { inflate, deflate })
  const file = concatBytes([prefix, pixelOffset === undefined ? new Uint8Array() : bytes.subarray(pixelOffset)])
  return { file, ...readDataSet(file, { inflate }) }
}

describe('replacing attributes in a file', () => {
  it.each([ExplicitLittleEndian, ImplicitLittleEndian, ExplicitBigEndian, DeflatedLittleEndian])(
    'replaces, leaves out and adds on every level, and nothing else (%s)',
    (transferSyntax) => {
      const bytes = fileOf(
        [
          ...base,
          named('OLD^NAME'),
          { tag: Tag.PatientID, vr: 'LO', value: 'OLD-ID' },
          { tag: Tag.Modality, vr: 'CS', value: 'OT' },
          {
            tag: referencedPatient,
            vr: 'SQ',
            value: [[named('OLD^NAME'), { tag: 0x00081150, vr: 'UI', value: '1.9' }]],
          },
          {
            tag: requests,
            vr: 'SQ',
            value: [
              [{ tag: referencedPatient, vr: 'SQ', value: [[{ tag: Tag.PatientID, vr: 'LO', value: 'OLD-ID' }]] }],
            ],
          },
          {
            tag: Tag.OriginalAttributesSequence,
            vr: 'SQ',
            value: [[{ tag: Tag.ModifiedAttributesSequence, vr: 'SQ', value: [[named('OLDER^NAME')]] }]],
          },
        ],
        transferSyntax,
      )
      const options = changed(
        [Tag.PatientName, 'PN', 'NEW^NAME'],
        [Tag.PatientID, 'LO'],
        [Tag.AccessionNumber, 'SH', 'A1'],
      )
      const { file, dataSet, transferSyntax: written } = anonymize(bytes, options)
      expect(written).toBe(transferSyntax)
      expect(Buffer.from(file).includes('OLD')).toBe(false)
      const [reference] = findItems(dataSet, referencedPatient)
      expect([
        findText(dataSet, Tag.PatientName),
        dataSet.elements.has(Tag.PatientID),
        findText(dataSet, Tag.AccessionNumber),
        findText(dataSet, Tag.Modality),
        reference && [findText(reference, Tag.PatientName), findText(reference, 0x00081150)],
        dataSet.elements.has(Tag.OriginalAttributesSequence),
      ]).toEqual(['NEW^NAME', false, 'A1', 'OT', ['NEW^NAME', '1.9'], false])
      expect([...dataSet.elements.keys()]).toEqual([...dataSet.elements.keys()].toSorted((a, b) => a - b))
      const [request] = findItems(dataSet, requests)
      expect(request && findItems(request, referencedPatient)[0]?.elements.size).toBe(0)
      const { bytes: whole } = dataSet.source
      expect([...whole.subarray(dataSet.end)].slice(-4)).toEqual(
        transferSyntax === ExplicitBigEndian ? [1, 2, 3, 4] : [1, 2, 3, 4],
      )
    },
  )

  it('replaces a second occurrence, which readers may take for the first', () => {
    const once = writePart10([...base, named('OLD^ONE')])
    const { dataSet } = readDataSet(once)
    const element = dataSet.elements.get(Tag.PatientName)
    if (!element) throw new Error('The name is there')
    const twice = concatBytes([once.subarray(0, element.end), once.subarray(element.start)])
    const { file } = anonymize(twice, changed([Tag.PatientName, 'PN', 'NEW']))
    expect(Buffer.from(file).includes('OLD')).toBe(false)
  })

  it('leaves out what cannot be read at the end of an item', () => {
    const item = concatBytes([
      writePart10([named('KEPT')]).subarray(-12),
      // an element that claims more than the item holds
      Uint8Array.of(0x10, 0, 0x20, 0, 0x4c, 0x4f, 0xff, 0),
      Buffer.from('OLD-ID'),
    ])
    const header = Buffer.from('feff00e000000000', 'hex')
    header.writeUInt32LE(item.length, 4)
    const bytes = writePart10([...base, { tag: referencedPatient, vr: 'SQ', value: concatBytes([header, item]) }])
    expect(Buffer.from(bytes).includes('OLD-ID')).toBe(true)
    const { file } = anonymize(bytes, changed([Tag.PatientID, 'LO', 'NEW']))
    expect([Buffer.from(file).includes('OLD-ID'), Buffer.from(file).includes('KEPT')]).toEqual([false, true])
  })

  it('writes a value in the character set of the file, and all texts in Unicode where that cannot hold it', () => {
    const bytes = writePart10([
      ...base,
      { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 100' },
      { tag: Tag.PatientName, vr: 'PN', value: Buffer.from('Müller', 'latin1') },
      { tag: Tag.InstitutionName, vr: 'LO', value: Buffer.from('Köln', 'latin1') },
      {
        tag: requests,
        vr: 'SQ',
        value: [
          [
            { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 144' },
            { tag: Tag.InstitutionName, vr: 'LO', value: Buffer.from([0xbc, 0xde, 0xe1, 0xda, 0xd2, 0xd0]) },
          ],
        ],
      },
    ])
    const told = (name: string) => {
      const { dataSet } = anonymize(bytes, changed([Tag.PatientName, 'PN', name]))
      const [item] = findItems(dataSet, requests)
      return {
        charset: dataSet.charset,
        texts: [findText(dataSet, Tag.PatientName), findText(dataSet, Tag.InstitutionName)],
        inside: item && [item.charset, findText(item, Tag.InstitutionName)],
      }
    }
    expect(told('Jérôme')).toEqual({
      charset: 'ISO_IR 100',
      texts: ['Jérôme', 'Köln'],
      inside: ['ISO_IR 144', 'Москва'],
    })
    expect(told('山田')).toEqual({
      charset: 'ISO_IR 192',
      texts: ['山田', 'Köln'],
      inside: ['ISO_IR 192', 'Москва'],
    })
  })

  it('makes corrections of other attributes, and keeps no original of them', () => {
    const bytes = writePart10([...base, named('OLD'), { tag: Tag.PatientID, vr: 'LO', value: 'WRONG' }])
    const edits = [
      { tag: Tag.PatientID, old: 'WRONG', new: 'RIGHT' },
      { tag: Tag.PatientName, old: 'OLD', new: 'CORRECTED' },
      { tag: Tag.AccessionNumber, old: 'not this', new: 'X' },
    ]
    const { file, dataSet } = anonymize(bytes, { ...changed([Tag.PatientName, 'PN', 'NEW']), edits })
    expect([Tag.PatientID, Tag.PatientName, Tag.AccessionNumber].map((tag) => findText(dataSet, tag))).toEqual([
      'RIGHT',
      'NEW',
      undefined,
    ])
    expect(['OLD', 'WRONG', 'CORRECTED'].filter((text) => Buffer.from(file).includes(text))).toEqual([])
  })

  it('leaves out what a correction takes away', () => {
    const qualifiers = Tag.IssuerOfPatientIDQualifiersSequence
    const bytes = fileOf(
      [
        ...base,
        { tag: Tag.IssuerOfPatientID, vr: 'LO', value: 'AWAY' },
        { tag: qualifiers, vr: 'SQ', value: [[{ tag: 0x00400032, vr: 'UT', value: '1.9' }]] },
      ],
      ExplicitLittleEndian,
    )
    const edits = [{ tag: Tag.IssuerOfPatientID, old: 'AWAY', new: 'HOME', drops: [qualifiers] }]
    const { dataSet } = anonymize(bytes, { ...changed([Tag.PatientName, 'PN', 'NEW']), edits })
    expect([findText(dataSet, Tag.IssuerOfPatientID), dataSet.elements.has(qualifiers)]).toEqual(['HOME', false])
  })

  it('leaves a private attribute out and adds none', () => {
    const secret = 0x00091001
    const bytes = writePart10([
      ...base,
      { tag: 0x00090010, vr: 'LO', value: 'MAKER' },
      { tag: secret, vr: 'LO', value: 'SECRET' },
    ])
    const { dataSet } = anonymize(bytes, changed([secret, 'UN']))
    expect([dataSet.elements.has(secret), dataSet.elements.has(0x00090010)]).toEqual([false, true])
    const creator = dataSet.elements.get(0x00090010)
    expect(creator && Buffer.from(valueBytes(dataSet, creator)).toString('latin1').trim()).toBe('MAKER')
  })

  const written = (transferSyntax: string, ...elements: WriteElement[]) =>
    encodeElements(elements, transferSyntaxOf(transferSyntax))
  const meta = writeMeta('1.2.840.10008.5.1.4.1.1.7', '1.2.3.4', ExplicitLittleEndian)

  it('writes no file meta among the elements, which would be read as more of the new one', () => {
    const stray: WriteElement = { tag: 0x00020013, vr: 'SH', value: 'STRAY' }
    const [first, ...others] = base as [WriteElement, ...WriteElement[]]
    const parts = [[first], [stray], [named('OLD^NAME'), ...others]].map((some) =>
      written(ExplicitLittleEndian, ...some),
    )
    const { dataSet } = anonymize(concatBytes([meta, ...parts]), changed([Tag.PatientName, 'PN', 'NEW^NAME']))
    expect([dataSet.elements.has(stray.tag), findText(dataSet, Tag.PatientName)]).toEqual([false, 'NEW^NAME'])
  })

  it('gives up a file whose elements are written in several ways, when it would be read as another', () => {
    const groupLength = written(ExplicitLittleEndian, { tag: 0x00080000, vr: 'UL', value: 0 })
    const others = written(ImplicitLittleEndian, ...base, named('OLD^NAME'))
    const bytes = concatBytes([meta, groupLength, others])
    expect(() => anonymize(bytes, changed([Tag.PatientName, 'PN', 'NEW^NAME']))).toThrow('too damaged')
  })
})
