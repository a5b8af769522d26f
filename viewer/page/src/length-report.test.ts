import { dataSetToJson } from '@hilum/dicom/json'
import { readDataSet, readHeader } from '@hilum/dicom/read'
import { expect, it } from 'vitest'
import { type DicomObject, itemsOf, jsonTextOf, numbersOf } from './dicom-json.ts'
import { type MeasuredLength, writeLengthReport } from './length-report.ts'

const now = new Date(2026, 10, 27, 9, 5, 3)

const instance: DicomObject = {
  '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.2'] },
  '00080020': { vr: 'DA', Value: ['20260102'] },
  '00100010': { vr: 'PN', Value: [{ Alphabetic: 'OKAFOR^ADA', Ideographic: '岡^愛' }] },
  '00100020': { vr: 'LO', Value: ['M-1'] },
  '00100030': { vr: 'DA', Value: ['19700101'] },
  '0020000D': { vr: 'UI', Value: ['1.2.3'] },
  '00280008': { vr: 'IS', Value: [4] },
}

function makeLength(more: Partial<MeasuredLength> = {}): MeasuredLength {
  return {
    uid: 'a',
    seriesUid: '1.2.3.1',
    image: { instance, sopUid: '1.2.3.1.1', frame: 2, framesPerSecond: 1 },
    points: [
      [1.5, 2],
      [4.5, 6],
    ],
    value: 12.345678901,
    unit: 'mm',
    ...more,
  }
}

const readReport = (lengths: MeasuredLength[]) =>
  dataSetToJson(readDataSet(writeLengthReport(lengths, now)).dataSet) as DicomObject

const nameOf = (item: DicomObject) => jsonTextOf(itemsOf(item, '0040A043')[0] ?? {}, '00080104')
const within = (item: DicomObject | undefined, name: string) =>
  itemsOf(item, '0040A730').find((one) => nameOf(one) === name)

it('reads as a structured report of the patient and the study, as the images name them', () => {
  const bytes = writeLengthReport([makeLength()], now)
  const read = readHeader(bytes, { size: bytes.length })
  expect(read.kind === 'header' && [read.header.sopClassUid, read.header.studyUid]).toEqual([
    '1.2.840.10008.5.1.4.1.1.88.22',
    '1.2.3',
  ])
  const report = readReport([makeLength()])
  expect(report['00100010']?.Value).toEqual([{ Alphabetic: 'OKAFOR^ADA', Ideographic: '岡^愛' }])
  expect(
    ['00100020', '00100030', '00080020', '00080023', '00080033', '00080060'].map((tag) => jsonTextOf(report, tag)),
  ).toEqual(['M-1', '19700101', '20260102', '20261127', '090503', 'SR'])
})

it('names each length with its points and the frame of its image', () => {
  const pixels = makeLength({ uid: 'b', value: 5, unit: 'px', image: { ...makeLength().image, frame: 3 } })
  const ultrasound = makeLength({ uid: 'c', value: 4.53, unit: 'cm', image: { ...makeLength().image, frame: 1 } })
  const report = readReport([makeLength(), pixels, ultrasound])
  const groups = itemsOf(within(report, 'Imaging Measurements'), '0040A730')
  const lengths = groups.map((group) => within(group, 'Length'))
  const values = lengths.map((length) => {
    const [measured] = itemsOf(length, '0040A300')
    const [region] = itemsOf(length, '0040A730')
    const [image] = itemsOf(region, '0040A730')
    const [reference] = itemsOf(image, '00081199')
    return [
      jsonTextOf(measured ?? {}, '0040A30A'),
      jsonTextOf(itemsOf(measured, '004008EA')[0] ?? {}, '00080100'),
      numbersOf(region ?? {}, '00700022'),
      jsonTextOf(reference ?? {}, '00081155'),
      jsonTextOf(reference ?? {}, '00081160'),
    ]
  })
  expect(values).toEqual([
    ['12.345679', 'mm', [1.5, 2, 4.5, 6], '1.2.3.1.1', '2'],
    ['5', '{pixels}', [1.5, 2, 4.5, 6], '1.2.3.1.1', '3'],
    ['4.53', 'cm', [1.5, 2, 4.5, 6], '1.2.3.1.1', '1'],
  ])
  const [evidence] = itemsOf(report, '0040A375')
  const [series, ...more] = itemsOf(evidence, '00081115')
  expect([jsonTextOf(series ?? {}, '0020000E'), itemsOf(series, '00081199').length, more]).toEqual(['1.2.3.1', 1, []])
})
