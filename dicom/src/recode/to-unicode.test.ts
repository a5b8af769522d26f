import { expect, it } from 'vitest'
import { applyCuts } from '../cuts.ts'
import { dataSetToJson } from '../json.ts'
import { isCorpusMissing, listCorpus, readCorpusFile } from '../node/corpus.ts'
import { inflate } from '../node/inflate.ts'
import { readDataSet } from '../read.ts'
import { spliceFile } from '../splice.ts'
import { readHeader } from '../read.ts'
import { Tag } from '../tags.ts'
import {
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  transferSyntaxOf,
} from '../transfer-syntaxes.ts'
import { concatBytes, encodeElements, encodeItem, encodeRaw, type WriteElement, writeMeta } from '../write-part10.ts'
import { cutsToUnicode } from './to-unicode.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const cyrillic = Uint8Array.of(0xbb, 0xee, 0xda) // "Люк" in ISO 8859-5
const charset = (value: string): WriteElement => ({ tag: Tag.SpecificCharacterSet, vr: 'CS', value })

/** Texts at every place: top, private, items in items, items with a character set of their own. */
function elements(): WriteElement[] {
  const inner = [charset('ISO_IR 144'), { tag: Tag.CodeMeaning, vr: 'LO', value: cyrillic }]
  const item = [
    { tag: 0x00400000, vr: 'UL', value: 10 },
    { tag: Tag.CodeMeaning, vr: 'LO', value: latin('Schädel') },
    { tag: Tag.ConceptNameCodeSequence, vr: 'SQ', value: [inner, []] },
  ]
  return [
    charset('ISO_IR 100'),
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
    { tag: Tag.StudyDescription, vr: 'LO', value: latin('Schädel nativ') },
    { tag: 0x00090010, vr: 'LO', value: latin('HÄUSLER') },
    { tag: 0x00091001, vr: 'LT', value: latin('größer') },
    { tag: 0x00091002, vr: 'OB', value: Uint8Array.of(0xe4, 0xf6) },
    { tag: Tag.PatientName, vr: 'PN', value: latin('Müller^Jörg') },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2' },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3' },
    { tag: 0x00400555, vr: 'SQ', value: [item, item] },
  ]
}

/** The sequence with every length left open. */
function openedSequence(encoding: { isExplicit: boolean; isLittleEndian: boolean }): Uint8Array {
  const end = (tag: number) =>
    encodeItem(new Uint8Array(), encoding).map((byte, at) => (at < 4 ? (delimiterBytes(tag, encoding)[at] ?? 0) : byte))
  const openItem = (content: Uint8Array) => {
    const item = encodeItem(content, encoding).slice()
    item.fill(0xff, 4, 8)
    return concatBytes([item, end(0xfffee00d)])
  }
  const openSequence = (tag: number, items: Uint8Array[]) => {
    const value = concatBytes([...items, end(0xfffee0dd)])
    const bytes = encodeRaw(tag, 'SQ', value, encoding).slice()
    const at = bytes.length - value.length
    bytes.fill(0xff, at - 4, at)
    return bytes
  }
  const inner = openItem(
    encodeElements([charset('ISO_IR 144'), { tag: Tag.CodeMeaning, vr: 'LO', value: cyrillic }], encoding),
  )
  const outer = concatBytes([
    encodeElements([{ tag: Tag.CodeMeaning, vr: 'LO', value: latin('Schädel') }], encoding),
    openSequence(Tag.ConceptNameCodeSequence, [inner]),
  ])
  return openSequence(0x00400555, [openItem(outer)])
}

function delimiterBytes(tag: number, { isLittleEndian }: { isLittleEndian: boolean }): Uint8Array {
  const view = new DataView(new ArrayBuffer(4))
  view.setUint16(0, tag >>> 16, isLittleEndian)
  view.setUint16(2, tag & 0xffff, isLittleEndian)
  return new Uint8Array(view.buffer)
}

const named = '"PN","Value":[{"Alphabetic":"Müller^Jörg"}]'

it.each([
  ['explicit little endian', ExplicitLittleEndian],
  ['implicit little endian', ImplicitLittleEndian],
  ['explicit big endian', ExplicitBigEndian],
])('every text of every level says in UTF-8 what it said before (%s)', (_, transferSyntax) => {
  const encoding = transferSyntaxOf(transferSyntax)
  const isPrivateKnown = encoding.isExplicit
  for (const isOpen of [false, true]) {
    const all = elements().filter(({ tag }) => !isOpen || tag !== 0x00400555)
    const dataSet = concatBytes([encodeElements(all, encoding), ...(isOpen ? [openedSequence(encoding)] : [])])
    const file = concatBytes([writeMeta('1.2.840.10008.5.1.4.1.1.7', '1.2.3.4', transferSyntax), dataSet])
    const read = readHeader(file, { untilPixelData: true })
    if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
    const name = [{ tag: Tag.AccessionNumber, old: '', new: '山' }]
    const context = { modifyingSystem: 'Hilum', modifiedAt: '20260101000000+0000', reason: 'CORRECT' as const }
    const { prefix } = spliceFile(file, read.header, name, context)
    const before = dataSetToJson(read.header.dataSet)
    const after = dataSetToJson(readDataSet(prefix).dataSet)
    for (const tag of ['00080050', '04000561', '00080005']) for (const json of [before, after]) delete json[tag]
    const [told, was] = [JSON.stringify(after), JSON.stringify(before)]
    expect(was).toContain(named)
    expect(was).toContain('"Люк"')
    const ignored = /"00080005":\{[^}]*\},|"00400000":\{[^}]*\},/g
    expect(told).toBe(was.replaceAll(ignored, ''))
    expect(told.includes('größer')).toBe(isPrivateKnown)
    // the bytes are UTF-8, and no other text of the old character sets is left
    const text = Buffer.from(prefix)
    for (const word of ['Schädel nativ', 'HÄUSLER', 'Müller^Jörg', 'Люк'])
      expect([word, text.includes(word)]).toEqual([word, true])
    expect(text.includes(latin('Schädel'))).toBe(false)
    expect(text.includes(latin('ISO_IR 144'))).toBe(false)
  }
})

it('refuses a sequence that cannot be read to its end, since its rest would be read in another character set', () => {
  const broken = encodeItem(
    Uint8Array.of(0x08, 0, 0x04, 0x01, 0x4c, 0x4f, 0xff, 0),
    transferSyntaxOf(ExplicitLittleEndian),
  )
  const file = concatBytes([
    writeMeta('1.2.840.10008.5.1.4.1.1.7', '1.2.3.4', ExplicitLittleEndian),
    encodeElements(elements().slice(0, -1), transferSyntaxOf(ExplicitLittleEndian)),
    encodeRaw(0x00400555, 'SQ', broken, transferSyntaxOf(ExplicitLittleEndian)),
  ])
  const { dataSet } = readDataSet(file)
  expect(() => cutsToUnicode(dataSet, new Set())).toThrow('inside an element')
})

it.skipIf(isCorpusMissing)('every text of the corpus says the same in UTF-8', () => {
  const wrong: string[] = []
  for (const file of listCorpus().filter(
    ({ expected, path }) => expected === 'accept' && path.startsWith('charsets/'),
  )) {
    const { dataSet, dataSetStart, transferSyntax } = readDataSet(readCorpusFile(file.path), { inflate })
    const { isDeflated } = transferSyntaxOf(transferSyntax)
    const { bytes } = dataSet.source
    const recoded = applyCuts(bytes, isDeflated ? 0 : dataSetStart, dataSet.end, [
      ...cutsToUnicode(dataSet, new Set([Tag.SpecificCharacterSet])),
    ])
    const meta = writeMeta('1.2', '1.2.3', isDeflated ? ExplicitLittleEndian : transferSyntax)
    const again = readDataSet(concatBytes([meta, recoded])).dataSet
    const [was, is] = [dataSet, { ...again, charset: 'ISO_IR 192' }].map((one) => {
      const json = dataSetToJson(one)
      delete json['00080005']
      return JSON.stringify(json).replaceAll(/"00080005":\{[^}]*\},?/g, '')
    })
    if (was !== is) wrong.push(file.path)
  }
  expect(wrong).toEqual([])
})
