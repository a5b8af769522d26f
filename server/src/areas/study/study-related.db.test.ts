import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies, type StudyFields } from '../../../test/make-studies.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { putSetting } from '../setting/setting.sql.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)

const jane = {
  patient_name: 'DOE^JANE',
  patientid: 'M1',
  issuer: 'HOME',
  patient_birth_date: '19800131',
  patient_sex: 'F',
}

async function makePlace(role = 'Clinician') {
  const group = await organisation.addGroup()
  const { sid } = await organisation.addPerson({ role, groups: [group] })
  const add = async (...studies: Omit<StudyFields, 'phi_namespace'>[]) =>
    makeStudies(
      services.db,
      organisation.accountUuid,
      studies.map((one) => ({ phi_namespace: group.namespaceUuid, ...one })),
    )
  return { group, sid, add }
}

it('names other studies of the same or likely the same patient, newest first, with the reasons', async () => {
  const { sid, add } = await makePlace()
  const [uuid, same, likely] = await add(
    jane,
    { ...jane, study_date: '20250101' },
    { ...jane, patientid: '', patient_name: 'Jane^Doe', study_date: '20260101' },
    { ...jane, patient_birth_date: '19550101' },
    { patient_name: 'ROE^RICHARD', patient_birth_date: '19800131', patientid: 'M9', issuer: 'HOME', patient_sex: 'M' },
  )
  const { body } = await call('study/related', { sid, uuid })
  expect(body).toMatchObject({
    status: 'OK',
    more: 0,
    related: [
      { verdict: 'likely', study: { uuid: likely, study_date: '20260101' } },
      { verdict: 'same', study: { uuid: same, patient_name: 'DOE^JANE' } },
    ],
  })
  expect(body.related).toHaveLength(2)
  expect(body.related[1].reasons).toEqual(['name-same', 'birth-date-same', 'sex-same', 'mrn-same'])
  const narrow = await call('study/related', { sid, uuid, fields: '["uuid"]' })
  expect(narrow.body.related[1].study).toEqual({ uuid: same })
})

it('[OPEN-01] names only studies that the caller may see, in all of his groups', async () => {
  const [one, other, closed] = [await makePlace(), await makePlace(), await makePlace()]
  const [uuid = ''] = await one.add(jane)
  const [elsewhere] = await other.add(jane)
  await closed.add(jane)
  const { sid } = await organisation.addPerson({ groups: [one.group, other.group] })
  const [deleted] = await one.add(jane)
  await query(`update study set deleted_at = now() where uuid = '${deleted}'`)
  const [waiting] = await one.add(jane)
  await query(`update study set must_approve = true where uuid = '${waiting}'`)
  const { related } = (await call('study/related', { sid, uuid })).body
  expect(related.map((found: { study: { uuid: string } }) => found.study.uuid)).toEqual([elsewhere])
})

it('takes the same exam in another place for no other exam, and another exam that several places show for one', async () => {
  const [here, there] = [await organisation.addGroup(), await organisation.addGroup()]
  const { sid } = await organisation.addPerson({ role: 'Clinician', groups: [here, there] })
  const [one, prior] = [
    { ...jane, study_uid: '1.2.3.91' },
    { ...jane, study_uid: '1.2.3.92', study_date: '20240101' },
  ]
  const [uuid, elsewhere, priorHere] = await makeStudies(services.db, organisation.accountUuid, [
    { phi_namespace: here.namespaceUuid, ...one },
    { phi_namespace: there.namespaceUuid, ...one },
    { phi_namespace: here.namespaceUuid, ...prior },
    { phi_namespace: there.namespaceUuid, ...prior },
  ])
  for (const asked of [uuid, elsewhere]) {
    const { related } = (await call('study/related', { sid, uuid: asked })).body
    expect(related.map(({ study }: { study: { study_uid: string } }) => study.study_uid)).toEqual(['1.2.3.92'])
  }
  const { related } = (await call('study/related', { sid, uuid })).body
  expect(related[0].study.uuid).toBe(priorHere)
})

it('[OPEN-01] neither finds nor compares by what the caller may not see', async () => {
  const { sid, add, group } = await makePlace()
  const [uuid, , byDate] = await add(
    jane,
    { ...jane, patient_birth_date: '' },
    { ...jane, patientid: 'M7', study_date: '20260101' },
  )
  const hide = (flags: object) =>
    putSetting(services.db, 'namespace', group.namespaceUuid, 'study_field_flags', JSON.stringify(flags))
  await hide({ study_field_patientid: 'H' })
  const { related } = (await call('study/related', { sid, uuid })).body
  const told = related.map((one: { study: { uuid: string }; reasons: string[] }) => [one.study.uuid, one.reasons[3]])
  expect(new Map(told).get(byDate)).toBe('mrn-unknown')
  expect(JSON.stringify(related)).not.toMatch(/mrn-(same|different|other)/)
  await hide({ study_field_patientid: 'H', study_field_patient_name: 'H', study_field_patient_birth_date: 'H' })
  expect((await call('study/related', { sid, uuid })).body.related).toEqual([])
})

it('names at most fifty, and says that there are more', async () => {
  const { sid, add } = await makePlace()
  const [uuid] = await add(jane)
  await add(...Array.from({ length: 60 }, () => jane))
  const { body } = await call('study/related', { sid, uuid })
  expect([body.related.length, body.more]).toEqual([50, 1])
})

it('knows nothing about a patient without name, number and birth date', async () => {
  const { sid, add } = await makePlace()
  const [uuid] = await add({}, {})
  expect((await call('study/related', { sid, uuid })).body).toMatchObject({ related: [], more: 0 })
})

it('counts the objects that a new MRN cannot reach', async () => {
  const { group, sid, add } = await makePlace()
  const [uuid] = await add(jane)
  const [{ study_uid = '' } = {}] = await query<{ study_uid: string }>(
    `select study_uid from study where uuid = '${uuid}'`,
  )
  const [{ key = 0 } = {}] = await query<{ key: number }>(`insert into stored_study
    (storage_namespace, study_uid, account_uuid) values ('${group.namespaceUuid}', '${study_uid}', '${organisation.accountUuid}')
    returning key`)
  const classes = ['2', '2', '104.1', '88.33', '88.67', '7', '7.4', '6.1', '77.1.4.1.1']
  for (const [index, ending] of classes.entries()) {
    await query(`insert into instance (storage_namespace, study_key, series_uid, sop_uid, version, is_primary, account_uuid,
        sha256, sop_class, transfer_syntax, length, crc32)
      values ('${group.namespaceUuid}', ${key}, '1.2', '1.2.${index}', '${randomUUID()}', true, '${organisation.accountUuid}',
        '', '1.2.840.10008.5.1.4.1.1.${ending}', '1.2.840.10008.1.2.1', 1, 0)`)
  }
  expect((await call('study/edit/limits', { sid, uuid })).body).toEqual({
    status: 'OK',
    pdf: 1,
    sr: 2,
    burned_in: 4,
    image_count: 9,
  })
})

it('[API-55] answers ROUTE_NOT_MATCHED for a route that the study does not list', async () => {
  const { sid, add } = await makePlace()
  const [uuid] = await add(jane)
  const sent = { sid, uuid, route_id: randomUUID() }
  expect((await call('study/manual/route', sent, { method: 'GET' })).body.error_type).toBe('ROUTE_NOT_MATCHED')
  expect((await call('study/manual/route', { sid, uuid })).body.error_type).toBe('MISSING_FIELDS')
})

it.each([
  [{ email: 'nobody' }, 'INVALID_EMAIL', undefined],
  [{ email: 'lee@clinic.example' }, 'INVALID_FIELD', 'email'],
  [{ message: 'For you' }, 'INVALID_FIELD', 'message'],
  [{ email: '', message: '' }, 'ROUTE_NOT_MATCHED', undefined],
])('[API-55] study/manual/route tells that nobody is mailed: %o is %s', async (more, code, field) => {
  const { sid, add } = await makePlace()
  const [uuid] = await add(jane)
  const { body } = await call('study/manual/route', { sid, uuid, route_id: randomUUID(), ...more })
  expect([body.error_type, body.error_subtype]).toEqual([code, field])
})

it.each(['study/related', 'study/edit/limits', 'study/manual/route'])(
  '[API-36] %s answers neither without a session nor for what the caller may not see, also in a bundle',
  async (path) => {
    const { sid, add } = await makePlace('Uploader')
    const [uuid = ''] = await add(jane)
    const stranger = await organisation.addPerson()
    const sent = { uuid, route_id: randomUUID() }
    expect((await call(path, sent)).status).toBe(401)
    expect((await call(path, { ...sent, sid })).body.error_type).toBe('NOT_PERMITTED')
    expect((await call(path, { ...sent, sid: stranger.sid })).body.error_type).toBe('NOT_FOUND')
    const { body } = await call('bundle', {}, { body: [{ URL: `/${path}`, ...sent, sid: stranger.sid }] })
    expect(body).toMatchObject([{ error_type: 'NOT_FOUND', HTTP_STATUS_CODE: '412' }])
  },
)
