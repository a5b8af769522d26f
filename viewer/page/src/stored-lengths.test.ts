import { dataSetToJson } from '@hilum/dicom/json'
import { readDataSet } from '@hilum/dicom/read'
import { expect, it } from 'vitest'
import type { DicomObject } from './dicom-json.ts'
import { drawLengths, readStoredLengths } from './stored-lengths.ts'
import { type MeasuredLength, writeLengthReport } from './length-report.ts'
import { isWholeAnswer, rememberAnswers } from './remember-answers.ts'
import type { StripSeries } from './series-strip.ts'

const image = (sopUid: string, frame = 1, frameCount = 1) => ({
  instance: { '00280008': { vr: 'IS', Value: [frameCount] } } satisfies DicomObject,
  sopUid,
  frame,
  framesPerSecond: 1,
})
const length = (more: Partial<MeasuredLength>): MeasuredLength => ({
  uid: 'a',
  seriesUid: '1.2.1',
  image: image('1.2.1.1'),
  points: [
    [40.5, 20],
    [4.5, 6],
  ],
  value: 38.62,
  unit: 'mm',
  ...more,
})
const reportOf = (...lengths: MeasuredLength[]) =>
  dataSetToJson(readDataSet(writeLengthReport(lengths, new Date(2026, 10, 27))).dataSet) as DicomObject
const series = (seriesUid: string, modality: string) => ({ seriesUid, modality }) as StripSeries
const read = (answers: Record<string, DicomObject[] | undefined>) =>
  readStoredLengths(
    [series('images', 'CT'), ...Object.keys(answers).map((uid) => series(uid, 'SR'))],
    async (uid) => answers[uid] ?? Promise.reject(new Error(`${uid} does not come`)),
  )

it('draws each length of a report on its image, with its value at the right end', async () => {
  const stored = await read({ sr: [reportOf(length({}), length({ image: image('1.2.1.2'), value: 5, unit: 'px' }))] })
  expect(drawLengths(stored, image('1.2.1.1'))).toEqual([
    {
      kind: 'lines',
      points: [
        [40.5, 20],
        [4.5, 6],
      ],
      isFilled: false,
    },
    {
      kind: 'dots',
      points: [
        [40.5, 20],
        [4.5, 6],
      ],
    },
    { kind: 'text', text: '38.6 mm  ·  27 Nov 2026', at: [40.5, 20], anchor: undefined },
  ])
  expect(drawLengths(stored, image('1.2.1.2')).at(-1)).toMatchObject({ text: '5.00 px  ·  27 Nov 2026' })
  expect(drawLengths(stored, image('1.2.1.3'))).toEqual([])
})

it('keeps to the frame that was measured', async () => {
  const stored = await read({ sr: [reportOf(length({ image: image('1.2.1.1', 3, 4) }))] })
  expect(drawLengths(stored, image('1.2.1.1', 3, 4))).toHaveLength(3)
  expect(drawLengths(stored, image('1.2.1.1', 2, 4))).toEqual([])
})

it('passes over other content, and says where a report did not come', async () => {
  const note: DicomObject = { '0040A730': { vr: 'SQ', Value: [{ '0040A040': { vr: 'CS', Value: ['TEXT'] } }] } }
  const stored = await read({ note: [note], sr: [reportOf(length({}))], lost: undefined })
  expect([stored.lengths.length, stored.isWhole]).toEqual([1, false])
  expect(await read({ note: [note] })).toEqual({ lengths: [], isWhole: true })
})

it('gives a length below its unit three digits that count', async () => {
  const stored = await read({ sr: [reportOf(length({ value: 0.0386, unit: 'cm' }))] })
  expect(drawLengths(stored, image('1.2.1.1')).at(-1)).toMatchObject({ text: '0.0386 cm  ·  27 Nov 2026' })
})

it('is asked for again where a report did not come', async () => {
  const answers: Record<string, DicomObject[] | undefined> = { sr: undefined }
  const ask = rememberAnswers(() => read(answers), Infinity, isWholeAnswer)
  expect(await ask('')).toEqual({ lengths: [], isWhole: false })
  answers['sr'] = [reportOf(length({}))]
  const whole = await ask('')
  expect([whole.lengths.length, whole.isWhole]).toEqual([1, true])
  expect(await ask('')).toBe(whole)
})

it('leaves out a report that another one takes the place of', async () => {
  const [first, second] = [reportOf(length({})), reportOf(length({ value: 31.2 }))]
  const reference = { '00081155': first['00080018'] }
  const series = { '00081199': { vr: 'SQ', Value: [reference] } }
  second['0040A360'] = { vr: 'SQ', Value: [{ '00081115': { vr: 'SQ', Value: [series] } }] }
  const stored = await read({ sr: [first], later: [second] })
  expect(stored.lengths.map(({ words }) => words)).toEqual(['31.2 mm  ·  27 Nov 2026'])
})
