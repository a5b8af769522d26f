import { expect, it } from 'vitest'
import type { DataSet } from './data-set.ts'
import { deflate, inflate } from './node/inflate.ts'
import { readDataSet, readHeader } from './read.ts'
import { listReferencedImages, type NewUids } from './renamed-references.ts'
import { spliceFile } from './splice.ts'
import { Tag } from './tags.ts'
import { ExplicitBigEndian, ExplicitLittleEndian, ImplicitLittleEndian } from './transfer-syntaxes.ts'
import { findItems, findText } from './values.ts'
import { type WriteElement, writePart10 } from './write-part10.ts'

const referencedSeries = 0x00081115
const evidence = 0x0040a375
const image = (uid: string): WriteElement[] => [
  { tag: Tag.ReferencedSOPInstanceUID, vr: 'UI', value: uid },
  { tag: Tag.PatientComments, vr: 'LT', value: 'as it was' },
]
const listed = (series: string, ...images: string[]): WriteElement[] => [
  { tag: Tag.ReferencedSOPSequence, vr: 'SQ', value: images.map(image) },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: series },
]
const elements: WriteElement[] = [
  { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.88.59' },
  { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.1.9' },
  { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1' },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.1' },
  {
    tag: evidence,
    vr: 'SQ',
    value: [
      [
        { tag: referencedSeries, vr: 'SQ', value: [listed('1.1', '1.1.1', '1.1.2'), listed('1.2', '1.2.1')] },
        { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1' },
      ],
      [
        { tag: referencedSeries, vr: 'SQ', value: [listed('1.2', '1.2.2')] },
        { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1' },
      ],
    ],
  },
]
const renamed = {
  study: new Map([['1', '2.25.1000']]),
  series: new Map([['1.1', '2.25.1100']]),
  wholeSeries: new Set<string>(),
  image: new Map([
    ['1.1.1', '2.25.1111'],
    ['1.1.2', '2.25.1112'],
    ['1.1.9', '2.25.1119'],
  ]),
}

/** The data set of an image that moves, with its references led to the new UIDs. */
function withNewUids(of: WriteElement[], uids: NewUids, transferSyntax: string = ExplicitLittleEndian): DataSet {
  const bytes = writePart10(of, transferSyntax)
  const read = readHeader(bytes, { untilPixelData: true, inflate })
  if (read.kind === 'need-more') throw new Error('The header ends early')
  const edits = [{ tag: Tag.StudyInstanceUID, old: '1', new: '2.25.1000', isForAll: true }]
  const how = { modifyingSystem: 'Hilum', modifiedAt: '20260101000000+0000', reason: 'CORRECT', renamed: uids } as const
  const { prefix, tailOffset } = spliceFile(bytes, read.header, edits, { ...how, inflate, deflate })
  return readDataSet(Buffer.concat([prefix, bytes.subarray(tailOffset)]), { inflate }).dataSet
}

it.each([ExplicitLittleEndian, ImplicitLittleEndian, ExplicitBigEndian])(
  'references to images that move get their new UIDs on every level, and all others stay (%s)',
  (transferSyntax) => {
    const dataSet = withNewUids(elements, renamed, transferSyntax)
    const studies = findItems(dataSet, evidence)
    const seriesOf = studies.map((item) => findItems(item, referencedSeries))
    expect(studies.map((item) => findText(item, Tag.StudyInstanceUID))).toEqual(['2.25.1000', '1'])
    expect(seriesOf.map((list) => list.map((item) => findText(item, Tag.SeriesInstanceUID)))).toEqual([
      ['2.25.1100', '1.2'],
      ['1.2'],
    ])
    expect([...listReferencedImages(dataSet)]).toEqual(['2.25.1111', '2.25.1112', '1.2.1', '1.2.2'])
    const [first] = findItems(seriesOf[0]?.[0] as never, Tag.ReferencedSOPSequence)
    expect(findText(first as never, Tag.PatientComments)).toBe('as it was')
  },
)

/* Series 1.1 and 1.2, of which the one moves as a whole and of the other a part. */
const parts = {
  ...renamed,
  series: new Map([
    ['1.1', '2.25.1100'],
    ['1.2', '2.25.1200'],
  ]),
  wholeSeries: new Set(['1.1']),
}

it('a series that is named without images is renamed where every image of it moves, and left alone where some stay', () => {
  const alone = (uid: string): WriteElement[] => [{ tag: Tag.SeriesInstanceUID, vr: 'UI', value: uid }]
  const inStudy = (...series: WriteElement[][]): WriteElement[] => [
    { tag: referencedSeries, vr: 'SQ', value: series },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1' },
  ]
  const items = [
    inStudy(alone('1.1')),
    inStudy(alone('1.2')),
    inStudy(listed('1.2', '1.2.1'), alone('1.1')),
    inStudy(listed('1.2', '1.1.1')),
    inStudy(),
  ]
  const dataSet = withNewUids(
    [...elements.filter(({ tag }) => tag !== evidence), { tag: evidence, vr: 'SQ', value: items }],
    parts,
  )
  const found = findItems(dataSet, evidence).map((item) => [
    findText(item, Tag.StudyInstanceUID),
    ...findItems(item, referencedSeries).map((series) => findText(series, Tag.SeriesInstanceUID)),
  ])
  expect(found).toEqual([
    ['2.25.1000', '2.25.1100'],
    ['1', '1.2'],
    ['2.25.1000', '1.2', '2.25.1100'],
    ['2.25.1000', '2.25.1200'],
    ['2.25.1000'],
  ])
})

it('a series that is named as an object is renamed where every image of it moves alone', () => {
  const value = ['1.1', '1.2', '1'].map(image)
  const dataSet = withNewUids([...elements.slice(0, 4), { tag: Tag.ReferencedSOPSequence, vr: 'SQ', value }], parts)
  expect([...listReferencedImages(dataSet)]).toEqual(['2.25.1100', '1.2', '2.25.1000'])
})
