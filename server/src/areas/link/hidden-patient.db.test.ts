import { expect, test } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { call, query, services } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const openLink = async (url: string, password: string) =>
  (await call('link/session', { token: url.split('/link/')[1], password })).body

test('whoever does not see the patient of a request does not learn of that patient by a password of one’s own', async () => {
  const made = (
    await call('link/add', {
      sid: staff.sid,
      action: 'STUDY_UPLOAD',
      namespace_id: group.namespaceUuid,
      password: 'first-secret-91',
      patient_name: 'SECRET^SUSAN',
      patient_birth_date: '19600101',
      patientid: 'HIDDEN-7',
    })
  ).body
  expect(made.status).toBe('OK')
  const clerk = await organisation.addPerson({ role: 'Staff', groups: [group] })
  await query(`insert into setting (scope, scope_uuid, key, value) values ('role', '${organisation.roles.get('Staff')}',
    'study_field_flags', '{"study_field_patient_name":"H","study_field_patient_birth_date":"H","study_field_patientid":"H"}')`)
  const got = (await call('link/get', { sid: clerk.sid, uuid: made.uuid })).body
  expect(got.expected).toBeNull()
  const set = async (sid: string, password: string) => (await call('link/set', { sid, uuid: made.uuid, password })).body
  expect(await set(clerk.sid, 'my-own-one-92')).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect((await openLink(made.url, 'my-own-one-92')).status).toBe('ERROR')
  // without one the page shows no patient
  expect(await set(clerk.sid, '')).toMatchObject({ status: 'OK' })
  const opened = await openLink(made.url, '')
  expect(JSON.stringify((await call('link/request', { sid: opened.sid })).body)).not.toContain('SECRET^SUSAN')
  expect(await set(staff.sid, 'second-secret-93')).toMatchObject({ status: 'OK' })
})
