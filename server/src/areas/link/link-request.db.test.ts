import { createHash } from 'node:crypto'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { completeQuietStudies } from '../ingest/complete-study.command.ts'
import { sweepLinks } from './sweep-links.job.ts'
import { endAbandonedUploads } from './tell-use.command.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const [group, otherGroup] = [await organisation.addGroup(), await organisation.addGroup()]
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
const { sid } = staff

async function ask(more: Record<string, unknown> = {}) {
  const options = {
    namespace_id: group.namespaceUuid,
    action: 'STUDY_UPLOAD',
    email: 'clinic@outside.example',
    ...more,
  }
  const { body } = await call('link/add', { sid, ...options })
  expect(body).toMatchObject({ status: 'OK' })
  return { uuid: String(body.uuid), token: String(body.url).split('/link/')[1] ?? '' }
}
type Asked = Awaited<ReturnType<typeof ask>>

const tryOpen = async ({ token }: Asked, password?: string) =>
  (await call('link/session', { token, ...(password === undefined ? {} : { password }) })).body
const open = async (asked: Asked, password?: string): Promise<string> => String((await tryOpen(asked, password)).sid)
const requestOf = async ({ uuid }: Asked) => (await call('link/get', { sid, uuid })).body
const mailsTo = (recipient: string) =>
  query<{ subject: string; body: string }>(
    `select subject, body from mail where recipient = '${recipient}' order by created`,
  )
const begin = (opened: string, studyUid: string, count = 1, sender = '') =>
  call('link/upload/begin', { sid: opened, studies: [{ study_uid: studyUid, image_count: count }], sender })
const end = (opened: string, studyUid: string) => call('link/upload/end', { sid: opened, study_uid: studyUid })
const send = (opened: string | undefined, studyUid: string, image = madeImage({ studyUid, number: 1 })) =>
  askDoor(
    origin,
    {
      method: 'POST',
      url: '/api/v3/storage/link/image',
      query: { study_uid: studyUid },
      payload: new Uint8Array(image),
    },
    opened,
  )

test('[REQUEST-01][API-42][ENTITY-22][ENTITY-23] an outside party is asked by a link that ends, and the mail and the page before opening say nothing of the request', async () => {
  const asked = await ask({
    minutes_alive: 60,
    max_hits: 2,
    password: 'walrus7',
    message: ' MRI of the knee ',
    email: 'first@outside.example',
    notify: 'Kern, Anna <a@hospital.example>; <b@hospital.example>',
    patient_name: 'DOE^JANE',
    patient_birth_date: '19800101',
  })
  expect(await requestOf(asked)).toMatchObject({
    action: 'STUDY_UPLOAD',
    study_id: '',
    namespace_id: group.namespaceUuid,
    message: 'MRI of the knee',
    description: 'MRI of the knee',
    url: expect.stringContaining('/link/'),
    created: expect.any(String),
    email: 'first@outside.example',
    notify: 'a@hospital.example, b@hospital.example',
    has_password: 1,
    max_hits: 2,
    minutes_alive: 60,
    state: 'open',
    expected: { patient_name: 'DOE^JANE', patient_birth_date: '19800101' },
    arrivals: [],
  })
  const [mail] = await mailsTo('first@outside.example')
  expect(`${mail?.subject} ${mail?.body}`).not.toMatch(/doe|jane|knee|1980/i)
  const { body: status } = await call('link/status', { token: asked.token })
  expect(status).toEqual({
    status: 'OK',
    action: 'STUDY_UPLOAD',
    state: 'open',
    has_password: 1,
    password_is_dob: 0,
    pin_auth: 0,
  })
  expect(await tryOpen(asked, 'wrong77')).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  const opened = await open(asked, 'walrus7')
  expect((await call('link/request', { sid: opened })).body).toMatchObject({
    namespace_name: expect.any(String),
    message: 'MRI of the knee',
    expected: { patient_name: 'DOE^JANE' },
    studies: [],
  })
  expect((await call('link/studies', { sid: opened })).body.error_type).toBe('EXPIRED')
})

test('an expected patient is named to nobody who was asked for no password', async () => {
  const opened = await open(await ask({ patient_name: 'DOE^JANE' }))
  expect((await call('link/request', { sid: opened })).body.expected).toBeNull()
})

test("the organisation's logo and colour are told to whoever opened a link, until it ends, and to nobody else", async () => {
  const logo = 'data:image/png;base64,iVBORw0KGgo='
  const owner = await organisation.addPerson({ role: 'Administrator' })
  const brandOf = async (of: string | undefined) => (await call('link/brand', { sid: of })).body
  const asked = await ask()
  const opened = await open(asked)
  expect(await brandOf(opened)).toEqual({ status: 'OK', brand_logo: '', brand_color: '' })
  const sent = { setting_brand_logo: logo, setting_brand_color: '#2f6fb0' }
  const set = await call('account/set', { sid: owner.sid, uuid: accountUuid, ...sent })
  expect(set.body).toMatchObject({ status: 'OK' })
  expect(await brandOf(opened)).toEqual({ status: 'OK', brand_logo: logo, brand_color: '#2f6fb0' })
  for (const other of [undefined, 'made-up', sid]) expect((await brandOf(other)).error_type).toBe('EXPIRED')
  await query(`update setting set value = 'red;x' where scope_uuid = '${accountUuid}' and key = 'brand_color'`)
  expect((await brandOf(opened)).brand_color).toBe('')
  expect((await call('link/delete', { sid, uuid: asked.uuid })).body.status).toBe('OK')
  expect((await brandOf(opened)).error_type).toBe('EXPIRED')
})

test.each([
  [{ namespace_id: undefined }, 'MISSING_FIELDS'],
  [{ action: 'STUDY_VIEW' }, 'INVALID_ACTION'],
  [{ email: 'nobody' }, 'INVALID_EMAIL'],
  [{ notify: 'a@b.example, nobody' }, 'INVALID_EMAIL'],
  [{ notify: Array.from({ length: 11 }, (_, index) => `a${index}@b.example`).join() }, 'INVALID_FIELD'],
  [{ minutes_alive: 0 }, 'INVALID_FIELD'],
  [{ max_hits: -1 }, 'INVALID_FIELD'],
  [{ password: 'short' }, 'INVALID_FIELD'],
  [{ password_is_dob: 1 }, 'INVALID_FIELD'],
  [{ download: 1 }, 'INVALID_FIELD'],
  [{ patient_birth_date: '1980' }, 'INVALID_FIELD'],
  [{ patient_birth_date: '20260230' }, 'INVALID_FIELD'],
  [{ study_date: '2026' }, 'INVALID_FIELD'],
  [{ study_date: '20261301' }, 'INVALID_FIELD'],
  [{ modality: 'M/R' }, 'INVALID_FIELD'],
  [{ study_description: 'x'.repeat(201) }, 'INVALID_FIELD'],
  [{ namespace_id: otherGroup.namespaceUuid }, 'NOT_FOUND'],
  [{ namespace_id: staff.namespaceUuid }, 'INVALID_FIELD'],
  [{ sid: viewer.sid }, 'NOT_PERMITTED'],
])('a request with %j is refused: %s', async (wrong, code) => {
  const good = { sid, namespace_id: group.namespaceUuid, action: 'STUDY_UPLOAD', email: 'clinic@outside.example' }
  expect((await call('link/add', { ...good, ...wrong })).body.error_type).toBe(code)
})

test('[PERM-01] uploads studies by its own calls and door alone, and only those that it announced', async () => {
  const [asked, study] = [await ask(), newUid()]
  const opened = await open(asked)
  expect((await send(opened, study)).statusCode).toBe(400)
  expect((await begin(opened, study)).body.status).toBe('OK')
  expect((await send(opened, newUid())).statusCode).toBe(400)
  expect((await send(opened, study, madeImage({ studyUid: newUid(), number: 1 }))).statusCode).toBe(412)
  expect((await send(opened, study)).statusCode).toBe(202)
  for (const other of [undefined, 'made-up', sid]) expect((await send(other, study)).statusCode).toBe(403)
  const ownCalls = {
    'link/request': {},
    'link/upload/begin': { studies: [] },
    'link/upload/check': { images: [] },
    'link/upload/end': { study_uid: study },
  }
  for (const [path, sent] of Object.entries(ownCalls))
    expect((await call(path, { sid, ...sent })).body.error_type).toBe('EXPIRED')
  const door = { method: 'POST', url: `/api/v3/storage/namespace/${group.namespaceUuid}/image`, payload: 'x' }
  expect((await askDoor(origin, door, opened)).statusCode).toBe(403)
  for (const path of ['study/list', 'study/add', 'namespace/settings'])
    expect((await call(path, { sid: opened, uuid: group.namespaceUuid })).status).toBe(401)
})

test('tells of images only what the sender holds: by their bytes, of announced studies, never what else is there', async () => {
  const [study, number] = [newUid(), 1]
  const image = madeImage({ studyUid: study, number })
  const mine = { study_uid: study, sop_uid: `${study}.1.1`, sha256: createHash('sha256').update(image).digest('hex') }
  const door = {
    method: 'POST',
    url: `/api/v3/storage/namespace/${group.namespaceUuid}/image`,
    payload: new Uint8Array(image),
  }
  expect((await askDoor(origin, door, sid)).statusCode).toBe(202)
  const opened = await open(await ask())
  const check = async (images: object[]) => (await call('link/upload/check', { sid: opened, images })).body
  expect((await check([mine])).verdicts).toEqual(['missing'])
  await begin(opened, study)
  const other = { ...mine, sha256: '0'.repeat(64) }
  expect((await check([mine, other])).verdicts).toEqual(['have', 'missing'])
  expect((await check([{ ...mine, sha256: '' }])).error_type).toBe('INVALID_FIELD')
  const { body } = await send(opened, study, image)
  expect(JSON.parse(body)).toEqual({ study_uid: study, image_uid: mine.sop_uid, outcome: 'stored' })
})

test('whoever makes a request and names nobody to tell is told of its first image and of its end, and nobody where the list is empty', async () => {
  const [asked, quiet] = [await ask(), await ask({ notify: '' })]
  const own = (await requestOf(asked)).notify
  expect(own).toMatch(/^[^@\s,]+@[^@\s,]+$/)
  expect((await requestOf(quiet)).notify).toBe('')
  await query(`delete from mail where recipient = '${own}'`)
  for (const one of [asked, quiet]) {
    const study = newUid()
    const opened = await open(one)
    await begin(opened, study, 1)
    await send(opened, study)
    await end(opened, study)
  }
  await endAbandonedUploads(services)
  expect((await mailsTo(own)).map(({ subject }) => subject)).toEqual([
    'An exam that was asked for is arriving',
    'An exam that was asked for has arrived',
  ])
})

test('the first image and the end are told once each, by mails that name nobody, and all of it is on record', async () => {
  const [asked, study] = [await ask({ notify: 'told@hospital.example' }), newUid()]
  const opened = await open(asked)
  await begin(opened, study, 2, ' Outside Clinic ')
  await send(opened, study)
  await send(opened, study, madeImage({ studyUid: study, number: 2 }))
  expect((await mailsTo('told@hospital.example')).map(({ subject }) => subject)).toEqual([
    'An exam that was asked for is arriving',
  ])
  expect(await requestOf(asked)).toMatchObject({
    sender: 'Outside Clinic',
    arrivals: [{ image_count: 2, expected_count: 2, ended_at: null, verdict: '' }],
  })
  await end(opened, study)
  await end(opened, study)
  await endAbandonedUploads(services)
  const mails = await mailsTo('told@hospital.example')
  expect(mails.map(({ subject }) => subject)).toEqual([
    'An exam that was asked for is arriving',
    'An exam that was asked for has arrived',
  ])
  expect(mails[1]?.body).toContain(`/group/${group.groupUuid}/Pending%20Requests`)
  const [record] = await query<{ uuid: string; arrival: string; created_by: string }>(
    `select uuid, arrival, created_by from study where study_uid = '${study}'`,
  )
  expect(record).toMatchObject({ arrival: 'complete', created_by: asked.uuid })
  expect(
    await query(`select action, actor_kind, actor_name from audit where actor = '${asked.uuid}' order by id`),
  ).toEqual([
    { action: 'LINK_OPEN', actor_kind: 'link', actor_name: 'Link' },
    { action: 'STUDY_UPLOAD_START', actor_kind: 'link', actor_name: 'Link' },
    { action: 'CREATE', actor_kind: 'link', actor_name: 'Link' },
    { action: 'STUDY_UPLOAD_END', actor_kind: 'link', actor_name: 'Link' },
    { action: 'STUDY_UPLOAD_END', actor_kind: 'link', actor_name: 'Link' },
  ])
})

test('of several exams that one upload announced the end is told once, after the last, or soon after the sender stopped', async () => {
  const asked = await ask({ notify: 'several@hospital.example' })
  const told = async () => (await mailsTo('several@hospital.example')).map(({ subject }) => subject)
  const studies = Array.from({ length: 5 }, () => newUid())
  const opened = await open(asked)
  for (const study of studies) await begin(opened, study)
  for (const study of studies.slice(0, 4)) {
    await send(opened, study)
    await end(opened, study)
    await endAbandonedUploads(services)
    expect(await told()).toEqual(['An exam that was asked for is arriving'])
  }
  await send(opened, studies[4] ?? '')
  await end(opened, studies[4] ?? '')
  await endAbandonedUploads(services)
  const both = ['An exam that was asked for is arriving', 'An exam that was asked for has arrived']
  expect(await told()).toEqual(both)
  // one that is announced and left out
  const [more, never] = [newUid(), newUid()]
  for (const study of [more, never]) await begin(opened, study)
  await send(opened, more)
  await end(opened, more)
  await endAbandonedUploads(services)
  expect(await told()).toEqual(both)
  await query(
    `update link_upload set ended_at = now() - interval '61 seconds'
    where link_uuid = '${asked.uuid}' and ended_at is not null`,
  )
  for (const _time of [1, 2]) await endAbandonedUploads(services)
  expect(await told()).toEqual([...both, both[1]])
})

test('the end is told too when the sender goes away: once the study falls quiet', async () => {
  const [asked, study] = [await ask({ notify: 'patient@hospital.example' }), newUid()]
  const opened = await open(asked)
  await begin(opened, study)
  await send(opened, study)
  await endAbandonedUploads(services)
  expect(await mailsTo('patient@hospital.example')).toHaveLength(1)
  await query(`update study set arrival = 'complete', complete_at = null where study_uid = '${study}'`)
  await endAbandonedUploads(services)
  await endAbandonedUploads(services)
  expect(await mailsTo('patient@hospital.example')).toHaveLength(2)
})

test.each([
  ['goes away', () => Promise.resolve()],
  ['says that all was sent', (opened: string, study: string) => end(opened, study)],
])(
  '[REQUEST-01] what broke off when the sender %s is told as incomplete, until the rest has come',
  async (_how, stop) => {
    const notify = `part-${newUid()}@hospital.example`
    const [asked, study] = [await ask({ notify }), newUid()]
    const opened = await open(asked)
    await begin(opened, study, 2)
    await send(opened, study)
    await stop(opened, study)
    await completeQuietStudies(services, new Date(Date.now() + 600_000))
    await endAbandonedUploads(services)
    const told = async () => (await mailsTo(notify)).map(({ subject }) => subject)
    expect(await told()).toEqual(['An exam that was asked for is arriving', 'An exam that was asked for is incomplete'])
    expect((await requestOf(asked)).arrivals).toMatchObject([
      { image_count: 1, expected_count: 2, is_incomplete: 1, ended_at: expect.any(String) },
    ])
    await send(opened, study, madeImage({ studyUid: study, number: 2 }))
    expect((await requestOf(asked)).arrivals).toMatchObject([{ is_incomplete: 0, ended_at: null }])
    await end(opened, study)
    expect((await requestOf(asked)).arrivals).toMatchObject([{ image_count: 2, is_incomplete: 0 }])
    expect((await told()).at(-1)).toBe('An exam that was asked for has arrived')
  },
)

test('what broke off beside images that were there before is incomplete too', async () => {
  const study = newUid()
  const url = `/api/v3/storage/namespace/${group.namespaceUuid}/image`
  const payload = (number: number) => new Uint8Array(madeImage({ studyUid: study, number }))
  await askDoor(origin, { method: 'POST', url, payload: payload(1) }, sid)
  const asked = await ask()
  const opened = await open(asked)
  await begin(opened, study, 5)
  await send(opened, study, madeImage({ studyUid: study, number: 2 }))
  await completeQuietStudies(services, new Date(Date.now() + 600_000))
  await endAbandonedUploads(services)
  expect((await requestOf(asked)).arrivals).toMatchObject([{ image_count: 2, expected_count: 5, is_incomplete: 1 }])
})

test.each([
  ['the sender says that all was sent', (opened: string, study: string) => end(opened, study)],
  ['nothing came for a while', () => endAbandonedUploads(services)],
])(
  'what came whole beside images that were there before stays so when images are deleted or separated later, once %s',
  async (_when, stop) => {
    const study = newUid()
    const url = `/api/v3/storage/namespace/${group.namespaceUuid}/image`
    const payload = (number: number) => new Uint8Array(madeImage({ studyUid: study, number }))
    await askDoor(origin, { method: 'POST', url, payload: payload(1) }, sid)
    const asked = await ask()
    const opened = await open(asked)
    await begin(opened, study, 2)
    await send(opened, study, madeImage({ studyUid: study, number: 2 }))
    await completeQuietStudies(services, new Date(Date.now() + 600_000))
    await stop(opened, study)
    const told = async () => (await requestOf(asked)).arrivals
    expect(await told()).toMatchObject([{ image_count: 2, is_incomplete: 0 }])
    const gone = `/api/v3/storage/study/${group.namespaceUuid}/${study}`
    const [image] = await query<{ sop_uid: string }>(
      `select sop_uid from instance where study_key = (select key from stored_study where study_uid = '${study}') limit 1`,
    )
    const { sid: may } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
    const deleted = await askDoor(origin, { method: 'DELETE', url: `${gone}/image/${image?.sop_uid}` }, may)
    expect(deleted.statusCode).toBeLessThan(300)
    expect(await told()).toMatchObject([{ image_count: 1, is_incomplete: 0 }])
    // what comes afterwards is counted anew
    await begin(opened, study, 4)
    await send(opened, study, madeImage({ studyUid: study, number: 3 }))
    await end(opened, study)
    expect(await told()).toMatchObject([{ image_count: 2, is_incomplete: 1 }])
  },
)

test('a study that was there before is neither completed nor made larger by who sends into it', async () => {
  const study = newUid()
  const door = {
    method: 'POST',
    url: `/api/v3/storage/namespace/${group.namespaceUuid}/image`,
    payload: new Uint8Array(madeImage({ studyUid: study, number: 1 })),
  }
  await askDoor(origin, door, sid)
  const opened = await open(await ask())
  await begin(opened, study, 999)
  await send(opened, study, madeImage({ studyUid: study, number: 2 }))
  await end(opened, study)
  expect(await query(`select arrival, expected_count from study where study_uid = '${study}'`)).toEqual([
    { arrival: 'receiving', expected_count: null },
  ])
})

test.each([
  [{}, { verdict: 'same', differences: [] }],
  [{ patientName: 'ROE^RICHARD' }, { verdict: 'different', differences: ['name-different'] }],
  [{ birthDate: '19810203' }, { verdict: 'different', differences: ['birth-date-different'] }],
  [{ birthDate: '19800112' }, { verdict: 'likely', differences: ['birth-date-one-digit'] }],
  [{ patientId: 'ELSEWHERE-7' }, { verdict: 'same', differences: [] }],
])('an arrival of %j is compared with the expected patient: %j', async (differs, verdict) => {
  const expected = { patient_name: 'DOE^JANE', patient_birth_date: '19800102', patientid: '4711' }
  const [asked, study] = [await ask(expected), newUid()]
  const opened = await open(asked)
  await begin(opened, study)
  const patient = { patientName: 'DOE^JANE', birthDate: '19800102', patientId: '4711', ...differs }
  expect((await send(opened, study, madeImage({ studyUid: study, number: 1, ...patient }))).statusCode).toBe(202)
  expect((await requestOf(asked)).arrivals).toMatchObject([verdict])
})

test.each([
  [{}, []],
  [{ studyDate: '20260303' }, ['date']],
  [{ modality: 'CT' }, ['modality']],
  [{ studyDescription: 'MR Schaedel' }, ['description']],
  [{ studyDescription: 'Kniegelenk links' }, []],
  [{ studyDate: '20251111', modality: 'US', studyDescription: 'Abdomen' }, ['date', 'modality', 'description']],
])('[ENTITY-22] an arrival of %j is compared with the expected exam: %j', async (differs, differences) => {
  const asked = await ask({ study_date: '20260302', modality: 'mr', study_description: 'MR Knie, left knee' })
  const [opened, study] = [await open(asked), newUid()]
  expect((await call('link/request', { sid: opened })).body.expected_exam).toEqual({
    study_date: '20260302',
    modality: 'MR',
    study_description: 'MR Knie, left knee',
  })
  await begin(opened, study)
  const exam = { studyDate: '20260302', modality: 'MR', studyDescription: 'Knee left', ...differs }
  const more = [
    { tag: Tag.StudyDate, vr: 'DA', value: exam.studyDate },
    { tag: Tag.Modality, vr: 'CS', value: exam.modality },
    { tag: Tag.StudyDescription, vr: 'LO', value: exam.studyDescription },
  ] as const
  expect((await send(opened, study, madeImage({ studyUid: study, number: 1, more }))).statusCode).toBe(202)
  expect(await requestOf(asked)).toMatchObject({
    expected: null,
    arrivals: [
      {
        verdict: '',
        differences: [],
        exam_differences: differences,
        study_date: exam.studyDate,
        modality: exam.modality,
        study_description: exam.studyDescription,
      },
    ],
  })
})

test('requests that are over are listed apart: cancelled, expired, and used up once nothing is on its way', async () => {
  const place = await organisation.addGroup()
  const clerk = await organisation.addPerson({ role: 'Staff', groups: [place] })
  const askHere = (email: string, most = 1) =>
    ask({ sid: clerk.sid, namespace_id: place.namespaceUuid, email: `${email}@x.example`, max_hits: most })
  const made: Record<string, Asked> = {}
  for (const name of ['open', 'cancelled', 'expired', 'used', 'arriving']) made[name] = await askHere(name)
  const of = (name: string) => made[name] as Asked
  const list = async (more: object) => {
    const sent = { sid: clerk.sid, namespace_id: place.namespaceUuid, sort_by: 'email-asc', ...more }
    const { links } = (await call('link/list', sent)).body
    return links.map(({ email }: { email: string }) => email.split('@')[0])
  }
  await call('link/delete', { sid: clerk.sid, uuid: of('cancelled').uuid })
  await query(`update link set expires_at = now() - interval '40 days' where uuid = '${of('expired').uuid}'`)
  const [opened, study] = [await open(of('arriving')), newUid()]
  await begin(opened, study)
  await send(opened, study)
  await open(of('used'))
  expect(await list({ ended: 1 })).toEqual(['cancelled', 'expired'])
  expect(await list({ ended: 0 })).toEqual(['arriving', 'open', 'used'])
  // the browser sessions end
  for (const name of ['used', 'arriving'])
    await query(`update session set expires_at = now() where link_uuid = '${of(name).uuid}'`)
  expect(await list({ ended: 1 })).toEqual(['cancelled', 'expired', 'used'])
  await query(`update link_upload set ended_at = now() where link_uuid = '${of('arriving').uuid}'`)
  expect(await list({ ended: 1 })).toEqual(['arriving', 'cancelled', 'expired', 'used'])
  expect(await list({ ended: 0 })).toEqual(['open'])
  expect(await list({})).toEqual(['arriving', 'open', 'used'])
  // one that may be opened any number of times is never used up
  await open(await askHere('unlimited', 0))
  await query(`update session set expires_at = now() where link_uuid is not null`)
  expect(await list({ ended: 0 })).toEqual(['open', 'unlimited'])
})

test('patient and exam that were expected are erased 30 days after the end, on record without them, but not under a hold', async () => {
  const expected = { patient_name: 'DOE^JANE', patientid: 'GONE-1', study_date: '20260302', modality: 'MR' }
  const asked = {
    old: await ask(expected),
    young: await ask(expected),
    held: await ask({ ...expected, patientid: 'HELD-1' }),
  }
  const days = { old: 31, young: 29, held: 31 }
  for (const [name, { uuid }] of Object.entries(asked))
    await query(
      `update link set expires_at = now() - interval '${days[name as keyof typeof days]} days' where uuid = '${uuid}'`,
    )
  const [account] = await query<{ issuer: string }>(`select issuer from account where uuid = '${accountUuid}'`)
  await query(`insert into patient_hold (account_uuid, issuer, patientid, reason)
    values ('${accountUuid}', '${account?.issuer}', 'HELD-1', 'case')`)
  await sweepLinks(services)
  await sweepLinks(services)
  for (const name of ['young', 'held'] as const)
    expect(await requestOf(asked[name])).toMatchObject({
      expected: { patient_name: 'DOE^JANE' },
      expected_erased_at: null,
    })
  expect(await requestOf(asked.old)).toMatchObject({
    expected: null,
    expected_exam: null,
    expected_erased_at: expect.any(String),
  })
  const { old } = asked
  const rows = await query<{ actor_kind: string; detail: object }>(
    `select actor_kind, detail from audit where action = 'EXPECTED_ERASED' and detail ->> 'link' = '${old.uuid}'`,
  )
  expect(rows).toEqual([{ actor_kind: 'system', detail: { link: old.uuid } }])
})

test('who may ask for studies and see none learns that something came, and nothing of it', async () => {
  const [asked, study] = [await ask({ patient_name: 'DOE^JANE' }), newUid()]
  const opened = await open(asked)
  await begin(opened, study)
  await send(opened, study)
  await query(`update study set must_approve = true where study_uid = '${study}'`)
  const nothing = { study_id: '', verdict: '', patient_name: '', patient_birth_date: '', study_date: '' }
  expect((await requestOf(asked)).arrivals).toMatchObject([{ ...nothing, image_count: 1 }])
})

test('[API-43][LIST-13] the requests of a namespace or an account are listed in the four orders, without the cancelled', async () => {
  const place = await organisation.addGroup()
  const clerk = await organisation.addPerson({ role: 'Staff', groups: [place] })
  const made: Asked[] = []
  for (const email of ['b@x.example', 'a@x.example', 'c@x.example'])
    made.push(await ask({ sid: clerk.sid, namespace_id: place.namespaceUuid, email }))
  const list = async (more: object) =>
    (await call('link/list', { sid: clerk.sid, ...more })).body.links.map(({ email }: { email: string }) => email[0])
  const here = { namespace_id: place.namespaceUuid }
  expect(await list({ ...here, sort_by: 'created-asc' })).toEqual(['b', 'a', 'c'])
  expect(await list({ ...here, sort_by: 'created-desc' })).toEqual(['c', 'a', 'b'])
  expect(await list({ ...here, sort_by: 'email-asc' })).toEqual(['a', 'b', 'c'])
  expect(await list({ ...here, sort_by: 'email-desc' })).toEqual(['c', 'b', 'a'])
  const ofAccount = { account_id: accountUuid, 'filter.namespace_id.equals': place.namespaceUuid, sort_by: 'email-asc' }
  expect(await list(ofAccount)).toEqual(['a', 'b', 'c'])
  expect((await call('link/list', { sid, ...here })).body.error_type).toBe('NOT_FOUND')
  expect((await call('link/list', { sid: viewer.sid, account_id: accountUuid })).body.error_type).toBe('NOT_PERMITTED')
  expect((await call('link/list', { sid, ...here, account_id: accountUuid })).body.error_type).toBe('INVALID_FIELD')
  expect((await call('link/delete', { sid: clerk.sid, uuid: made[1]?.uuid })).body.status).toBe('OK')
  expect(await list(here)).toEqual(['c', 'b'])
})

test('cancelling cuts the upload under way, and can be taken back for a while, with the same address', async () => {
  const [asked, study] = [await ask(), newUid()]
  const { url } = await requestOf(asked)
  const opened = await open(asked)
  await begin(opened, study)
  await call('link/delete', { sid, uuid: asked.uuid })
  expect((await requestOf(asked)).url).toBe('')
  expect((await send(opened, study)).statusCode).toBe(403)
  expect((await end(opened, study)).body.error_type).toBe('EXPIRED')
  expect(await tryOpen(asked)).toMatchObject({ error_type: 'EXPIRED', error_subtype: 'ended' })
  expect((await call('link/mail', { sid, uuid: asked.uuid })).body.error_type).toBe('EXPIRED')
  expect((await call('link/set', { sid, uuid: asked.uuid, restore: 1 })).body.status).toBe('OK')
  expect((await requestOf(asked)).url).toBe(url)
  expect((await send(opened, study)).statusCode).toBe(202)
  await call('link/delete', { sid, uuid: asked.uuid })
  await query(`update link set ended_at = now() - interval '11 minutes' where uuid = '${asked.uuid}'`)
  expect((await call('link/set', { sid, uuid: asked.uuid, restore: 1 })).body.error_type).toBe('EXPIRED')
})

test('a request is extended and mailed again, and ends with its time, its uses and its passwords', async () => {
  const asked = await ask({ email: 'again@outside.example', password: 'walrus7', max_hits: 1 })
  await query(`update mail set sent_at = now() where recipient = 'again@outside.example'`)
  // the second time the mail before still waits, and is replaced
  for (const _ of ['after it was sent', 'while it waits']) {
    expect((await call('link/mail', { sid, uuid: asked.uuid })).body.status).toBe('OK')
    expect(await mailsTo('again@outside.example')).toHaveLength(2)
  }
  expect((await call('link/mail', { sid: viewer.sid, uuid: asked.uuid })).body.error_type).toBe('NOT_PERMITTED')
  for (let tries = 0; tries < 5; tries++) await tryOpen(asked, 'wrong77')
  expect(await tryOpen(asked, 'walrus7')).toMatchObject({ error_type: 'LOCKOUT' })
  await call('link/set', { sid, uuid: asked.uuid, unlock: 1 })
  const opened = await open(asked, 'walrus7')
  expect(await tryOpen(asked, 'walrus7')).toMatchObject({ error_type: 'EXPIRED', error_subtype: 'used' })
  await query(`update link set expires_at = now() - interval '1 second' where uuid = '${asked.uuid}'`)
  const study = newUid()
  expect((await begin(opened, study)).body.error_type).toBe('EXPIRED')
  expect((await requestOf(asked)).state).toBe('expired')
  await call('link/set', { sid, uuid: asked.uuid, minutes_left: 60, max_hits: 2 })
  expect((await begin(opened, study)).body.status).toBe('OK')
})

test('the opening of a link to a study is told to those whom its maker named', async () => {
  const study = newUid()
  const opened = await open(await ask())
  await begin(opened, study)
  await send(opened, study)
  const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${study}'`)
  const options = { study_id: row?.uuid, action: 'STUDY_VIEW', notify: 'opened@hospital.example' }
  const { body } = await call('link/add', { sid, ...options })
  expect(await mailsTo('opened@hospital.example')).toHaveLength(0)
  await tryOpen({ uuid: body.uuid, token: String(body.url).split('/link/')[1] ?? '' })
  const mails = async () => (await mailsTo('opened@hospital.example')).map((mail) => mail.body)
  expect(await mails()).toEqual([expect.stringContaining('A link to an exam was opened.')])
  // whoever has the address opens it as often as the person likes: once in an hour is told, with the number since
  const move = (by: string) =>
    query(`update link_use set opened_at = now() + interval '${by}' where link_uuid = '${body.uuid}'`)
  const again = () => tryOpen({ uuid: body.uuid, token: String(body.url).split('/link/')[1] ?? '' })
  await move('10 minutes')
  for (const _time of [1, 2]) expect((await again()).status).toBe('OK')
  expect(await mails()).toHaveLength(1)
  await move('-2 hours')
  expect((await again()).status).toBe('OK')
  expect(await mails()).toHaveLength(2)
  expect((await mails()).at(-1)).toContain('A link to an exam was opened, and 2 more times after the mail before')
})

test('whoever began the last use of a request goes on with it from the same browser, by the password, until that session ends', async () => {
  const asked = await ask({ password: 'walrus7', max_hits: 1 })
  const first = await open(asked, 'walrus7')
  const again = createHash('sha256').update(first).digest('hex')
  const goOn = async (password: string, from = again) =>
    (await call('link/session', { token: asked.token, password, again: from })).body
  const stateFor = async (from: string) =>
    (await call('link/status', { token: asked.token, again: from })).body['state']
  expect([await stateFor(again), await stateFor('0'.repeat(64)), await stateFor('x')]).toEqual(['open', 'used', 'used'])
  // the digest alone opens nothing, nor does that of a session of another request
  expect(await goOn('wrong')).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  const other = await open(await ask({ password: 'walrus7' }), 'walrus7')
  expect(await goOn('walrus7', createHash('sha256').update(other).digest('hex'))).toMatchObject({
    error_type: 'EXPIRED',
    error_subtype: 'used',
  })
  const opened = await goOn('walrus7')
  const studyUid = newUid()
  expect((await begin(String(opened['sid']), studyUid)).body).toMatchObject({ status: 'OK' })
  expect((await send(String(opened['sid']), studyUid)).statusCode).toBe(202)
  // no use is counted, and the end stays that of the first session
  const [link] = await query<{ hits: number }>(`select hits from link where uuid = '${asked.uuid}'`)
  expect(link).toEqual({ hits: 1 })
  const ends = await query(`select distinct expires_at from session where link_uuid = '${asked.uuid}'`)
  expect(ends).toHaveLength(1)
  await query(`update session set expires_at = now() where link_uuid = '${asked.uuid}'`)
  expect(await goOn('walrus7')).toMatchObject({ error_type: 'EXPIRED', error_subtype: 'used' })
})

test('a use of a request goes on without another code, and never once the request was cancelled', async () => {
  const asked = await ask({ max_hits: 1 })
  const again = createHash('sha256')
    .update(await open(asked))
    .digest('hex')
  await query(`update link set pin_auth = true where uuid = '${asked.uuid}'`)
  const goOn = async () => (await call('link/session', { token: asked.token, again })).body
  expect(await goOn()).toMatchObject({ status: 'OK', action: 'STUDY_UPLOAD' })
  await call('link/delete', { sid, uuid: asked.uuid })
  expect(await goOn()).toMatchObject({ error_type: 'EXPIRED', error_subtype: 'ended' })
})
