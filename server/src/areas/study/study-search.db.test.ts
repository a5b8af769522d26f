import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeStudies } from '../../../test/make-studies.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const groups = [await organisation.addGroup(), await organisation.addGroup(), await organisation.addGroup()]
const { sid } = await organisation.addPerson({ groups })
const [first = { namespaceUuid: '' }] = groups

/** Three hundred others, so that finding all or none shows. */
const others = Array.from({ length: 300 }, (_, index) => ({
  phi_namespace: groups[index % 3]?.namespaceUuid ?? '',
  patient_name: `FILLER${index}^CASE`,
  patientid: `F${index}`,
  patient_birth_date: '19500101',
  accession_number: `FA${index}`,
  study_date: '20250101',
  modalities: ['XA'],
  created: `2025-0${1 + (index % 9)}-10 10:00:00+00`,
}))
const named = [
  'MÜLLER^ANNA',
  'MULLER^BERT',
  'Anna^Muller',
  'Yamada^Tarou=山田^太郎=やまだ^たろう',
  'VAN DER BERG^JAN^P',
  'LI^BO',
  'OLIVIER^JEAN',
  'O_BRIEN^PAT',
  '100%^SURE',
  'ŁUKASIEWICZ^MAŁGORZATA',
  'Yıldız^Gülşen',
  'Strauß^Jørn',
  'ﾀﾅｶ^ｼﾞﾛｳ',
  'O’CONNOR^SEAN',
  "O'Connor^Mary-Jane",
  'DE LA CRUZ^JOSE LUIS',
]
await makeStudies(services.db, organisation.accountUuid, [
  ...others,
  ...named.map((patient_name) => ({ phi_namespace: first.namespaceUuid, patient_name, created: '2024-01-01' })),
])

async function namesOf(filter: Record<string, unknown>): Promise<string[]> {
  const { body } = await call('study/list', { sid, 'page.rows': 500, sort_by: 'patient_name-asc', ...filter })
  expect(body).toMatchObject({ status: 'OK' })
  const found = body.studies.map((one: { patient_name: string }) => one.patient_name)
  expect((await call('study/count', { sid, ...filter })).body.count).toBe(found.length)
  return found
}

it.each([
  ['%muller%', ['Anna^Muller', 'MÜLLER^ANNA', 'MULLER^BERT']],
  ['%MÜLLER%', ['Anna^Muller', 'MÜLLER^ANNA', 'MULLER^BERT']],
  ['%ülle%', ['Anna^Muller', 'MÜLLER^ANNA', 'MULLER^BERT']],
  ['%anna muller%', ['Anna^Muller', 'MÜLLER^ANNA']],
  ['%Müller, Anna%', ['Anna^Muller', 'MÜLLER^ANNA']],
  ['%muller^anna%', ['Anna^Muller', 'MÜLLER^ANNA']],
  ['%MULLER%ANNA%', ['MÜLLER^ANNA']],
  ['MUL%ANN%', ['MÜLLER^ANNA']],
  ['mul%', ['MÜLLER^ANNA', 'MULLER^BERT']],
  ['%bert', ['MULLER^BERT']],
  ['山田%', ['Yamada^Tarou=山田^太郎=やまだ^たろう']],
  ['%山田%', ['Yamada^Tarou=山田^太郎=やまだ^たろう']],
  ['%太郎%', ['Yamada^Tarou=山田^太郎=やまだ^たろう']],
  ['%やまだ%', ['Yamada^Tarou=山田^太郎=やまだ^たろう']],
  ['%berg jan%', ['VAN DER BERG^JAN^P']],
  ['%van der%jan%', ['VAN DER BERG^JAN^P']],
  ['%li%', ['LI^BO']],
  ['%bo li%', ['LI^BO']],
  ['%o_b%', ['O_BRIEN^PAT']],
  ['%obrien%', ['O_BRIEN^PAT']],
  ['%pat o-brien%', ['O_BRIEN^PAT']],
  ['OBRI%', ['O_BRIEN^PAT']],
  ['%lukasiewicz malgorzata%', ['ŁUKASIEWICZ^MAŁGORZATA']],
  ['%gulsen yildiz%', ['Yıldız^Gülşen']],
  ['%JORN STRAUSS%', ['Strauß^Jørn']],
  ['%たなか じろう%', ['ﾀﾅｶ^ｼﾞﾛｳ']],
  ['%タナカ%', ['ﾀﾅｶ^ｼﾞﾛｳ']],
  ['%oconnor%', ["O'Connor^Mary-Jane", 'O’CONNOR^SEAN']],
  ["%sean o'connor%", ['O’CONNOR^SEAN']],
  ['%o connor%', ["O'Connor^Mary-Jane", 'O’CONNOR^SEAN']],
  ['%o-conn%', ["O'Connor^Mary-Jane", 'O’CONNOR^SEAN']],
  ['%mary jane%', ["O'Connor^Mary-Jane"]],
  ['%maryjane oconnor%', ["O'Connor^Mary-Jane"]],
  ['OCONNOR%SEAN', ['O’CONNOR^SEAN']],
  ["%mary%o'connor%", []],
  ['%delacruz%', ['DE LA CRUZ^JOSE LUIS']],
  ['%luis de-la-cruz%', ['DE LA CRUZ^JOSE LUIS']],
  ['%cruzjose%', []],
  ['%nobody%', []],
])('[SEARCH-12][SEARCH-13] the name %j finds %j', async (typed, expected) => {
  expect(await namesOf({ 'filter.patient_name.like': typed })).toEqual(expected)
})

it('[SEARCH-12] compares a whole name without case and accents', async () => {
  expect(await namesOf({ 'filter.patient_name.equals': 'müller^Anna' })).toEqual(['MÜLLER^ANNA'])
  expect(await namesOf({ 'filter.patient_name.in': '["muller^anna","li^bo"]' })).toEqual(['LI^BO', 'MÜLLER^ANNA'])
})

it('[SEARCH-12] finds by one box: a name, a part of an MRN, or a whole accession number', async () => {
  expect(await namesOf({ 'filter.SMART_SEARCH.equals': 'anna muller' })).toEqual(['Anna^Muller', 'MÜLLER^ANNA'])
  expect(await namesOf({ 'filter.SMART_SEARCH.equals': 'f299' })).toEqual(['FILLER299^CASE'])
  expect(await namesOf({ 'filter.SMART_SEARCH.equals': 'FA17' })).toEqual(['FILLER17^CASE'])
})

it('refuses what is longer than any name, so that one search cannot keep the database busy', async () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`).join(' ')
  const search = async (filter: object) => (await call('study/list', { sid, ...filter })).body
  const refused = (expression: string) => ({ error_type: 'INVALID_FIELD', error_subtype: expression })
  for (const [expression, most, over] of [
    ['filter.patient_name.like', `%${words(64)}%`, `%${words(65)}%`],
    ['filter.patient_name.like', `%${words(64).replaceAll(' ', '%')}%`, `%${words(65).replaceAll(' ', '%')}%`],
    ['filter.SMART_SEARCH.equals', words(64), words(65)],
    ['filter.study_description.like', 'x'.repeat(1024), 'x'.repeat(1025)],
    ['filter.patientid.in', JSON.stringify(['x'.repeat(1024)]), JSON.stringify(['y', 'x'.repeat(1025)])],
    ['filter.tags.in', JSON.stringify(Array(5000).fill('x')), JSON.stringify(Array(5001).fill('x'))],
  ] as const) {
    expect(await search({ [expression]: most })).toMatchObject({ studies: [] })
    expect(await search({ [expression]: over })).toMatchObject(refused(expression))
  }
})

it('[SEARCH-12] takes an accession number exactly', async () => {
  expect(await namesOf({ 'filter.accession_number.equals': 'FA17' })).toEqual(['FILLER17^CASE'])
  expect(await namesOf({ 'filter.accession_number.equals': 'fa17' })).toEqual([])
  expect(await namesOf({ 'filter.accession_number.equals': 'FA1' })).toEqual(['FILLER1^CASE'])
})

const spellings = ['', '-', ' ', '_', '.', '/', '\u2010']
const spelled = (number: readonly string[]) =>
  spellings.flatMap((sign) => [number.join(sign), number.join(sign).toLowerCase(), number.join(sign).toUpperCase()])

it('finds an MRN and an accession number of every spelling by every other, and names the number alone', async () => {
  const here = await organisation.addGroup()
  const person = await organisation.addPerson({ groups: [here] })
  const mrns = spellings.map((sign) => ['Ns', '100', '234'].join(sign))
  const accessions = spellings.map((sign) => ['Acc', '2026', '7'].join(sign))
  await makeStudies(services.db, organisation.accountUuid, [
    ...mrns.map((patientid) => ({ phi_namespace: here.namespaceUuid, patientid })),
    ...accessions.map((accession_number) => ({ phi_namespace: here.namespaceUuid, accession_number })),
    { phi_namespace: here.namespaceUuid, patientid: 'NS100235', accession_number: 'ACC20268' },
    { phi_namespace: here.namespaceUuid },
  ])
  const found = async (filter: Record<string, unknown>) => {
    const { body } = await call('study/list', { sid: person.sid, 'page.rows': 100, ...filter })
    return body.studies.map(
      (one: { patientid: string; accession_number: string }) => one.patientid || one.accession_number,
    )
  }
  for (const typed of [...spelled(['Ns', '100', '234']), '100234', '100-234', '0234', 's 1002 34']) {
    expect((await found({ 'filter.SMART_SEARCH.equals': typed })).toSorted()).toEqual(mrns.toSorted())
    expect((await found({ 'filter.patientid.like': `%${typed}%` })).toSorted()).toEqual(mrns.toSorted())
  }
  for (const typed of spelled(['Acc', '2026', '7']))
    expect((await found({ 'filter.SMART_SEARCH.equals': typed })).toSorted()).toEqual(accessions.toSorted())
  expect(await found({ 'filter.SMART_SEARCH.equals': 'ns' })).toHaveLength(mrns.length + 1)
  // two letters begin a number, and an accession number is found as a whole
  for (const typed of ['34', 'acc2026']) expect(await found({ 'filter.SMART_SEARCH.equals': typed })).toEqual([])
})

const group = await organisation.addGroup()
const [special = '', other = ''] = await makeStudies(services.db, organisation.accountUuid, [
  {
    phi_namespace: group.namespaceUuid,
    patient_name: 'SPECIAL^CASE',
    patientid: 'MRN-77',
    patient_birth_date: '19800131',
    patient_sex: 'F',
    accession_number: 'ACC77',
    study_description: 'CT Thorax mit KM',
    study_date: '20260215',
    modalities: ['CT', 'SR'],
    referring_physician: 'HOUSE^GREGORY',
    source_ae_title: 'SCANNER1',
    destination_ae_title: 'HILUM',
    tags: ['Trauma'],
    thin: true,
    created: '2026-02-16 08:00:00+00',
  },
  { phi_namespace: group.namespaceUuid, patient_name: 'OTHER^CASE', created: '2026-02-17 08:00:00+00' },
])
const seeker = await organisation.addPerson({ groups: [group] })
await call('study/star', { sid: seeker.sid, uuid: special, star: 1 })
await call('study/set', { sid: seeker.sid, uuid: other, unread: 0 })
await sql`
  update study set mixed_patients = true, arrival = 'incomplete', status = 'in_progress'
  where uuid = ${special}
`.execute(services.db)
const special_uid: string = (await call('study/get', { sid: seeker.sid, uuid: special })).body.study_uid

it.each([
  ['patientid.like', '%rn-7%'],
  ['patientid.equals', 'mrn-77'],
  ['patient_birth_date.equals', '01-31-1980'],
  ['patient_birth_date.equals', '19800131'],
  ['patient_birth_date.equals', '1980-01-31'],
  ['patient_birth_date.like', '%01-31-1980%'],
  ['patient_sex.equals', 'F'],
  ['accession_number.equals', 'ACC77'],
  ['study_description.like', '%thorax%'],
  ['study_date.ge', '20260201'],
  ['modality.in', '["MR","SR"]'],
  ['modality.equals', 'ct'],
  ['referring_physician.like', '%house%'],
  ['star.equals', '1'],
  ['thin.equals', '1'],
  ['study_uid.equals', special_uid],
  ['study_uid.like', `%${special_uid.slice(12, 30)}%`],
  ['unread.equals', '1'],
  ['mixed_patients.equals', '1'],
  ['arrival.equals', 'incomplete'],
  ['arrival.in', '["incomplete","receiving"]'],
  ['arrival.not_equals', 'complete'],
  ['work_status.equals', 'in_progress'],
  ['work_status.in', '["in_progress","done"]'],
  ['uuid.equals', special],
  ['source_ae_title.like', '%scanner%'],
  ['destination_ae_title.like', '%hilum%'],
  ['tags.in', '["Trauma","Other"]'],
  ['created.lt', '20260217'],
])('[SEARCH-05][SEARCH-10][SEARCH-12][SEARCH-13][SEARCH-14] %s %j finds the one study', async (field, value) => {
  const { body } = await call('study/list', { sid: seeker.sid, [`filter.${field}`]: value })
  expect(body.studies?.map((one: { uuid: string }) => one.uuid)).toEqual([special])
})

it('[SEARCH-05][SEARCH-10] finds what has no star or is not thin, and by several fields at once', async () => {
  const ask = async (filter: object) =>
    (await call('study/list', { sid: seeker.sid, ...filter })).body.studies.map((one: { uuid: string }) => one.uuid)
  expect(await ask({ 'filter.star.equals': 0 })).toEqual([other])
  expect(await ask({ 'filter.thin.equals': 0 })).toEqual([other])
  expect(await ask({ 'filter.unread.equals': 0 })).toEqual([other])
  expect(await ask({ 'filter.mixed_patients.equals': 0 })).toEqual([other])
  expect(await ask({ 'filter.patient_name.like': '%case%', 'filter.modality.in': '["CT"]' })).toEqual([special])
  expect(await ask({ 'filter.created.ge': '20260216', 'filter.created.le': '20260217' })).toEqual([other, special])
})

it('[SEARCH-13] refuses dates that are none', async () => {
  for (const value of ['31-01', 'soon', '1980']) {
    const { body } = await call('study/list', { sid, 'filter.patient_birth_date.equals': value })
    expect(body).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'filter.patient_birth_date.equals' })
  }
})

it('[LIST-12] names sort as people read them: without case, an accented letter beside its bare one', async () => {
  const group = await organisation.addGroup()
  const reader = await organisation.addPerson({ groups: [group] })
  const names = ['Yamada^Tarou', 'van der Berg^Anna', 'ÉMILE^ZOÉ', 'Evans^Sue', 'DUPONT^JEAN', 'de la Cruz^Ana']
  await makeStudies(
    services.db,
    organisation.accountUuid,
    names.map((patient_name) => ({ phi_namespace: group.namespaceUuid, patient_name })),
  )
  const { body } = await call('study/list', { sid: reader.sid, sort_by: 'patient_name-asc' })
  expect((body.studies as { patient_name: string }[]).map((study) => study.patient_name)).toEqual([
    'de la Cruz^Ana',
    'DUPONT^JEAN',
    'ÉMILE^ZOÉ',
    'Evans^Sue',
    'van der Berg^Anna',
    'Yamada^Tarou',
  ])
})

it('[LIST-12] exams without a date come last, from the newest on and from the oldest, in one group and in several', async () => {
  const groups = [await organisation.addGroup(), await organisation.addGroup()]
  const reader = await organisation.addPerson({ groups })
  const dates = ['20250101', '', '20260101', '20230101', '', '20240101']
  await makeStudies(
    services.db,
    organisation.accountUuid,
    dates.map((study_date, index) => ({ phi_namespace: groups[index % 2]?.namespaceUuid ?? '', study_date })),
  )
  const sorted = async (sort_by: string, more: object = {}) => {
    const { body } = await call('study/list', { sid: reader.sid, sort_by, ...more })
    return (body.studies as { study_date: string }[]).map((study) => study.study_date)
  }
  expect(await sorted('study_date-asc')).toEqual(['20230101', '20240101', '20250101', '20260101', '', ''])
  expect(await sorted('study_date-desc')).toEqual(['20260101', '20250101', '20240101', '20230101', '', ''])
  const one = { 'filter.phi_namespace.equals': groups[1]?.namespaceUuid }
  expect([await sorted('study_date-asc', one), await sorted('study_date-desc', one)]).toEqual([
    ['20230101', '20240101', ''],
    ['20240101', '20230101', ''],
  ])
})
