import { createHash } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import dictionary from '../dictionary-data.json' with { type: 'json' }
import { isCorpusMissing, listCorpus, readCorpusFile } from '../node/corpus.ts'
import { deflate, inflate } from '../node/inflate.ts'
import { readDataSet, readHeader } from '../read.ts'
import { DicomReadError } from '../read-error.ts'
import { sopClassOf } from '../sop-classes.ts'
import { Tag } from '../tags.ts'
import {
  DeflatedLittleEndian,
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  transferSyntaxOf,
} from '../transfer-syntaxes.ts'
import { findItems, findText, findTexts } from '../values.ts'
import { concatBytes, encodeElements, type WriteElement, writeMeta, writePart10 } from '../write-part10.ts'
import { deidentifyFile } from './deidentify-file.ts'
import { type AttributeFate, type Deidentification, foldWord } from './deidentify-header.ts'
import { mayHoldText, reasonToOmit } from './outgoing-images.ts'

const ct = '1.2.840.10008.5.1.4.1.1.2'
const mark = 'Zzmark^Gerda'
const uidOf = (uid: string) => `2.25.${BigInt(`0x${createHash('sha256').update(uid).digest('hex').slice(0, 32)}`)}`
const how: Deidentification = {
  patientName: 'ANON-1',
  patientId: 'ANON-1',
  dates: { kind: 'moved', days: -100 },
  uidOf,
  texts: new Set(),
  words: ['zzmark', 'gerda'],
  isPixelsSeen: false,
}
const base: WriteElement[] = [
  { tag: Tag.SOPClassUID, vr: 'UI', value: ct },
  { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4.5.6.7.8.9' },
  { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2.3.4.5.6.7' },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3.4.5.6.7.8' },
  { tag: Tag.Rows, vr: 'US', value: 2 },
  { tag: Tag.PixelData, vr: 'OW', value: Uint8Array.of(1, 2, 3, 4) },
]

function fileOf(elements: readonly WriteElement[], syntax: string): Uint8Array {
  if (syntax !== DeflatedLittleEndian) return writePart10(elements, syntax)
  const bytes = encodeElements(elements, transferSyntaxOf(syntax))
  return concatBytes([writeMeta(ct, '1.2.3.4.5.6.7.8.9', syntax), deflate(bytes)])
}

function deidentified(bytes: Uint8Array, options: Partial<Deidentification> = {}) {
  const read = readHeader(bytes, { untilPixelData: true, inflate })
  if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
  const fates: AttributeFate[] = []
  const made = deidentifyFile(bytes, read.header, { ...how, ...options }, [], {
    inflate,
    tell: (one) => fates.push(one),
  })
  const rest = made.pixelOffset === undefined ? new Uint8Array() : bytes.subarray(made.pixelOffset)
  const file = concatBytes([made.prefix, rest])
  return { file, prefix: made.prefix, fates, dataSet: readDataSet(file, { inflate }).dataSet }
}

const told = (bytes: Uint8Array) => /zzmark|gerda/i.test(Buffer.from(bytes).toString('latin1'))
const numbers = new Set(['xs', 'lt', 'US', 'SS', 'UL', 'SL', 'FL', 'FD', 'SV', 'UV', 'AT'])

/** Every attribute of the dictionary with the mark as its value, as far as its VR is one of letters or bytes. */
function marked(): WriteElement[] {
  const met = new Set(base.map(({ tag }) => tag))
  return Object.entries(dictionary as Record<string, string>).flatMap(([hex, entry]): WriteElement[] => {
    const tag = Number.parseInt(hex, 16)
    const vr = entry.split(' ')[0] ?? ''
    const isWritable = tag >>> 16 >= 8 && tag < 0x7fe00000 && (tag & 0xffff) !== 0
    // lookup tables and palettes are pixels in other places
    const isTable = tag >>> 8 === 0x002812 || tag === 0x00283006
    if (!isWritable || isTable || met.has(tag) || numbers.has(vr) || tag === Tag.SpecificCharacterSet) return []
    if (vr === 'SQ')
      return [
        {
          tag,
          vr,
          value: [
            [
              { tag: 0x00104000, vr: 'LT', value: mark },
              { tag: 0x00081150, vr: 'UI', value: '1.2.3.4.5.6.7' },
            ],
          ],
        },
      ]
    return [{ tag, vr: vr.length === 2 && vr === vr.toUpperCase() ? vr : 'OW', value: mark }]
  })
}

describe('a copy without names', () => {
  const all = marked()
  const nested: WriteElement[] = [
    { tag: 0x00089215, vr: 'SQ', value: [all] },
    { tag: 0x52009230, vr: 'SQ', value: [all, []] },
  ]
  const hidden: WriteElement[] = [
    { tag: 0x00090010, vr: 'LO', value: mark },
    { tag: 0x00091001, vr: 'UN', value: Buffer.from(mark) },
    { tag: 0x00080201, vr: 'UN', value: Buffer.from(mark) },
    { tag: 0x00280011, vr: 'LO', value: mark },
    { tag: 0x60003000, vr: 'OW', value: Buffer.from(mark) },
    { tag: 0x60000022, vr: 'LO', value: mark },
    { tag: 0x50000022, vr: 'LO', value: mark },
    { tag: 0x00081234, vr: 'LO', value: mark },
  ]
  const filled = all.filter(
    ({ tag }) => !hidden.some((one) => one.tag === tag) && tag !== 0x00089215 && tag !== 0x52009230,
  )
  it.each([ExplicitLittleEndian, ImplicitLittleEndian, ExplicitBigEndian, DeflatedLittleEndian])(
    'holds no value of letters or bytes that anybody may have typed, on no level (%s)',
    (syntax) => {
      // without VRs in the file the number is one, whatever its bytes spell
      const isWritten = ({ tag }: WriteElement) => syntax !== ImplicitLittleEndian || tag !== 0x00280011
      const bytes = fileOf([...base, ...filled, ...nested, ...hidden.filter(isWritten)], syntax)
      expect(told(bytes)).toBe(syntax !== DeflatedLittleEndian)
      const { file, dataSet } = deidentified(bytes, { words: [] })
      expect(told(file)).toBe(false)
      expect([findText(dataSet, Tag.PatientName), findText(dataSet, 0x00120062)]).toEqual(['ANON-1', 'YES'])
      expect(findItems(dataSet, 0x52009230)).toHaveLength(2)
    },
  )

  it('holds no word that names somebody in a code of few letters either', () => {
    const bytes = fileOf(
      [
        ...base,
        { tag: Tag.BodyPartExamined, vr: 'CS', value: 'ZZMARK' },
        { tag: Tag.ImageType, vr: 'CS', value: 'ORIGINAL\\PRIMARY' },
      ],
      ExplicitLittleEndian,
    )
    const { file, dataSet } = deidentified(bytes, { words: ['zzmark', 'mary'] })
    expect(told(file)).toBe(false)
    expect(findTexts(dataSet, Tag.ImageType)).toEqual(['ORIGINAL', 'PRIMARY'])
  })

  it('holds no number of the patient within a code, or as a number, and draws the picture with the same ones', () => {
    const bytes = fileOf(
      [
        ...base,
        { tag: Tag.BodyPartExamined, vr: 'CS', value: 'MR1234567' },
        { tag: Tag.SeriesNumber, vr: 'IS', value: '1234567' },
        { tag: Tag.RescaleSlope, vr: 'DS', value: '1234567' },
      ],
      ExplicitLittleEndian,
    )
    const { dataSet } = deidentified(bytes, { words: ['1234567'] })
    expect([Tag.BodyPartExamined, Tag.SeriesNumber, Tag.RescaleSlope].map((tag) => findText(dataSet, tag))).toEqual([
      undefined,
      undefined,
      '1234567',
    ])
  })

  it('keeps the numbers of geometry to nine digits at least, however long they are written', () => {
    let seed = 7
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
    const longForm = () => {
      const number = (random() - 0.5) * 10 ** Math.round(random() * 40 - 20)
      const forms = [number.toString(), number.toExponential(), `0000${Math.abs(number)}`, number.toFixed(20)]
      return forms[Math.floor(random() * forms.length)] ?? ''
    }
    const tags = {
      position: Tag.ImagePositionPatient,
      orientation: Tag.ImageOrientationPatient,
      spacing: Tag.PixelSpacing,
    }
    const counts = { position: 3, orientation: 6, spacing: 2 }
    const off: string[] = []
    for (let round = 0; round < 400; round++) {
      const values = Object.entries(tags).map(([name, tag]) => {
        const texts = Array.from({ length: counts[name as keyof typeof tags] }, longForm)
        return { tag, vr: 'DS', texts, value: texts.join('\\') }
      })
      const { dataSet } = deidentified(fileOf([...base, ...values], ExplicitLittleEndian))
      for (const { tag, texts } of values) {
        const left = findTexts(dataSet, tag)
        const isAlike = texts.every((text, index) => {
          const written = left[index] ?? ''
          return (
            written.length <= 16 &&
            written !== '' &&
            Math.abs(Number(written) - Number(text)) <= 1e-9 * Math.abs(Number(text))
          )
        })
        if (!isAlike) off.push(`${texts.join(' ')} became ${left.join(' ')}`)
      }
    }
    expect(off).toEqual([])
  })

  it('lets all numbers of an attribute leave or none, and whole numbers that are written as decimals', () => {
    const bytes = fileOf(
      [
        ...base,
        { tag: Tag.ImagePositionPatient, vr: 'DS', value: '1.5\\Zzmark\\2' },
        { tag: Tag.PixelSpacing, vr: 'DS', value: '0.5\\12-34' },
        { tag: Tag.InstanceNumber, vr: 'IS', value: '12.0' },
        { tag: Tag.SeriesNumber, vr: 'IS', value: '0000000000000042' },
        { tag: 0x00200012, vr: 'IS', value: '12.5' },
      ],
      ExplicitLittleEndian,
    )
    const { dataSet } = deidentified(bytes)
    expect([dataSet.elements.has(Tag.ImagePositionPatient), dataSet.elements.has(Tag.PixelSpacing)]).toEqual([
      false,
      false,
    ])
    expect([Tag.InstanceNumber, Tag.SeriesNumber, 0x00200012].map((tag) => findText(dataSet, tag))).toEqual([
      '12',
      '42',
      undefined,
    ])
  })

  it('replaces a UID by the same one wherever it stands, and keeps those of the standard', () => {
    const reference = [
      { tag: 0x00081150, vr: 'UI', value: ct },
      { tag: 0x00081155, vr: 'UI', value: '1.2.3.4.5.6.7.8.9' },
    ]
    const bytes = fileOf([...base, { tag: 0x00081140, vr: 'SQ', value: [reference] }], ExplicitLittleEndian)
    const { dataSet } = deidentified(bytes)
    const [item] = findItems(dataSet, 0x00081140)
    expect(item && findText(item, 0x00081155)).toBe(findText(dataSet, Tag.SOPInstanceUID))
    expect(item && findText(item, 0x00081150)).toBe(ct)
    expect(findText(dataSet, Tag.SOPInstanceUID)).toBe(uidOf('1.2.3.4.5.6.7.8.9'))
  })

  it('moves dates by as many days, or leaves none', () => {
    const dates: WriteElement[] = [
      { tag: Tag.StudyDate, vr: 'DA', value: '20260101' },
      { tag: Tag.StudyTime, vr: 'TM', value: '101500' },
      { tag: Tag.PatientBirthDate, vr: 'DA', value: '19700203' },
      { tag: 0x0008002a, vr: 'DT', value: '20260101101500.5+0100' },
      { tag: Tag.SeriesDate, vr: 'DA', value: mark },
    ]
    const bytes = fileOf([...base, ...dates], ExplicitLittleEndian)
    const values = (options: Partial<Deidentification>) => {
      const { dataSet } = deidentified(bytes, options)
      return dates.map(({ tag }) => findText(dataSet, tag) ?? '')
    }
    expect(values({})).toEqual(['20250923', '101500', '', '20250923101500.5+0100', '19000101'])
    expect(values({ dates: { kind: 'removed' } }).slice(0, 3)).toEqual(['', '', ''])
    expect(values({ dates: { kind: 'removed' } }).join('')).not.toContain('2026')
  })

  it('leaves no moved date behind whose true day others know, since it would tell by how many days dates moved', () => {
    const dates: WriteElement[] = [0x00181200, 0x00181204, 0x00181205, 0x0018700c].map((tag) => ({
      tag,
      vr: 'DA',
      value: '20200101',
    }))
    const { dataSet } = deidentified(fileOf([...base, ...dates], ExplicitLittleEndian))
    expect(dates.filter(({ tag }) => dataSet.elements.has(tag))).toEqual([])
  })

  it('tells neither the measures of the patient nor other numbers of the study', () => {
    const bytes = fileOf(
      [
        ...base,
        { tag: 0x00101022, vr: 'DS', value: '31.5' },
        { tag: 0x00101023, vr: 'DS', value: '240' },
        { tag: 0x00201070, vr: 'IS', value: '4711' },
      ],
      ExplicitLittleEndian,
    )
    const { elements } = deidentified(bytes, { words: [] }).dataSet
    expect([0x00101022, 0x00101023, 0x00201070].filter((tag) => elements.has(tag))).toEqual([])
  })

  it('lets a description leave that a person has read, and none that names somebody', () => {
    const bytes = fileOf(
      [
        ...base,
        { tag: Tag.SeriesDescription, vr: 'LO', value: 'Axial 5 mm' },
        { tag: Tag.StudyDescription, vr: 'LO', value: 'Zzmark follow-up' },
        { tag: Tag.PatientComments, vr: 'LT', value: 'Axial 5 mm' },
      ],
      ExplicitLittleEndian,
    )
    expect(findText(deidentified(bytes).dataSet, Tag.SeriesDescription)).toBeUndefined()
    const { dataSet, fates } = deidentified(bytes, { texts: new Set(['Axial 5 mm', 'Zzmark follow-up']) })
    expect(findText(dataSet, Tag.SeriesDescription)).toBe('Axial 5 mm')
    expect(dataSet.elements.has(Tag.StudyDescription)).toBe(false)
    expect(dataSet.elements.has(Tag.PatientComments)).toBe(false)
    expect(fates.filter(({ isDescriptor }) => isDescriptor)).toHaveLength(2)
  })

  it('keeps codes of public schemes without their words, and no others', () => {
    const code = (value: string, scheme: string) => [
      { tag: Tag.CodeValue, vr: 'SH', value },
      { tag: Tag.CodingSchemeDesignator, vr: 'SH', value: scheme },
      { tag: Tag.CodeMeaning, vr: 'LO', value: mark },
    ]
    const items = [code('T-D3000', 'SRT'), code('ZZMARK', 'SRT'), code('1', '99GERDA'), code('ZZMARK', 'UCUM')]
    const bytes = fileOf([...base, { tag: 0x00082218, vr: 'SQ', value: items }], ExplicitLittleEndian)
    const { file, dataSet } = deidentified(bytes)
    expect(told(file)).toBe(false)
    expect(findItems(dataSet, 0x00082218).map((item) => findText(item, Tag.CodeMeaning))).toEqual(['T-D3000'])
  })
})

test.skipIf(isCorpusMissing)(
  'of every image of the corpus no name, number or UID stays, and its picture is told as before',
  () => {
    let count = 0
    for (const { path } of listCorpus()) {
      const bytes = readCorpusFile(path)
      let read: ReturnType<typeof readHeader>
      try {
        read = readHeader(bytes, { untilPixelData: true, inflate })
      } catch {
        continue
      }
      if (read.kind !== 'header' || !read.header.isComplete || read.header.dataSet.elements.size === 0) continue
      const { header } = read
      if (reasonToOmit(header.sopClassUid, header.transferSyntax) || header.pixelElement === undefined) continue
      const secrets = [Tag.PatientName, Tag.PatientID, Tag.ReferringPhysicianName, Tag.InstitutionName]
        .map((tag) => findText(header.dataSet, tag) ?? '')
        .filter((text) => text.length >= 5)
      let made: ReturnType<typeof deidentified>
      try {
        made = deidentified(bytes, { words: secrets.map(foldWord) })
      } catch (error) {
        // nothing of a file that cannot be written without names leaves
        if (error instanceof DicomReadError) continue
        throw error
      }
      count += 1
      const text = Buffer.from(made.prefix).toString('latin1')
      expect([path, secrets.filter((secret) => text.includes(secret))]).toEqual([path, []])
      for (const tag of [Tag.Rows, Tag.Columns, Tag.BitsStored, Tag.PhotometricInterpretation, Tag.RescaleSlope])
        expect([path, findText(made.dataSet, tag)]).toEqual([path, findText(header.dataSet, tag)])
      expect([path, typeof mayHoldText(header.dataSet, header.sopClassUid)]).toEqual([path, 'boolean'])
      expect(['image', 'segmentation']).toContain(sopClassOf(header.sopClassUid).kind)
    }
    expect(count).toBeGreaterThan(100)
  },
)
