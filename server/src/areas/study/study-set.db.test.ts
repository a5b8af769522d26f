import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)

let numbers = 0
/** A number that nobody has yet: one that another test gave would be a question. */
const newMrn = () => `N-${++numbers}`

async function makePlace(role = 'Clinician') {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role, groups: [group] })
  const place = { ...group, accountUuid: organisation.accountUuid }
  const { uuid } = await makeStudy(services.db, place, { patient_name: 'DOE^JANE' })
  return { group, place, person, sid: person.sid, uuid }
}
const set = (sid: string, study_id: string, sent: object) => call('study/set', { sid, study_id, ...sent })
const get = async (sid: string, uuid: string) => (await call('study/get', { sid, uuid })).body

it('[MRN-01][API-14] changes the MRN and keeps old and new in the history', async () => {
  const { sid, uuid } = await makePlace()
  const [first, second] = [newMrn(), newMrn()]
  expect((await set(sid, uuid, { patientid: first })).body).toEqual({
    status: 'OK',
    uuid,
    row_version: expect.any(Number),
  })
  await set(sid, uuid, { patientid: second })
  expect((await get(sid, uuid)).patientid).toBe(second)
  const { events } = (await call('audit/object', { sid, uuid })).body
  expect(events).toMatchObject([
    { action: 'EDIT', detail: { patientid: [first, second] } },
    { action: 'EDIT', detail: { patientid: ['', first] } },
  ])
})

it('[MRN-01] makes a new MRN one of the account’s own, and gives the one that came its issuer back', async () => {
  const { sid, uuid } = await makePlace()
  const [came, first, second] = [newMrn(), newMrn(), newMrn()]
  await query(`update study set patientid = '${came}', issuer = 'AWAY' where uuid = '${uuid}'`)
  const read = async () => {
    const { patientid, issuer, mrn_outside } = await get(sid, uuid)
    return [patientid, issuer, mrn_outside]
  }
  expect(await read()).toEqual([came, 'AWAY', 1])
  await set(sid, uuid, { patient_sex: 'F' })
  expect(await read()).toEqual([came, 'AWAY', 1])
  await set(sid, uuid, { patientid: first })
  const [mrn, own, isOutside] = await read()
  expect([mrn, own, isOutside]).toEqual([first, expect.stringMatching(/^ORGANISATION_/), 0])
  await set(sid, uuid, { patientid: second })
  expect(await read()).toEqual([second, own, 0])
  await set(sid, uuid, { patientid: '' })
  expect(await read()).toEqual(['', '', 0])
  await set(sid, uuid, { patientid: came })
  expect(await read()).toEqual([came, 'AWAY', 1])
  const { events } = (await call('audit/object', { sid, uuid })).body
  expect(events.map((event: { detail: unknown }) => event.detail)).toEqual([
    { patientid: ['', came], issuer: ['', 'AWAY'] },
    { patientid: [second, ''], issuer: [own, ''] },
    { patientid: [first, second] },
    { patientid: [came, first], issuer: ['AWAY', own] },
    { patient_sex: ['', 'F'] },
  ])
})

it('[SEARCH-12] finds a name as it was changed', async () => {
  const { sid, uuid } = await makePlace()
  await set(sid, uuid, { patient_name: 'RÖE^JANE' })
  const { studies } = (await call('study/list', { sid, 'filter.patient_name.like': '%roe%' })).body
  expect(studies).toMatchObject([{ uuid, patient_name: 'RÖE^JANE' }])
})

it('lets a reader mark a study as read or new, for himself alone', async () => {
  const { group, sid, uuid } = await makePlace('Viewer')
  const other = await organisation.addPerson({ groups: [group] })
  expect((await get(sid, uuid)).unread).toBe(1)
  expect((await set(sid, uuid, { unread: 0 })).body.status).toBe('OK')
  expect((await get(sid, uuid)).unread).toBe(0)
  expect((await get(other.sid, uuid)).unread).toBe(1)
  const { studies } = (await call('study/list', { sid, 'filter.unread.equals': 1 })).body
  expect(studies).toEqual([])
  await set(sid, uuid, { unread: 1 })
  expect((await get(sid, uuid)).unread).toBe(1)
})

it('takes study_status_edit to take work, and editing for everything else', async () => {
  const viewer = await makePlace('Viewer')
  for (const sent of [{ work_status: 'done' }, { patientid: 'x' }, { integration_key: 'x' }]) {
    expect((await set(viewer.sid, viewer.uuid, sent)).body.error_type).toBe('NOT_PERMITTED')
  }
  const { person, sid, uuid } = await makePlace()
  await set(sid, uuid, { work_status: 'in_progress' })
  expect(await get(sid, uuid)).toMatchObject({
    work_status: 'in_progress',
    taken_by: person.userUuid,
    taken_by_name: person.name,
  })
  await set(sid, uuid, { work_status: 'in_progress' })
  await set(sid, uuid, { work_status: 'new' })
  expect(await get(sid, uuid)).toMatchObject({ work_status: 'new', taken_by: null })
  const { events } = (await call('audit/object', { sid, uuid })).body
  const changes = events.filter((one: { action: string }) => one.action === 'EDIT')
  expect(changes).toMatchObject([
    { who: person.name, detail: { work_status: ['in_progress', 'new'] } },
    { who: person.name, detail: { work_status: ['new', 'in_progress'] } },
  ])
  expect((await set(sid, uuid, { work_status: 'soon' })).body.error_type).toBe('INVALID_FIELD')
})

it('tells the version of a change, by which it is taken back unless a colleague changed the study since', async () => {
  const { sid, uuid } = await makePlace()
  const { row_version: first } = (await set(sid, uuid, { work_status: 'done' })).body
  const { row_version: second } = (await set(sid, uuid, { work_status: 'in_progress', row_version: first })).body
  expect(second).toBe(first + 1)
  expect((await set(sid, uuid, { work_status: 'new', row_version: first })).body.error_type).toBe('STALE')
  expect(await get(sid, uuid)).toMatchObject({ work_status: 'in_progress' })
})

it('lets an uploader change what he brought, when he says so', async () => {
  const { group, place } = await makePlace()
  const uploader = await organisation.addPerson({ role: 'Uploader', groups: [group] })
  const mine = await makeStudy(services.db, place, { created_by: uploader.userUuid })
  const theirs = await makeStudy(services.db, place)
  const patientid = newMrn()
  const sent = { patientid, use_upload_permission: 1 }
  expect((await set(uploader.sid, mine.uuid, { patientid })).body.error_type).toBe('NOT_PERMITTED')
  expect((await set(uploader.sid, mine.uuid, sent)).body.status).toBe('OK')
  expect((await set(uploader.sid, theirs.uuid, sent)).body.error_type).toBe('NOT_PERMITTED')
})

it('[MRN-01] refuses an edit of a study that another holds, or that changed since it was read', async () => {
  const { group, sid, uuid } = await makePlace()
  const other = await organisation.addPerson({ groups: [group] })
  const { row_version } = await get(sid, uuid)
  await call('study/lock', { sid: other.sid, uuid })
  expect((await set(sid, uuid, { patientid: newMrn() })).body.error_type).toBe('LOCKED')
  await call('study/unlock', { sid: other.sid, uuid })
  await set(other.sid, uuid, { patientid: newMrn() })
  expect((await set(sid, uuid, { patientid: newMrn(), row_version })).body.error_type).toBe('STALE')
})

it('[API-14] says which key is missing, and does not find what is not there', async () => {
  const { sid, uuid } = await makePlace()
  expect((await call('study/set', { sid, study_uid: '1.2' })).body).toMatchObject({
    error_type: 'MISSING_FIELDS',
    error_subtype: ['storage_namespace'],
  })
  expect((await set(sid, randomUUID(), { patientid: 'x' })).body.error_type).toBe('NOT_FOUND')
  expect((await call('study/set', { study_id: uuid, patientid: 'x' })).status).toBe(401)
  const items = [uuid, randomUUID()].map((study_id) => ({ URL: '/study/set', sid, study_id, patientid: 'B' }))
  expect((await call('bundle', {}, { body: items })).body).toMatchObject([
    { status: 'OK' },
    { error_type: 'NOT_FOUND' },
  ])
})

it('[API-14] says STUDY_SET_PARAMS_EMPTY when nothing is sent that could be set', async () => {
  const { sid, uuid } = await makePlace()
  for (const sent of [{}, { row_version: 1 }, { use_upload_permission: 1 }]) {
    expect((await set(sid, uuid, sent)).body).toEqual({ status: 'ERROR', error_type: 'STUDY_SET_PARAMS_EMPTY' })
  }
  const { events } = (await call('audit/object', { sid, uuid })).body
  expect(events).toEqual([])
})

it('[API-14] keeps whence and whither a study goes, its key and its expected images, and notes what changed', async () => {
  const { sid, uuid } = await makePlace()
  const sent = { integration_key: 'K7', source_ae_title: 'CT_2', destination_ae_title: 'PACS', image_count: 12 }
  expect((await set(sid, uuid, sent)).status).toBe(200)
  const { image_count, ...texts } = sent
  expect(await get(sid, uuid)).toMatchObject({ ...texts, expected_count: image_count })
  await set(sid, uuid, { image_count: 3, source_ae_title: 'CT_2' })
  expect((await get(sid, uuid)).expected_count).toBe(12)
  const { events } = (await call('audit/object', { sid, uuid })).body
  expect(events).toMatchObject([
    {
      detail: {
        integration_key: ['', 'K7'],
        source_ae_title: ['', 'CT_2'],
        destination_ae_title: ['', 'PACS'],
        expected_count: ['', 12],
      },
    },
  ])
  expect((await set(sid, uuid, { image_count: -1 })).body.error_type).toBe('INVALID_INTEGER')
})
