import { expect, test } from 'vitest'
import { namedPlaces } from './named-folders.ts'

const series = (series_uid: string, modality: string, series_time: string, description: string) => ({
  series_uid,
  modality,
  series_time,
  description,
})
const placesOf = (all: ReturnType<typeof series>[], record = { study_date: '20260102' }, timePoint = 'VISIT 2') =>
  namedPlaces(all, { record, series: all, timePoint }).map((place) => place.join('/'))

test('folders say study date and time point, modality, series time and description', () => {
  const one = series('1', 'MR', '101112.5', 'T1 axial')
  expect(namedPlaces([one, one], { record: { study_date: '20260102' }, series: [one], timePoint: 'VISIT 2' })).toEqual([
    ['20260102-VISIT_2', 'MR', '101112.5-T1_axial', 'IMG0001'],
    ['20260102-VISIT_2', 'MR', '101112.5-T1_axial', 'IMG0002'],
  ])
})

test('what is not said leaves no trace, and nothing at all is UNKNOWN', () => {
  expect(placesOf([series('1', '', '', '')], { study_date: '' }, '')).toEqual(['UNKNOWN/UNKNOWN/UNKNOWN/IMG0001'])
  expect(placesOf([series('1', 'CT', '', 'Thorax')], { study_date: '20260102' }, '')).toEqual([
    '20260102/CT/Thorax/IMG0001',
  ])
})

test('two series under the same names lie apart, where case and accents do not count', () => {
  const all = [
    series('1', 'MR', '10', 'Müller'),
    series('2', 'MR', '10', 'Mu\u0308ller'),
    series('3', 'MR', '10', 'MÜLLER'),
    series('4', 'MR', '10', 'Müller-2'),
  ]
  const folders = placesOf(all).map((place) => place.split('/')[2])
  expect(folders).toEqual(['10-Müller', '10-Müller-2', '10-MÜLLER-3', '10-Müller_2'])
})

test('a number goes past a name that another series has of itself', () => {
  const all = [series('1', 'MR', '10', '2'), series('2', 'MR', '10', ''), series('3', 'MR', '10', '')]
  expect(placesOf([...all, series('4', 'MR', '10', '2')]).map((place) => place.split('/')[2])).toEqual([
    '10-2',
    '10',
    '10-3',
    '10-2-2',
  ])
})

test('twenty thousand series of one name lie apart', () => {
  const all = Array.from({ length: 20_000 }, (_, index) => series(String(index), 'MR', '10', 'Scout'))
  const places = placesOf(all)
  expect([new Set(places).size, places.at(-1)]).toEqual([20_000, '20260102-VISIT_2/MR/10-Scout-20000/IMG0001'])
})

test.each([
  ['../../etc/passwd', '10-etc_passwd'],
  ['C:\\temp\n?*', '10-C_temp'],
  ['..', '10'],
  ['x'.repeat(300), `10-${'x'.repeat(60)}`],
  ['\u202Egpj', '10-gpj'],
])('the description %j becomes the folder %j', (description, folder) => {
  expect(placesOf([series('1', 'MR', '10', description)])[0]?.split('/')[2]).toBe(folder)
})

test('no folder has the name of a device', () => {
  expect(placesOf([series('1', 'CON', '', 'nul.1')])).toEqual(['20260102-VISIT_2/CON_/nul.1_/IMG0001'])
})
