import { dataSetToJson } from '@hilum/dicom/json'
import { readDataSet } from '@hilum/dicom/read'
import { describe, expect, it } from 'vitest'
import { type DicomObject, itemsOf, jsonTextOf } from './dicom-json.ts'
import { createLengthRecord } from './length-record.ts'
import { type MeasuredLength, newReportName, writeLengthReport } from './length-report.ts'
import { readStoredLengths } from './stored-lengths.ts'
import type { StripSeries } from './series-strip.ts'

function lengthOf(uid: string, value: number, left = 1): MeasuredLength {
  const instance: DicomObject = { '0020000D': { vr: 'UI', Value: ['1.2.3'] } }
  return {
    uid,
    seriesUid: '1.2.3.1',
    image: { instance, sopUid: '1.2.3.1.1', frame: 1, framesPerSecond: 1 },
    points: [
      [left, 2],
      [30, 40],
    ],
    value,
    unit: 'mm',
  }
}

/** Reports as a page writes them, one for each press. */
function createPage() {
  const record = createLengthRecord()
  const reports: DicomObject[] = []
  return {
    record,
    reports,
    store: (...open: MeasuredLength[]) => {
      const { lengths, predecessors } = record.plan(open)
      const name = newReportName()
      const bytes = writeLengthReport(lengths, new Date(2026, 10, 28), { name, predecessors })
      reports.push(dataSetToJson(readDataSet(bytes).dataSet) as DicomObject)
      record.note(lengths, name)
    },
    /** The lengths that the next opening of the study draws. */
    drawn: async () => {
      const series = [{ seriesUid: 'sr', modality: 'SR' } as StripSeries]
      const { lengths } = await readStoredLengths(series, async () => reports)
      return lengths.map(({ words }) => Number.parseFloat(words)).sort((a, b) => a - b)
    },
  }
}

describe('lengths on record', () => {
  it('stand once when one was moved and kept again, beside the others of its report', async () => {
    const { store, drawn } = createPage()
    store(lengthOf('a', 10), lengthOf('b', 20))
    store(lengthOf('c', 30))
    store(lengthOf('a', 11, 3))
    expect(await drawn()).toEqual([11, 20, 30])
    store(lengthOf('b', 21, 4), lengthOf('c', 31, 4))
    expect(await drawn()).toEqual([11, 21, 31])
  })

  it('name the report before as their predecessor, by its series, and new ones name none', () => {
    const { reports, store } = createPage()
    store(lengthOf('a', 10))
    store(lengthOf('b', 20))
    store(lengthOf('a', 11, 3))
    const [first, second, third] = reports
    const [study, ...more] = itemsOf(third, '0040A360')
    const [series] = itemsOf(study, '00081115')
    const [reference] = itemsOf(series, '00081199')
    expect(more).toEqual([])
    expect([jsonTextOf(study ?? {}, '0020000D'), jsonTextOf(series ?? {}, '0020000E')]).toEqual([
      '1.2.3',
      jsonTextOf(first ?? {}, '0020000E'),
    ])
    expect([jsonTextOf(reference ?? {}, '00081150'), jsonTextOf(reference ?? {}, '00081155')]).toEqual([
      jsonTextOf(first ?? {}, '00080016'),
      jsonTextOf(first ?? {}, '00080018'),
    ])
    expect(second?.['0040A360']).toBeUndefined()
  })

  it('keep the number that they are tracked by', () => {
    const { record } = createPage()
    const [one] = record.plan([lengthOf('a', 10)]).lengths
    const [moved] = record.plan([lengthOf('a', 11, 3)]).lengths
    expect(one?.trackingUid).toBeDefined()
    expect(moved?.trackingUid).toBe(one?.trackingUid)
  })

  it('are held as they stand, and no more once they were moved', () => {
    const { record, store } = createPage()
    expect(record.holds(lengthOf('a', 10))).toBe(false)
    store(lengthOf('a', 10))
    expect(record.holds(lengthOf('a', 10))).toBe(true)
    expect(record.holds(lengthOf('a', 11, 3))).toBe(false)
  })
})
