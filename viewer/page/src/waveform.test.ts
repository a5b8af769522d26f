import { expect, it } from 'vitest'
import type { DicomObject } from './dicom-json.ts'
import { readSeriesImages } from './series-images.ts'
import { isWaveform, readWaveforms } from './waveform.ts'

const object = (values: Record<string, unknown>): DicomObject =>
  Object.fromEntries(
    Object.entries(values).map(([tag, value]) => [tag, { vr: 'LO', Value: Array.isArray(value) ? value : [value] }]),
  )
const channel = (name: string, unit: string, more: Record<string, unknown> = {}) =>
  object({
    '003A0208': [object({ '00080104': name })],
    '003A0210': 2.5,
    '003A0211': [object({ '00080100': unit })],
    ...more,
  })
const ecg = (group: DicomObject, sopClass = '1.2.840.10008.5.1.4.1.1.9.1.1') =>
  object({ '00080016': sopClass, '54000100': [group] })
/** Two channels of two samples, one after the other in time. */
const group = {
  ...object({
    '003A0005': 2,
    '003A001A': 500,
    '54001004': 16,
    '54001006': 'SS',
    '003A0200': [channel('Lead I (Einthoven)', 'uV', { '003A0213': 100 }), channel('Pressure', 'mm[Hg]')],
  }),
  '54001010': { vr: 'OW', InlineBinary: btoa(String.fromCharCode(0xe8, 0x03, 10, 0, 0x18, 0xfc, 20, 0)) },
}
const read = async (data: object) =>
  'inline' in data ? Uint8Array.from(atob(String(data.inline)), (letter) => letter.charCodeAt(0)) : new Uint8Array(0)

it('reads the leads of an ECG in millivolts, other curves in their own units', async () => {
  const [found] = await readWaveforms(ecg(group), read)
  const [lead, pressure] = found?.channels ?? []
  expect([found?.seconds, lead?.name, lead?.unit, pressure?.name, pressure?.unit]).toEqual([
    0.004,
    'I',
    'mV',
    'Pressure',
    'mm[Hg]',
  ])
  expect([lead?.high, lead?.low]).toEqual([expect.closeTo(2.6), expect.closeTo(-2.4)])
  expect([...(pressure?.values ?? [])]).toEqual([25, 50])
})

it('leaves out what has no rate or no samples', async () => {
  expect(await readWaveforms(ecg({ ...group, ...object({ '003A001A': 0 }) }), read)).toEqual([])
  expect(await readWaveforms(ecg({ ...group, '54001010': { vr: 'OW' } }), read)).toEqual([])
})

it('takes curves, and not sound, for something to draw', () => {
  expect(isWaveform(ecg(group, '1.2.840.10008.5.1.4.1.1.9.4.1'))).toBe(false)
  expect(readSeriesImages([ecg(group)]).kind).toBe('curves')
})
