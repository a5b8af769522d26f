/** A corrected file byte by byte: what is written anew, where it stands, and what is left as it was. */
import { describe, expect, it } from 'vitest'
import { blankPreamble, type ElementEdit, type SpliceContext, type SplicedFile, spliceFile } from './splice.ts'
import type { DataSet } from './data-set.ts'
import { encodeText } from './encode-text.ts'
import { deflate, inflate } from './node/inflate.ts'
import { readDataSet, readHeader, type ReadOptions } from './read.ts'
import { Tag } from './tags.ts'
import { DeflatedLittleEndian, ExplicitLittleEndian, transferSyntaxOf } from './transfer-syntaxes.ts'
import { findItems, findText } from './values.ts'
import { concatBytes, encodeElements, type WriteElement, writeMeta, writePart10 } from './write-part10.ts'

const context: SpliceContext = {
  modifyingSystem: 'Hilum',
  modifiedAt: '20240115101500+0000',
  reason: 'CORRECT',
  inflate,
  deflate,
}
const sopClass = '1.2.840.10008.5.1.4.1.1.7'
const uids: WriteElement[] = [
  { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
  { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
  { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2.3' },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3.1' },
]
const pixels: WriteElement = { tag: Tag.PixelData, vr: 'OW', value: new Uint8Array(64) }
const jane: WriteElement = { tag: Tag.PatientName, vr: 'PN', value: 'Doe^Jane' }
const charset = (value: string): WriteElement => ({ tag: Tag.SpecificCharacterSet, vr: 'CS', value })
const latin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const encode = (elements: readonly WriteElement[]) => encodeElements(elements, transferSyntaxOf(ExplicitLittleEndian))
const fileOf = (...others: WriteElement[]) => writePart10([...uids, ...others], ExplicitLittleEndian)
const deflatedOf = (...others: WriteElement[]) =>
  concatBytes([writeMeta(sopClass, '1.2.3.4', DeflatedLittleEndian), deflate(encode([...uids, ...others]))])
const toRoe: ElementEdit = { tag: Tag.PatientName, old: 'Doe^Jane', new: 'Roe^Jane' }

function headerOf(bytes: Uint8Array, options: ReadOptions = { untilPixelData: true }) {
  const read = readHeader(bytes, { inflate, ...options })
  if (read.kind !== 'header') throw new Error('The header needs more bytes')
  return read.header
}

function splice(bytes: Uint8Array, ...edits: ElementEdit[]): SplicedFile & { bytes: Uint8Array; dataSet: DataSet } {
  const spliced = spliceFile(bytes, headerOf(bytes), edits, context)
  const whole = concatBytes([spliced.prefix, bytes.subarray(spliced.tailOffset)])
  return { ...spliced, bytes: whole, dataSet: readDataSet(whole, { inflate }).dataSet }
}

/** The data set of the values as they were before the correction. */
function originalsOf(dataSet: DataSet): DataSet {
  const [item] = findItems(dataSet, Tag.OriginalAttributesSequence)
  const [kept] = item ? findItems(item, Tag.ModifiedAttributesSequence) : []
  if (!kept) throw new Error('There are no original attributes')
  return kept
}

describe('a file without a correction', () => {
  const program = latin('MZ')
  const behind = latin('behind the pixels')

  it('leaves as it came but for its preamble, its pixels unread', () => {
    const came = fileOf(jane, pixels)
    const infected = came.slice()
    infected.set(program)
    const spliced = splice(infected)
    expect(Buffer.from(spliced.bytes).equals(came)).toBe(true)
    expect(spliced.tailOffset).toBe(headerOf(came).dataSet.end)
    expect(spliced.behindPixels(behind)).toBe(behind)
  })

  it('leaves as it came where it is deflated, too', () => {
    const came = deflatedOf(jane, pixels)
    const infected = came.slice()
    infected.set(program)
    const spliced = splice(infected, { ...toRoe, old: 'Poe^Jane' })
    expect(Buffer.from(spliced.bytes).equals(came)).toBe(true)
    expect([spliced.tailOffset, spliced.applied]).toEqual([came.length, []])
    expect(spliced.behindPixels(behind)).toBe(behind)
  })

  it('has no preamble to blank where the letters DICM do not stand behind it', () => {
    const bare = encode([...uids, { tag: Tag.StudyDescription, vr: 'LO', value: 'x'.repeat(60) }, jane])
    const withLetter = bare.slice()
    withLetter[128] = 0x44
    for (const bytes of [bare, withLetter, bare.subarray(0, 40)])
      expect([blankPreamble(bytes) === bytes, bytes[0]]).toEqual([true, 0x08])
  })

  it('is not corrected where nothing stands and nothing is to stand', () => {
    expect(splice(fileOf(), { tag: Tag.PatientName, old: 'Doe', new: '', isForAll: true }).applied).toEqual([])
  })
})

describe('a correction that cannot be made', () => {
  it('is refused where the header was read only as far as the index needs', () => {
    const document: WriteElement = { tag: 0x00420011, vr: 'OB', value: new Uint8Array(4000) }
    const bytes = fileOf(jane, document, pixels)
    const beginning = bytes.subarray(0, 1000)
    const header = headerOf(beginning, { size: bytes.length })
    expect(() => spliceFile(beginning, header, [toRoe], context)).toThrow(
      'The header was not read up to the pixel data',
    )
    expect(spliceFile(beginning, header, [], context).tailOffset).toBe(header.dataSet.end)
  })

  it('is refused in a deflated file where nothing deflates', () => {
    const bytes = deflatedOf(jane)
    const { deflate: _, ...without } = context
    expect(() => spliceFile(bytes, headerOf(bytes), [toRoe], without)).toThrow(
      'A deflated data set cannot be written without deflate',
    )
  })
})

describe('a corrected value', () => {
  it('differs from the old one in its capitals alone', () => {
    const { dataSet, applied } = splice(fileOf(jane), { ...toRoe, new: 'DOE^JANE' })
    expect([applied.length, findText(dataSet, Tag.PatientName)]).toEqual([1, 'DOE^JANE'])
  })

  it('is there once where the old one stood twice, and other attributes that stand twice stay', () => {
    const date = (value: string) => encode([{ tag: Tag.PatientBirthDate, vr: 'DA', value }])
    const bytes = concatBytes([fileOf(jane), encode([jane]), date('19700101'), date('19700102')])
    const { dataSet } = splice(bytes, toRoe)
    expect(findText(dataSet, Tag.PatientName)).toBe('Roe^Jane')
    expect(dataSet.duplicates.map(({ tag }) => tag)).toEqual([Tag.PatientBirthDate])
  })

  it('stands in the order of tags where there was none', () => {
    const { dataSet } = splice(fileOf(pixels), { ...toRoe, old: '' })
    const tags = [...dataSet.elements.keys()]
    expect(tags).toContain(Tag.PatientName)
    expect(tags).toEqual(tags.toSorted((one, other) => one - other))
  })

  it('stands in front of all others where it has the lowest tag', () => {
    const { dataSet } = splice(fileOf(jane), { ...toRoe, new: '山田' })
    expect([...dataSet.elements.keys()][0]).toBe(Tag.SpecificCharacterSet)
  })
})

describe('the originals', () => {
  const edits: ElementEdit[] = [
    { ...toRoe, drops: [Tag.IssuerOfPatientIDQualifiersSequence] },
    { tag: Tag.AccessionNumber, old: 'A1', new: 'A2' },
  ]

  it('stand in the order of their tags, and name nothing that the file did not have', () => {
    const { dataSet } = splice(fileOf(jane, { tag: Tag.AccessionNumber, vr: 'SH', value: 'A1' }), ...edits)
    expect([...originalsOf(dataSet).elements.keys()]).toEqual([Tag.AccessionNumber, Tag.PatientName])
  })

  it('name no source that the old values came from', () => {
    const [item] = findItems(splice(fileOf(jane), toRoe).dataSet, Tag.OriginalAttributesSequence)
    expect(item?.elements.get(Tag.SourceOfPreviousValues)?.length).toBe(0)
  })
})

describe('the character set', () => {
  const description: WriteElement = { tag: Tag.StudyDescription, vr: 'LO', value: latin('Schädel nativ') }
  const mueller: WriteElement = { tag: Tag.PatientName, vr: 'PN', value: latin('Müller^Jörg') }
  const bytes = fileOf(charset('ISO_IR 100'), description, mueller)

  it('stays with every text where it can hold the new value', () => {
    const spliced = splice(bytes, { tag: Tag.PatientName, old: 'Müller^Jörg', new: 'Møller^Jörg' })
    const { start = 0, end = 0 } = spliced.dataSet.elements.get(Tag.StudyDescription) ?? {}
    expect(spliced.bytes.subarray(start, end)).toEqual(encode([description]))
  })

  it('becomes Unicode with every text where it cannot, each of them once', () => {
    const { dataSet } = splice(bytes, { tag: Tag.PatientName, old: 'Müller^Jörg', new: '山田^太郎' })
    const texts = [Tag.SpecificCharacterSet, Tag.StudyDescription, Tag.PatientName].map((tag) => findText(dataSet, tag))
    expect(texts).toEqual(['ISO_IR 192', 'Schädel nativ', '山田^太郎'])
    expect(dataSet.duplicates).toEqual([])
  })

  it('is named anew behind each separator of a name, and in no other text', () => {
    const korean = '\\ISO 2022 IR 149'
    const came = fileOf(charset(korean), jane, { tag: Tag.StudyDescription, vr: 'LO', value: 'head' })
    const text = '김^희중'
    const { dataSet } = splice(came, { ...toRoe, new: text }, { tag: Tag.StudyDescription, old: 'head', new: text })
    expect([findText(dataSet, Tag.PatientName), findText(dataSet, Tag.StudyDescription)]).toEqual([text, text])
    const lengthOf = (tag: number) => dataSet.elements.get(tag)?.length ?? 0
    const padded = (length = 0) => length + (length % 2)
    expect(lengthOf(Tag.PatientName)).toBe(padded(encodeText(text, korean, true)?.length))
    expect(lengthOf(Tag.StudyDescription)).toBe(padded(encodeText(text, korean)?.length))
    expect(lengthOf(Tag.StudyDescription)).toBeLessThan(lengthOf(Tag.PatientName))
  })
})

describe('what stands behind the pixel data', () => {
  it('stays as it is where it cannot be read', () => {
    const bytes = fileOf(jane, pixels)
    const spliced = spliceFile(bytes, headerOf(bytes), [toRoe], context)
    const cut = encode([jane]).subarray(0, 10)
    expect(spliced.behindPixels(cut)).toBe(cut)
  })
})

describe('group 0002', () => {
  /** A file whose group 0002 holds other elements than ours does. */
  const withMeta = (...elements: WriteElement[]) =>
    concatBytes([new Uint8Array(128), latin('DICM'), encode(elements), encode([...uids, jane])])
  const syntax: WriteElement = { tag: Tag.TransferSyntaxUID, vr: 'UI', value: ExplicitLittleEndian }
  const instance = (value: string): WriteElement => ({ tag: Tag.MediaStorageSOPInstanceUID, vr: 'UI', value })

  it('has the new SOP UIDs as if it had been written with them', () => {
    const bytes = fileOf(jane)
    const { prefix } = splice(
      bytes,
      { tag: Tag.SOPInstanceUID, old: '1.2.3.4', new: '1.2.3.4.55555' },
      { tag: Tag.SOPClassUID, old: sopClass, new: '1.2.840.10008.5.1.4.1.1.77.1.4' },
    )
    const expected = writeMeta('1.2.840.10008.5.1.4.1.1.77.1.4', '1.2.3.4.55555', ExplicitLittleEndian)
    expect(prefix.subarray(0, expected.length)).toEqual(expected)
  })

  it('is written where a file came without it, or without a preamble, with the UIDs that are right now', () => {
    const whole = fileOf(jane)
    const bare = whole.subarray(headerOf(whole).dataSetStart)
    const expected = (instanceUid: string) => writeMeta(sopClass, instanceUid, ExplicitLittleEndian)
    for (const came of [bare, whole.subarray(128)]) {
      expect(splice(came, toRoe).prefix.subarray(0, expected('1.2.3.4').length)).toEqual(expected('1.2.3.4'))
      const { prefix } = splice(came, toRoe, { tag: Tag.SOPInstanceUID, old: '1.2.3.4', new: '1.2.3.44' })
      expect(prefix.subarray(0, expected('1.2.3.44').length)).toEqual(expected('1.2.3.44'))
    }
  })

  it('gets no length and no UID that it did not have', () => {
    const toNew: ElementEdit = { tag: Tag.SOPInstanceUID, old: '1.2.3.4', new: '1.2.3.44' }
    const metaAfter = (...elements: WriteElement[]) => {
      const { prefix } = splice(withMeta(...elements), toNew)
      const { dataSetStart } = headerOf(prefix)
      return prefix.subarray(132, dataSetStart)
    }
    expect(metaAfter(syntax, instance('1.2.3.4'))).toEqual(encode([syntax, instance('1.2.3.44')]))
    expect(metaAfter(syntax)).toEqual(encode([syntax]))
  })

  it('stays as it is, with a wrong length even, where neither UID changes', () => {
    const wrong: WriteElement = { tag: Tag.FileMetaInformationGroupLength, vr: 'UL', value: 4 }
    const bytes = withMeta(wrong, syntax, instance('1.2.3.4'))
    const { dataSetStart } = headerOf(bytes)
    const { prefix } = splice(bytes, toRoe)
    expect(prefix.subarray(0, dataSetStart)).toEqual(bytes.subarray(0, dataSetStart))
  })
})
