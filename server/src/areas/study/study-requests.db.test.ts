import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { putSetting } from '../setting/setting.sql.ts'
import { askDoor } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const { addGroup, addPerson } = organisation
const jane = { patient_name: 'DOE^JANE', patient_birth_date: '19800101', patient_sex: 'F' }

/** A group of its own with somebody who asks for studies, and a study that came by one of the requests. */
async function arrival(expected: Record<string, string> = jane) {
  const group = await addGroup()
  const { sid } = await addPerson({ role: 'Staff', groups: [group] })
  const ask = async (more: Record<string, string> = {}) => {
    const made = await call('link/add', { sid, namespace_id: group.namespaceUuid, action: 'STUDY_UPLOAD', ...more })
    expect(made.body).toMatchObject({ status: 'OK' })
    return { uuid: String(made.body.uuid), token: String(made.body.url).split('/link/')[1] ?? '' }
  }
  const came = await ask(expected)
  const studyUid = newUid()
  const opened = String((await call('link/session', { token: came.token })).body.sid)
  const studies = [{ study_uid: studyUid, image_count: 1 }]
  await call('link/upload/begin', { sid: opened, studies, sender: 'Harbour' })
  const image = new Uint8Array(
    madeImage({ studyUid, number: 1, patientName: 'DOE^JANE', birthDate: '19800101', sex: 'F' }),
  )
  const url = '/api/v3/storage/link/image'
  const sent = await askDoor(origin, { method: 'POST', url, query: { study_uid: studyUid }, payload: image }, opened)
  expect(sent.statusCode).toBe(202)
  const rows = await query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`)
  const uuid = rows[0]?.uuid ?? ''
  const requests = async (as = sid) => (await call('study/requests', { sid: as, uuid })).body
  return { group, sid, ask, came, uuid, requests }
}

const uuids = (links: unknown) => (links as { uuid: string }[]).map(({ uuid }) => uuid)

test('[PERM-08] a study tells by which request it came, which others expect its patient, and how many more are open', async () => {
  const { ask, came, requests, uuid } = await arrival()
  const alike = await ask({ patient_name: 'Doe^Jane', patient_birth_date: '19800101', email: 'a@clinic.example' })
  const other = await ask({ patient_name: 'ROE^RICHARD', patient_birth_date: '19510505' })
  await ask()
  const told = await requests()
  expect(uuids(told.came_by)).toEqual([came.uuid])
  expect(told.came_by).toMatchObject([{ sender: 'Harbour', arrivals: [{ study_id: uuid, verdict: 'same' }] }])
  expect(told.came_by).toMatchObject([{ arrivals: [{ patient_name: 'DOE^JANE', patient_birth_date: '19800101' }] }])
  expect(uuids(told.expecting)).toEqual([alike.uuid])
  expect(uuids(told.expecting)).not.toContain(other.uuid)
  expect(told.others).toBe(2)
})

test('[PERM-08] a request that was cancelled stays named at the study that came by it, and waits for nobody', async () => {
  const { ask, came, requests, sid } = await arrival()
  const alike = await ask(jane)
  for (const { uuid } of [came, alike]) await call('link/delete', { sid, uuid })
  expect(await requests()).toMatchObject({
    came_by: [{ uuid: came.uuid, state: 'ended', url: '' }],
    expecting: [],
    others: 0,
  })
})

test('a difference from the expected patient is told at the study', async () => {
  const { requests } = await arrival({ ...jane, patient_name: 'ROE^RICHARD', patient_sex: 'M' })
  expect(await requests()).toMatchObject({
    came_by: [{ arrivals: [{ verdict: 'different', differences: expect.arrayContaining(['name-different']) }] }],
  })
})

test('[PERM-08] requests of a place are told to nobody without the right to ask for studies, and never those of another', async () => {
  const { group, requests, uuid } = await arrival()
  const viewer = await addPerson({ role: 'Viewer', groups: [group] })
  expect(await requests(viewer.sid)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  const elsewhere = await arrival()
  expect((await call('study/requests', { sid: elsewhere.sid, uuid })).body).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(uuids((await elsewhere.requests()).expecting)).toEqual([])
})

test('whoever may not see the fields of patients is not told which requests expect this one', async () => {
  const { group, ask, requests } = await arrival()
  await ask(jane)
  const flags = JSON.stringify({ study_field_patient_name: 'H' })
  await putSetting(services.db, 'namespace', group.namespaceUuid, 'study_field_flags', flags)
  expect(await requests()).toMatchObject({
    came_by: [
      {
        expected: null,
        arrivals: [{ verdict: '', differences: [], patient_name: '', patient_birth_date: '19800101' }],
      },
    ],
    expecting: [],
    others: 1,
  })
})
