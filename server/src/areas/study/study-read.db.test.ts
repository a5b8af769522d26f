import { randomUUID } from 'node:crypto'
import { lockSeconds } from '@hilum/contract/limits'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies } from '../../../test/make-studies.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)

async function makePlace(count = 1, role = 'Clinician') {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role, groups: [group] })
  const uuids = await makeStudies(
    services.db,
    organisation.accountUuid,
    Array.from({ length: count }, (_, index) => ({
      phi_namespace: group.namespaceUuid,
      patient_name: `CASE${index}^A`,
      created: new Date(Date.UTC(2026, 0, 1, 12, index)).toISOString(),
    })),
  )
  return { group, person, sid: person.sid, uuids, uuid: uuids[0] ?? '' }
}

it('[API-12][LIST-02] lists by POST with filters, pages of 50 and a sort, and counts by the same filters', async () => {
  const { group, sid } = await makePlace(60)
  const filters = {
    'filter.phi_namespace.equals': group.namespaceUuid,
    'filter.patient_name.like': '%case%',
    'filter.created.ge': '2026-01-01',
    'filter.tz': 'Europe/Berlin',
  }
  const page = async (number: number) =>
    (await call('study/list', { sid, ...filters, 'page.rows': 50, 'page.number': number, sort_by: 'created-desc' }))
      .body
  const [one, two] = [await page(1), await page(2)]
  expect([one.studies.length, one.page, one.more]).toEqual([50, { more: 1, rows: 50, number: 1 }, 1])
  expect([two.studies.length, two.page, two.more]).toEqual([10, { more: 0, rows: 50, number: 2, total: 60 }, 0])
  expect([one.studies[0].patient_name, two.studies[9].patient_name]).toEqual(['CASE59^A', 'CASE0^A'])
  expect((await call('study/count', { sid, ...filters })).body).toEqual({ status: 'OK', count: 60 })
  expect((await call('study/count', { sid, ...filters, cap: 20 })).body.count).toBe(21)
})

it('[API-12] reads the days of filter.tz in that zone', async () => {
  const { sid } = await makePlace()
  await query(`update study set created = '2026-01-01 23:30:00+00' where patient_name = 'CASE0^A'`)
  const ask = async (zone: string) =>
    (await call('study/count', { sid, 'filter.created.equals': '20260102', 'filter.tz': zone })).body.count
  expect([await ask('Europe/Berlin'), await ask('UTC')]).toEqual([1, 0])
})

it('[API-13][ENTITY-10] reads one study by GET, by uuid or triplet, and only the fields asked for', async () => {
  const { group, sid, uuid } = await makePlace()
  const { body } = await call('study/get', { sid, uuid }, { method: 'GET' })
  expect(body).toMatchObject({
    uuid,
    patient_name: 'CASE0^A',
    phi_namespace: group.namespaceUuid,
    tags: [],
    customfields: [],
    permissions: { study_edit: 1, study_delete: 0 },
  })
  const triplet = { study_uid: body.study_uid, storage_namespace: group.namespaceUuid }
  expect((await call('study/get', { sid, ...triplet })).body.uuid).toBe(uuid)
  // INVALID_FIELD names filter expressions only; a name that no field has is passed over
  const unknown = await call('study/get', { sid, uuid, fields: '["no_such_field","uuid"]' })
  expect(unknown.body).toEqual({ status: 'OK', uuid })
  const narrow = await call('study/get', { sid, uuid, fields: '["uuid","star"]' })
  expect(narrow.body).toEqual({ status: 'OK', uuid, star: 0 })
})

it('calls a study by its images, also when a report came first', async () => {
  const { sid, uuid } = await makePlace()
  await query(`update study set modality = 'SR', modalities = '{CT,SR}' where uuid = '${uuid}'`)
  expect((await call('study/get', { sid, uuid })).body.modality).toBe('CT')
})

it('[API-15] takes and gives back a study by GET, and tells others that it is taken', async () => {
  const { group, sid, uuid } = await makePlace()
  const other = await organisation.addPerson({ groups: [group] })
  expect((await call('study/lock', { sid, uuid }, { method: 'GET' })).body.until).toMatch(/^\d{4}-\d{2}-\d{2} /)
  expect((await call('study/get', { sid: other.sid, uuid })).body.is_locked).toBe(1)
  expect((await call('study/get', { sid, uuid })).body.is_locked).toBe(0)
  expect((await call('study/lock', { sid: other.sid, uuid })).body.error_type).toBe('LOCKED')
  expect((await call('study/unlock', { sid: other.sid, uuid })).body.error_type).toBe('LOCKED')
  expect((await call('study/unlock', { sid, uuid }, { method: 'GET' })).body).toEqual({ status: 'OK' })
  expect((await call('study/get', { sid: other.sid, uuid })).body.is_locked).toBe(0)
})

it('takes and gives back no lock whose event cannot be written', async () => {
  const { group, sid, uuid } = await makePlace()
  const other = await organisation.addPerson({ groups: [group] })
  const isLocked = async () => (await call('study/get', { sid: other.sid, uuid })).body.is_locked
  const refuseEvents = () =>
    query(`alter table event add constraint no_event check (namespace_uuid <> '${group.namespaceUuid}') not valid`)
  const takeEvents = () => query('alter table event drop constraint no_event')
  await refuseEvents()
  try {
    expect((await call('study/lock', { sid, uuid })).status).toBe(500)
    expect(await isLocked()).toBe(0)
  } finally {
    await takeEvents()
  }
  await call('study/lock', { sid, uuid })
  await refuseEvents()
  try {
    expect((await call('study/unlock', { sid, uuid })).status).toBe(500)
    expect(await isLocked()).toBe(1)
  } finally {
    await takeEvents()
  }
})

it('a lock that is not renewed ends, and then another person may take it', async () => {
  const { group, sid, uuid } = await makePlace()
  const other = await organisation.addPerson({ groups: [group] })
  const lock = (who: string) => call('study/lock', { sid: who, uuid })
  const endLock = () => query(`update study_lock set until = now() - interval '1 second' where study_uuid = '${uuid}'`)
  await lock(sid)
  expect((await lock(other.sid)).body.error_type).toBe('LOCKED')
  const left = await query<{ seconds: number }>(
    `select extract(epoch from until - now())::float as seconds from study_lock where study_uuid = '${uuid}'`,
  )
  expect(left[0]?.seconds).toBeGreaterThan(lockSeconds - 60)
  expect(left[0]?.seconds).toBeLessThanOrEqual(lockSeconds)
  await endLock()
  expect((await call('study/get', { sid: other.sid, uuid })).body).toMatchObject({ is_locked: 0, locked_by_name: '' })
  const edit = { sid: other.sid, uuid, study_description: 'after the lock' }
  expect((await call('study/set', edit)).body.status).toBe('OK')
  expect((await lock(other.sid)).body.status).toBe('OK')
  // a holder who comes back late holds nothing, and takes nothing away
  expect((await lock(sid)).body.error_type).toBe('LOCKED')
  expect((await call('study/unlock', { sid, uuid })).body.error_type).toBe('LOCKED')
  // renewed by its holder
  await endLock()
  expect((await lock(other.sid)).body.status).toBe('OK')
})

it('[API-20][SUMMARY-02] lists the history by GET, either way round, of some actions only, in pages', async () => {
  const { sid, uuid } = await makePlace(1, 'Staff')
  for (const patientid of ['M1', 'M2', 'M3']) await call('study/set', { sid, study_id: uuid, patientid })
  await call('study/audit', { sid, uuid, action: 'STUDY_VIEW' })
  const ask = async (sent: object) => (await call('audit/object', { sid, uuid, ...sent }, { method: 'GET' })).body
  const actions = (body: { events: { action: string }[] }) => body.events.map((one) => one.action)
  expect(actions(await ask({}))).toEqual(['STUDY_VIEW', 'EDIT', 'EDIT', 'EDIT'])
  expect(actions(await ask({ reverse: 1 }))).toEqual(['EDIT', 'EDIT', 'EDIT', 'STUDY_VIEW'])
  const edits = await ask({ 'filter.action.in': '["EDIT"]', 'page.rows': 2, 'page.number': 2 })
  expect(edits.events).toMatchObject([{ action: 'EDIT', type: 'Study', what: uuid, detail: { patientid: ['', 'M1'] } }])
  expect(edits.page).toEqual({ more: 0, rows: 2, number: 2, total: 3 })
})

it('shows a deleted study’s history to who may delete it', async () => {
  const { group, sid, uuid } = await makePlace(1, 'Staff')
  const reader = await organisation.addPerson({ groups: [group] })
  await call('study/delete', { sid, uuid })
  expect((await call('audit/object', { sid, uuid })).body.events).toMatchObject([{ action: 'DELETE' }])
  expect((await call('audit/object', { sid: reader.sid, uuid })).body.error_type).toBe('NOT_FOUND')
})

it.each(['study/get', 'study/lock', 'study/unlock', 'audit/object'])(
  '[API-36] %s answers neither without a session nor for what the caller may not see, also in a bundle',
  async (path) => {
    const { uuid } = await makePlace()
    const stranger = await organisation.addPerson()
    expect((await call(path, { uuid })).status).toBe(401)
    for (const one of [uuid, randomUUID()]) {
      expect((await call(path, { sid: stranger.sid, uuid: one })).body.error_type).toBe('NOT_FOUND')
      const { body } = await call('bundle', {}, { body: [{ URL: `/${path}`, sid: stranger.sid, uuid: one }] })
      expect(body).toMatchObject([{ error_type: 'NOT_FOUND', HTTP_STATUS_CODE: '412' }])
    }
  },
)

it('tells an MRN that is another organisation’s, or of unknown origin, from one’s own', async () => {
  const { sid, uuid } = await makePlace()
  const [account] = await query<{ issuer: string }>(
    `select a.issuer from account a join study s on s.account_uuid = a.uuid where s.uuid = '${uuid}'`,
  )
  const asked = async (patientid: string, issuer: string) => {
    await query(`update study set patientid = '${patientid}', issuer = '${issuer}' where uuid = '${uuid}'`)
    return (await call('study/get', { sid, uuid, fields: '["mrn_outside"]' })).body.mrn_outside
  }
  expect(await asked('M1', 'ELSEWHERE')).toBe(1)
  expect(await asked('M1', '')).toBe(1)
  expect(await asked('M1', account?.issuer.toLowerCase() ?? '')).toBe(0)
  expect(await asked('', 'ELSEWHERE')).toBe(0)
})
