import { isCorpusMissing, listCorpus } from '@hilum/dicom/node/corpus'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Json, startDicomweb, valueOf } from '../../../test/dicomweb-fixture.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()
const all = ['study_upload', 'study_view'] as const

const charsets = [
  'chrH31',
  'chrGerm',
  'chrFren',
  'chrX1',
  'utf8-mixed-groups',
  'utf8-decomposed-nfd',
  'none-declared-but-utf8',
]
const inOneStudy = listCorpus('studies/ct-with-sr-seg-pr-ko-pdf/')
const study = inOneStudy[0]?.study_uid ?? ''
const files = inOneStudy.filter((file) => file.study_uid === study)
const stress = listCorpus('studies/us-stress-echo/')[0]

const names = (found: Json[]): unknown[] => found.map((one) => valueOf(one, '00100010'))

describe.skipIf(isCorpusMissing)('searching [QIDO-RS]', () => {
  let member: Member
  const ask = (path: string) => server.ask(member, `${member.namespace}/${path}`)
  const list = (path: string) => server.list(member, `${member.namespace}/${path}`)

  beforeAll(async () => {
    member = await server.addMember(all)
    await server.upload(member, [
      ...files.map((file) => file.path),
      ...charsets.map((name) => `charsets/${name}.dcm`),
      stress?.path ?? '',
    ])
    await server.query(`update study set accession_number = 'TEST-ACC-1' where study_uid = '${study}'`)
  })

  test('a study comes with every attribute that the standard demands, and its address', async () => {
    const [found] = await list(`studies?StudyInstanceUID=${study}`)
    for (const tag of '00080020 00080030 00080050 00080056 00080061 00080090 00081190 00100010 00100020 00100030 00100040 0020000D 00200010 00201206 00201208'.split(
      ' ',
    ))
      expect([tag, found?.[tag]?.vr]).toEqual([tag, expect.any(String)])
    expect([valueOf(found, '0020000D'), valueOf(found, '00201208'), valueOf(found, '00201206')]).toEqual([
      study,
      files.length,
      new Set(files.map((file) => file.series_uid)).size,
    ])
    expect(new Set(found?.['00080061']?.Value)).toEqual(new Set(files.map((file) => file.modality)))
    expect(valueOf(found, '00081190')).toBe(`${server.origin}/dicomweb/${member.namespace}/studies/${study}`)
    expect(Object.keys(found ?? {})).toEqual(Object.keys(found ?? {}).sort())
  })

  test('a referring physician is found also by letters without their strokes', async () => {
    await server.query(`update study set referring_physician = 'Łukasiewicz^Weiß' where study_uid = '${study}'`)
    for (const name of ['lukasiewicz*', 'ŁUKASIEWICZ^WEISS']) {
      const found = await list(`studies?ReferringPhysicianName=${encodeURIComponent(name)}`)
      expect(found.map((one) => valueOf(one, '0020000D'))).toEqual([study])
    }
  })

  test('a series comes with its own attributes, and with its study when the search spans studies', async () => {
    const within = await list(`studies/${study}/series?Modality=CT`)
    expect(within.map((one) => valueOf(one, '00080060'))).toEqual(['CT'])
    for (const tag of ['00080060', '00081190', '0020000E', '00200011', '00201209', '0008103E'])
      expect([tag, within[0]?.[tag]?.vr]).toEqual([tag, expect.any(String)])
    expect(within[0]?.['00100010']).toBeUndefined()
    const across = await list(`series?SeriesInstanceUID=${String(valueOf(within[0], '0020000E'))}`)
    expect([across.length, valueOf(across[0], '0020000D'), across[0]?.['00100010']?.vr]).toEqual([1, study, 'PN'])
  })

  test('an instance comes with its own attributes at each of its addresses', async () => {
    const ct = files.find((file) => file.modality === 'CT')
    const place = `studies/${study}/series/${ct?.series_uid}/instances`
    const [found] = await list(`${place}?SOPInstanceUID=${ct?.sop_uid}`)
    expect([
      valueOf(found, '00080016'),
      valueOf(found, '00080018'),
      valueOf(found, '00280010'),
      valueOf(found, '00280011'),
    ]).toEqual([ct?.sop_class, ct?.sop_uid, Number(ct?.rows), Number(ct?.columns)])
    expect([valueOf(found, '00080056'), valueOf(found, '00280100'), valueOf(found, '00083002')]).toEqual([
      'ONLINE',
      16,
      ct?.transfer_syntax,
    ])
    expect(valueOf(found, '00081190')).toBe(`${server.origin}/dicomweb/${member.namespace}/${place}/${ct?.sop_uid}`)
    expect((await list(`studies/${study}/instances`)).length).toBe(files.length)
    const [across] = await list(`instances?SOPInstanceUID=${ct?.sop_uid}`)
    expect([valueOf(across, '0020000D'), valueOf(across, '00080060')]).toEqual([study, 'CT'])
  })

  test.each([
    ['PatientName=Yamada*', [{ Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' }]],
    [
      'PatientName=%E5%B1%B1%E7%94%B0^%E5%A4%AA%E9%83%8E',
      [{ Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' }],
    ],
    ['PatientName=buc^jerome', [{ Alphabetic: 'Buc^Jérôme' }]],
    ['PatientName=AENEAS*', []],
    ['PatientName=%C3%84neas^R%C3%BCdiger', [{ Alphabetic: 'Äneas^Rüdiger' }]],
    ['PatientName=M%C3%BCller*', [{ Alphabetic: 'Müller^Zoë'.normalize('NFD') }]],
    ['PatientName=Yamada', []],
    [
      'PatientName=tarou&fuzzymatching=true',
      [{ Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' }],
    ],
    ['PatientName=rud%20ane&fuzzymatching=true', [{ Alphabetic: 'Äneas^Rüdiger' }]],
    ['PatientName=amada&fuzzymatching=true', []],
    ['PatientName=Wang^Xiao????', [{ Alphabetic: 'Wang^XiaoDong', Ideographic: '王^小東' }]],
    ['00100010=hanako*', []],
    ['00100010=*%25*', []],
  ])('%s finds names in all their groups, whatever accents and case', async (query, expected) => {
    expect(names(await list(`studies?${query}`))).toEqual(expected)
  })

  test.each([
    ['PatientID=h31example', 1],
    ['PatientID=H31*', 1],
    ['PatientID=31', 0],
    [`StudyInstanceUID=${study}\\${stress?.study_uid}`, 2],
    [`StudyInstanceUID=${study},${stress?.study_uid}`, 2],
    [`StudyInstanceUID=${study}&StudyInstanceUID=${stress?.study_uid}`, 2],
    ['ModalitiesInStudy=SEG', 1],
    ['ModalitiesInStudy=US\\SEG', 2],
    ['StudyDate=-18991231', 0],
    ['StudyDate=20991231-', 0],
    ['AccessionNumber=nothing-has-this', 0],
    ['AccessionNumber=test-acc-1', 1],
    ['PatientID=', 'every'],
    ['PatientID=*', 'every'],
  ])('%s narrows to as many studies as match', async (query, count) => {
    const found = (await list(`studies?${query}`)).length
    const everything = (await list('studies')).length
    expect(found).toBe(count === 'every' ? everything : count)
  })

  test('dates and times match alone, by range and half open', async () => {
    const [one] = await list(`studies?StudyInstanceUID=${study}`)
    const date = String(valueOf(one, '00080020'))
    const time = String(valueOf(one, '00080030'))
    const uid = `StudyInstanceUID=${study}`
    for (const [query, count] of [
      [`StudyDate=${date}`, 1],
      [`StudyDate=${date}-${date}`, 1],
      [`StudyDate=${date}-`, 1],
      [`StudyDate=-${date}`, 1],
      [`StudyDate=${Number(date) + 1}-`, 0],
      [`StudyTime=${time.slice(0, 2)}`, 1],
      [`StudyTime=${time.slice(0, 4)}-${time.slice(0, 4)}`, 1],
      [`StudyTime=-${time.slice(0, 2)}`, 1],
    ] as const)
      expect([query, (await list(`studies?${uid}&${query}`)).length]).toEqual([query, count])
  })

  test('emptyvaluematching finds what has no value', async () => {
    const found = await list('studies?AccessionNumber=%22%22&emptyvaluematching=true')
    expect(found.length).toBeGreaterThan(0)
    expect(found.every((one) => one['00080050']?.Value === undefined)).toBe(true)
  })

  test('nothing found is an empty list with status 200', async () => {
    for (const path of [
      'studies?PatientID=none',
      'studies/1.2.3/series',
      'studies/1.2.3/instances',
      'series?Modality=XX',
    ])
      expect(await list(path)).toEqual([])
  })

  test('pages by limit and offset, says in a Warning when there is more, and repeats nothing', async () => {
    const everything = (await list('studies')).map((one) => valueOf(one, '0020000D'))
    const seen: unknown[] = []
    for (let offset = 0; offset < everything.length; offset += 3) {
      const reply = await ask(`studies?limit=3&offset=${offset}`)
      seen.push(...((await reply.json()) as Json[]).map((one) => valueOf(one, '0020000D')))
      const isMore = offset + 3 < everything.length
      expect(reply.headers.get('warning')?.includes(`offset=${offset + 3}`) ?? false).toBe(isMore)
    }
    expect(seen).toEqual(everything)
    expect(await list('studies?limit=0')).toEqual([])
  })

  test('includefield adds attributes beyond the index from the header, by keyword, tag, list and all', async () => {
    const series = `studies/${study}/series`
    const [one] = await list(`${series}?Modality=CT&includefield=Manufacturer,00181030&includefield=StudyDate`)
    expect(typeof valueOf(one, '00080070')).toBe('string')
    const [every] = await list(`${series}?Modality=CT&includefield=all`)
    expect([typeof valueOf(every, '00080070'), every?.['00100010']]).toEqual(['string', undefined])
    const [instance] = await list(`studies/${study}/instances?Modality=CT&includefield=ImagePositionPatient`)
    expect(instance?.['00200032']?.Value).toHaveLength(3)
  })

  test('names in a Warning the fields that it does not give at this level, and answers all the same', async () => {
    const reply = await ask('studies?includefield=SliceThickness&includefield=NoSuchThing')
    expect(reply.status).toBe(200)
    const warning = reply.headers.get('warning') ?? ''
    for (const name of ['SliceThickness', 'NoSuchThing']) expect(warning).toContain(name)
    expect(warning.startsWith('299 ')).toBe(true)
  })

  test.each([
    'studies?ShoeSize=44',
    'studies?PatientNam=X',
    'studies?patientid=1',
    'studies?KVP=120',
    'studies?Modality=CT',
    'studies?PerformedProcedureStepStartDate=20200101',
    'studies?RequestAttributesSequence.RequestedProcedureID=1',
    'studies?00400275=1',
    'studies?00091001=1',
    'studies?7FE00010=1',
    'studies?PatientName.StudyID=1',
    'studies?x%0D%0Ay%22=1',
    'series?RequestAttributesSequence=1',
    'series?RequestAttributesSequence.NoSuchThing=1',
    'series?PerformedProcedureStepStartDate=yesterday',
    'series?PerformedProcedureStepStartDate=2020-01-01',
    'series?a.b.c=1',
    'instances?PixelData=1',
    'instances?Rows=many',
    'instances?ExposureTime=long',
  ])('never answers with all what it cannot match: %s', async (query) => {
    const reply = await ask(query)
    expect(reply.status).toBe(400)
    expect(((await reply.json()) as { error: string }).error).toMatch(/^[\w.?]+ (is no attribute|takes )/)
  })

  test('answers only as JSON', async () => {
    const get = (accept: string) => server.ask(member, `${member.namespace}/studies?limit=1`, { headers: { accept } })
    expect((await get('application/json')).headers.get('content-type')).toContain('application/json')
    expect((await get('multipart/related; type="application/dicom+xml"')).status).toBe(406)
    expect((await get('text/html, */*;q=0.1')).status).toBe(200)
    expect((await ask('studies?limit=1&accept=text/html')).status).toBe(406)
  })
})
