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

const continuous = { '0040A050': text('CONTINUOUS') }
const said = (value: string) => item('TEXT', 'Description', { '0040A160': { vr: 'UT', Value: [value] } })
const prose = (...values: string[]) => ({
  kind: 'prose',
  values: values.map((one) => ({ kind: 'text', text: one })),
})

test('what is CONTINUOUS runs on as a paragraph, at the top and within, broken by containers and descriptions alone', () => {
  const who = item('PNAME', 'Physician', { '0040A123': { vr: 'PN', Value: [{ Alphabetic: 'FUKUDA^K' }] } })
  const sentence = content(
    { ...said('Dutch'), '0040A010': text('HAS CONCEPT MOD') },
    { ...said('He was referred by'), '0040A010': text('CONTAINS') },
    who,
    said(', and seen.'),
    item('CONTAINER', 'Findings', { ...continuous, ...content(said('None'), said('at all.')) }),
    said('End.'),
  )
  const expected = (level: number) => [
    [level, 'Description', { kind: 'text', text: 'Dutch' }],
    [level, '', prose('He was referred by', 'FUKUDA, K', ', and seen.')],
    [level, 'Findings', { kind: 'heading' }],
    [level + 1, '', prose('None', 'at all.')],
    [level, '', prose('End.')],
  ]
  const read = (json: object) => readReport(json).lines.map(({ level, name, value }) => [level, name, value])
  expect(read({ ...continuous, ...sentence })).toEqual(expected(0))
  const within = content(item('CONTAINER', 'Letter', { ...continuous, ...sentence }))
  expect(read({ '0040A050': text('SEPARATE'), ...within }).slice(1)).toEqual(expected(1))
})

test('what a value of a paragraph has below it is told after the paragraph, which it does not break', () => {
  const noted = { ...said('a mass'), ...content(item('IMAGE', 'Seen in')) }
  const { lines } = readReport({ ...continuous, ...content(said('There is'), noted, said('on the left.')) })
  expect(lines.map(({ level, name, value }) => [level, name, value])).toEqual([
    [0, '', prose('There is', 'a mass', 'on the left.')],
    [1, 'Description', { kind: 'text', text: 'a mass' }],
    [2, 'Seen in', { kind: 'refers', to: 'image' }],
  ])
  expect(new Set(lines.map(({ place }) => place)).size).toBe(lines.length)
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
  const long = readReport({ ...continuous, ...content(...Array.from({ length: 30_000 }, () => said('on'))) })
  expect(long).toMatchObject({ isCut: true, lines: [{ value: { kind: 'prose' } }] })
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
