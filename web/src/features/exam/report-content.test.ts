import { expect, test } from 'vitest'
import { readReport } from './report-content.ts'

const text = (value: string) => ({ vr: 'LO', Value: [value] })
const code = (meaning: string, more: object = {}) => ({
  vr: 'SQ',
  Value: [{ '00080100': text('code'), '00080104': text(meaning), ...more }],
})
const item = (type: string, name: string, more: object = {}) => ({
  '0040A040': text(type),
  '0040A043': code(name),
  ...more,
})
const content = (...items: object[]) => ({ '0040A730': { vr: 'SQ', Value: items } })
const linesOf = (...items: object[]) => readReport(content(...items)).lines.map(({ name, value }) => [name, value])

test('who wrote what about whom, and how far it is', () => {
  const report = readReport({
    '0040A043': code('CT head report'),
    '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎' }] },
    '00100020': text('M1'),
    '00080023': text('20260102'),
    '0040A491': text('COMPLETE'),
    '0040A493': text('VERIFIED'),
    '0040A073': { vr: 'SQ', Value: [{ '0040A075': { vr: 'PN', Value: [{ Alphabetic: 'DOE^Jane' }] } }] },
  })
  expect(report).toMatchObject({
    title: 'CT head report',
    patientName: 'YAMADA, Tarou · 山田 太郎',
    patientId: 'M1',
    date: '20260102',
    isComplete: true,
    isVerified: true,
    verifiers: ['DOE, Jane'],
    lines: [],
  })
})

test('each kind of content says what it holds', () => {
  const measured = (value: string, unit: object) => ({
    '0040A300': { vr: 'SQ', Value: [{ '0040A30A': text(value), '004008EA': { vr: 'SQ', Value: [unit] } }] },
  })
  const ucum = (unit: string, meaning: string) => ({
    '00080100': text(unit),
    '00080102': text('UCUM'),
    '00080104': text(meaning),
  })
  expect(
    linesOf(
      item('CONTAINER', 'Findings'),
      item('TEXT', 'Finding', { '0040A160': { vr: 'UT', Value: ['No bleed.\r\nNo mass.'] } }),
      item('CODE', 'Site', { '0040A168': code('Left lung') }),
      item('NUM', 'Length', measured('12.5', ucum('mm', 'millimeter'))),
      item('NUM', 'Count', measured('3', ucum('1', 'no units'))),
      item('NUM', 'Beats', measured('60', ucum('{H.B.}/min', 'beats per minute'))),
      item('NUM', 'Not measured', { '0040A301': code('Measurement failure') }),
      item('DATETIME', 'Read at', { '0040A120': text('20260102133000') }),
      item('IMAGE', 'Seen in'),
      item('SCOORD', 'Where'),
      { '0040DB73': { vr: 'UL', Value: [1, 2] } },
    ),
  ).toEqual([
    ['Findings', { kind: 'heading' }],
    ['Finding', { kind: 'text', text: 'No bleed.\r\nNo mass.' }],
    ['Site', { kind: 'text', text: 'Left lung' }],
    ['Length', { kind: 'text', text: '12.5 mm' }],
    ['Count', { kind: 'text', text: '3' }],
    ['Beats', { kind: 'text', text: '60 beats per minute' }],
    ['Not measured', { kind: 'text', text: 'Measurement failure' }],
    ['Read at', { kind: 'date', date: '20260102', time: '133000' }],
    ['Seen in', { kind: 'refers', to: 'image' }],
    ['Where', { kind: 'refers', to: 'region' }],
    ['', { kind: 'refers', to: 'reference' }],
  ])
})

test('what stands within something stands below it', () => {
  const inner = item('CONTAINER', 'Inner', content(item('TEXT', 'Deep')))
  const { lines } = readReport(content(item('TEXT', 'First'), item('CONTAINER', 'Outer', content(inner))))
  expect(lines.map(({ place, level, name }) => [place, level, name])).toEqual([
    ['1', 0, 'First'],
    ['2', 0, 'Outer'],
    ['2.1', 1, 'Inner'],
    ['2.1.1', 2, 'Deep'],
  ])
})

test('a report of any size or depth is read to a bound, and says so', () => {
  const many = readReport(content(...Array.from({ length: 30_000 }, () => item('TEXT', 'Line'))))
  expect(many).toMatchObject({ isCut: true })
  expect(many.lines).toHaveLength(20_000)
  let nested: object = item('TEXT', 'Bottom')
  for (let depth = 0; depth < 5000; depth++) nested = item('CONTAINER', 'Level', content(nested))
  expect(readReport(content(nested))).toMatchObject({ isCut: true })
})

test.each([
  null,
  'text',
  [],
  { '0040A730': { Value: 'no list' } },
  { '0040A730': { Value: [null, 7, []] } },
  { '0040A043': {} },
])('what is no report reads as an empty one: %j', (json) => {
  expect(readReport(json)).toMatchObject({ title: '', lines: [], isCut: false })
})
