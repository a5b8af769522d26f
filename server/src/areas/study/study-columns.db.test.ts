import { studyColumns } from '@hilum/contract/calls/study'
import { otherDicomFields, studyDicomFields } from '@hilum/contract/entities/study'
import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { putSetting } from '../setting/setting.sql.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const place = { ...group, accountUuid: organisation.accountUuid }
const { sid } = await organisation.addPerson({ groups: [group] })

/** Columns that no client names: how they are kept, or what another field stands for. */
const inner: Readonly<Record<string, string>> = {
  account_uuid: 'phi_namespace stands for it',
  search: 'patient_name stands for it',
  modalities: 'modality stands for it',
  status: 'work_status stands for it',
  demographics: 'each of its tags is a field',
  customfields: 'each is a field, customfield-{uuid}',
  tags: 'a filter of its own kind',
  edits: 'the history tells them',
  deleted_by: 'deleted_by_name is given',
  retraction_uuid: 'the study’s retraction tells it',
  covered_retractions: 'the study’s retraction tells it',
  has_waiting_shares: 'shown to those who may approve alone',
  hold: 'the operator’s',
  hold_reason: 'the operator’s',
  retain_until: 'the operator’s',
  mixed_overrule: 'how mixed_patients came about',
  gate_state: 'the gate is not there yet',
  phi_version: 'which made copies are out of date',
  complete_at: 'when the study counts as complete by itself',
  synced_at: 'when it was told that all was sent',
  synced_version: 'what was there then',
  phantom_until: 'when an announcement is swept',
}

it('[SEARCH-05] filters and sorts by every column that a study record stores', async () => {
  const stored = await query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_name = 'study'`,
  )
  const unknown = stored.map((one) => one.column_name).filter((name) => !(name in studyColumns) && !(name in inner))
  expect(unknown).toEqual([])
  expect(otherDicomFields.filter((tag) => !(tag in studyColumns))).toEqual([])
})

/** A value of each tag, in its form. */
const values: Record<string, string> = {
  patient_birth_date: '19610203',
  patient_birth_time: '0405',
  patient_sex: 'O',
  patient_age: '063Y',
  patient_weight: '71.5',
  patient_size: '1.68',
  study_date: '20260304',
  study_time: '101112',
  modality: 'XA',
}
const valueOf = (tag: string, index: number) => values[tag] ?? `VALUE ${index}`

it('[ENTITY-10][API-14] reads back every demographic that study/set or study/add writes, in get, list and by its filter', async () => {
  const sent = Object.fromEntries(studyDicomFields.map((tag, index) => [tag, valueOf(tag, index)]))
  const { uuid } = await makeStudy(services.db, place, { patient_name: 'BEFORE' })
  expect((await call('study/set', { sid, study_id: uuid, ...sent })).status).toBe(200)
  expect((await call('study/get', { sid, uuid })).body).toMatchObject(sent)

  const namespaces = { storage_namespace: group.namespaceUuid, phi_namespace: group.namespaceUuid }
  const added = (await call('study/add', { sid, study_uid: newUid(), ...namespaces, ...sent })).body.uuid
  expect((await call('study/get', { sid, uuid: added })).body).toMatchObject(sent)

  await makeStudy(services.db, place, { patient_name: 'OTHER^ONE' })
  for (const [tag, value] of Object.entries(sent)) {
    const { body } = await call('study/list', { sid, [`filter.${tag}.equals`]: value })
    expect([tag, body.studies.map((one: { uuid: string }) => one.uuid)]).toEqual([tag, [uuid]])
    expect(body.studies[0]).toMatchObject(sent)
  }
})

it('sorts by a demographic without a column, both ways', async () => {
  const own = await organisation.addGroup()
  const person = await organisation.addPerson({ groups: [own] })
  for (const patient_comments of ['b', 'c', 'a']) {
    const { uuid } = await makeStudy(services.db, { ...own, accountUuid: organisation.accountUuid })
    await call('study/set', { sid: person.sid, study_id: uuid, patient_comments })
  }
  const sorted = async (order: string) =>
    (await call('study/list', { sid: person.sid, sort_by: `patient_comments-${order}` })).body.studies.map(
      (one: { patient_comments: string }) => one.patient_comments,
    )
  expect([await sorted('asc'), await sorted('desc')]).toEqual([
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
  ])
})

it('counts the images of a study for its filters and sorts as it shows them', async () => {
  const own = await organisation.addGroup()
  const person = await organisation.addPerson({ groups: [own] })
  const uuids: string[] = []
  for (const count of [3, 1, 2]) {
    const { uuid, study_uid } = await makeStudy(services.db, { ...own, accountUuid: organisation.accountUuid })
    uuids.push(uuid)
    await query(`insert into stored_study (storage_namespace, study_uid, account_uuid, image_count, series_count, size)
      values ('${own.namespaceUuid}', '${study_uid}', '${organisation.accountUuid}', ${count}, 1, ${count * 1000})`)
  }
  const ask = async (more: object) =>
    (await call('study/list', { sid: person.sid, ...more })).body.studies.map((one: { uuid: string }) =>
      uuids.indexOf(one.uuid),
    )
  expect(await ask({ sort_by: 'image_count-asc' })).toEqual([1, 2, 0])
  expect(await ask({ sort_by: 'size-desc' })).toEqual([0, 2, 1])
  expect(await ask({ 'filter.image_count.ge': 2, sort_by: 'image_count-desc' })).toEqual([0, 2])
})

it('a role without the name sees, writes and finds none of what tells the name', async () => {
  const own = await organisation.addGroup()
  const admin = await organisation.addPerson({ role: 'Administrator', groups: [own] })
  const { uuid } = await makeStudy(services.db, { ...own, accountUuid: organisation.accountUuid })
  await call('study/set', { sid: admin.sid, study_id: uuid, patient_birthname: 'SECRET', patient_weight: '70' })
  const narrow = await organisation.addPerson({ groups: [own] })
  await putSetting(
    services.db,
    'namespace',
    own.namespaceUuid,
    'study_field_flags',
    JSON.stringify({ study_field_patient_name: 'H' }),
  )
  const { body } = await call('study/get', { sid: narrow.sid, uuid })
  expect([body.patient_birthname, body.patient_weight]).toEqual(['', '70'])
  const found = await call('study/list', { sid: narrow.sid, 'filter.patient_birthname.equals': 'SECRET' })
  expect(found.body.studies).toEqual([])
  const written = await call('study/set', { sid: narrow.sid, study_id: uuid, patient_birthname: 'X' })
  expect(written.body.error_type).toBe('NOT_PERMITTED')
})
