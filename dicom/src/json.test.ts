import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type DicomJson, dataSetToJson, dataSetToJsonTexts, type JsonAttribute, joinJsonTexts } from './json.ts'
import { corpusFolder, isCorpusMissing, listCorpus, readCorpusFile, sampleCorpus } from './node/corpus.ts'
import { inflate } from './node/inflate.ts'
import { readDataSet } from './read.ts'
import { parseTag, Tag } from './tags.ts'
import { ExplicitBigEndian, ExplicitLittleEndian, ImplicitLittleEndian } from './transfer-syntaxes.ts'
import { type WriteElement, type WriteValue, writePart10 } from './write-part10.ts'

const elements: WriteElement[] = [
  { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
  { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
  { tag: Tag.PatientName, vr: 'PN', value: 'Yamada^Tarou=山田^太郎=やまだ^たろう' },
  { tag: Tag.ImageType, vr: 'CS', value: 'ORIGINAL\\\\AXIAL' },
  { tag: Tag.PatientBirthDate, vr: 'DA', value: '' },
  { tag: Tag.PixelSpacing, vr: 'DS', value: [0.5, 0.75] },
  { tag: Tag.SeriesNumber, vr: 'IS', value: '1A' },
  { tag: Tag.Rows, vr: 'US', value: 512 },
  { tag: Tag.FrameIncrementPointer, vr: 'AT', value: Tag.FrameTime },
  { tag: Tag.ConceptNameCodeSequence, vr: 'SQ', value: [[{ tag: Tag.CodeValue, vr: 'SH', value: '121327' }], []] },
  { tag: 0x00090010, vr: 'LO', value: 'ACME' },
  { tag: 0x00091001, vr: 'UN', value: Uint8Array.of(1, 2, 3, 4) },
  { tag: 0x00420011, vr: 'OB', value: new Uint8Array(5000) },
]

const expected: DicomJson = {
  '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
  '00080008': { vr: 'CS', Value: ['ORIGINAL', null, 'AXIAL'] },
  '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.7'] },
  '00090010': { vr: 'LO', Value: ['ACME'] },
  '00091001': { vr: 'UN', InlineBinary: 'AQIDBA==' },
  '00100010': {
    vr: 'PN',
    Value: [{ Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' }],
  },
  '00100030': { vr: 'DA' },
  '00200011': { vr: 'IS' },
  '00280009': { vr: 'AT', Value: ['00181063'] },
  '00280010': { vr: 'US', Value: [512] },
  '00280030': { vr: 'DS', Value: [0.5, 0.75] },
  '0040A043': { vr: 'SQ', Value: [{ '00080100': { vr: 'SH', Value: ['121327'] } }, {}] },
  '00420011': { vr: 'OB', BulkDataURI: 'bulk/00420011' },
}

const options = { bulkDataUri: ({ path }: { path: string }) => `bulk/${path}` }

describe('the DICOM JSON model', () => {
  it.each([ExplicitLittleEndian, ImplicitLittleEndian, ExplicitBigEndian])(
    'says the same of a data set in %s',
    (transferSyntax) => {
      const json = dataSetToJson(readDataSet(writePart10(elements, transferSyntax)).dataSet, options)
      expect(json).toEqual(expected)
      expect(Object.keys(json)).toEqual(Object.keys(json).sort())
      const texts = dataSetToJsonTexts(readDataSet(writePart10(elements, transferSyntax)).dataSet, options)
      expect(JSON.parse(joinJsonTexts(texts))).toEqual(expected)
    },
  )

  it('survives a round trip through elements and bytes', () => {
    const { '00420011': _, ...json } = expected
    const again = dataSetToJson(readDataSet(writePart10(elementsOf(json))).dataSet, options)
    expect(again).toEqual({ ...json, '00200011': { vr: 'IS' } })
  })
})

describe.skipIf(isCorpusMissing)('the DICOM JSON model of files of every series of the corpus', () => {
  it('never throws and is always JSON, the same as an object and as text', () => {
    const wrong = sampleCorpus()
      .filter((file) => file.expected === 'accept' && !file.path.startsWith('media/zip/'))
      .filter((file) => {
        const read = () => readDataSet(readCorpusFile(file.path), { inflate }).dataSet
        const json = dataSetToJson(read(), options)
        const text = JSON.stringify(json)
        const isSame = isDeepStrictEqual(
          JSON.parse(joinJsonTexts(dataSetToJsonTexts(read(), options))),
          JSON.parse(text),
        )
        return Object.keys(json).length < 4 || JSON.stringify(JSON.parse(text)) !== text || !isSame
      })
    expect(wrong.map((file) => file.path)).toEqual([])
  })

  it.each([
    'studies/ct-with-sr-seg-pr-ko-pdf/ct_image.dcm',
    'studies/rt-breast',
    'transfer-syntaxes/1.2_implicit-le_CT1.dcm',
    'transfer-syntaxes/1.2.2_big-endian_CT1.dcm',
    'transfer-syntaxes/1.2.1.99_deflated_SR.dcm',
    'malformed/undefined-length-sequences.dcm',
  ])('has the attributes, VRs and numbers of values that DCMTK finds in %s', (path) => {
    const file = listCorpus(path).find((file) => file.expected === 'accept')?.path ?? path
    const text = execFileSync('dcm2json', [join(corpusFolder, file)], {
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const theirs = shapeOf(JSON.parse(text.toString()) as DicomJson)
    const ours = shapeOf(dataSetToJson(readDataSet(readCorpusFile(file), { inflate }).dataSet, options))
    expect(ours).toEqual(theirs)
  })
})

/** Tag, VR and number of values, nested; pixel data, what follows it, and private VRs (which implicit files do not tell) left out. */
function shapeOf(json: DicomJson, prefix = ''): string[] {
  return Object.entries(json).flatMap(([tag, attribute]) => {
    if (tag >= '7FE00010' || /^...[13579BDF]/.test(tag)) return []
    const values = attribute.Value ?? []
    const own = `${prefix}${tag} ${attribute.vr} ${values.length}`
    return attribute.vr === 'SQ'
      ? [own, ...values.flatMap((item, index) => shapeOf(item as DicomJson, `${prefix}${tag}/${index}/`))]
      : [own]
  })
}

function elementsOf(json: DicomJson): WriteElement[] {
  return Object.entries(json).map(([tag, attribute]) => ({
    tag: parseTag(tag) ?? 0,
    vr: attribute.vr,
    value: valueOf(attribute),
  }))
}

function valueOf({ vr, Value, InlineBinary }: JsonAttribute): WriteValue {
  if (InlineBinary !== undefined) return Uint8Array.from(atob(InlineBinary), (letter) => letter.charCodeAt(0))
  if (vr === 'SQ') return (Value ?? []).map((item) => elementsOf(item as DicomJson))
  if (vr === 'AT') return (Value ?? []).map((tag) => parseTag(String(tag)) ?? 0)
  if (vr === 'PN') return (Value ?? []).map((name) => Object.values(name as object).join('=')).join('\\')
  if (vr === 'US') return Value as number[]
  return (Value ?? []).map((value) => value ?? '').join('\\')
}
