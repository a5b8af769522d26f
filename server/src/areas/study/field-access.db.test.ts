import { beforeEach, expect, it } from 'vitest'
import { makeOrganisation, makeStudy, type Organisation, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { putSetting } from '../setting/setting.sql.ts'

const { services, call } = await startTestApp()

let organisation: Organisation
let group: Awaited<ReturnType<Organisation['addGroup']>>
let admin: Person
let clinician: Person
let uuid: string
beforeEach(async () => {
  organisation = await makeOrganisation(services.db)
  group = await organisation.addGroup()
  admin = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  clinician = await organisation.addPerson({ role: 'Clinician', groups: [group] })
  const place = { ...group, accountUuid: organisation.accountUuid }
  uuid = (await makeStudy(services.db, place, { patient_name: 'DOE^Jane' })).uuid
  await call('study/set', { sid: admin.sid, study_id: uuid, patientid: 'M1', accession_number: 'A1', patient_sex: 'F' })
  // the account's administrators see all; in this group the namespace narrows everybody, the role clinicians
  await narrow('role', organisation.roles.get('Clinician') ?? '', {
    study_field_patientid: 'O',
    study_field_accession_number: 'H',
    study_field_patient_sex: 'R',
    study_field_patient_name: 'H',
  })
  await narrow('namespace', group.namespaceUuid, { study_field_patient_name: 'F' })
})

const narrow = (scope: 'role' | 'namespace', place: string, flags: object) =>
  putSetting(services.db, scope, place, 'study_field_flags', JSON.stringify(flags))
const get = async (sid: string) => (await call('study/get', { sid, uuid })).body
const set = async (sid: string, change: object) => (await call('study/set', { sid, study_id: uuid, ...change })).body

it('[API-13] a hidden field is empty, the namespace has the last word, and the flags come with the study', async () => {
  expect(await get(clinician.sid)).toMatchObject({
    patient_name: 'DOE^Jane',
    patientid: 'M1',
    accession_number: '',
    permissions: { study_edit: 1, study_field_patientid: 'O', study_field_accession_number: 'H' },
  })
  const { body } = await call('study/list', { sid: clinician.sid, fields: '["uuid","accession_number"]' })
  expect(body.studies).toEqual([{ uuid, accession_number: '' }])
  const seen = await get(admin.sid)
  expect(seen.accession_number).toBe('A1')
  expect(seen.permissions).not.toHaveProperty('study_field_patientid')
})

it('[SEARCH-05] what is hidden cannot be found out by searching for it', async () => {
  const count = async (sid: string, filter: object) => (await call('study/count', { sid, ...filter })).body.count
  const byNumber = { 'filter.accession_number.equals': 'A1' }
  expect(await count(admin.sid, byNumber)).toBe(1)
  expect(await count(clinician.sid, byNumber)).toBe(0)
  expect(await count(clinician.sid, { 'filter.SMART_SEARCH.equals': 'A1' })).toBe(0)
  expect(await count(clinician.sid, { 'filter.patient_name.like': '%doe%' })).toBe(1)
})

it('[API-14] refuses changes of fields that are for reading only or hidden, and clearing those that are required', async () => {
  expect(await set(clinician.sid, { patientid: 'M2', accession_number: 'A2' })).toMatchObject({
    error_type: 'NOT_PERMITTED',
    error_subtype: ['patientid', 'accession_number'],
  })
  expect(await set(clinician.sid, { patient_sex: '' })).toMatchObject({
    error_type: 'MISSING_FIELDS',
    error_subtype: ['patient_sex'],
  })
  expect(await set(clinician.sid, { patient_sex: 'M' })).toMatchObject({ status: 'OK' })
  expect(await get(admin.sid)).toMatchObject({ patientid: 'M1', accession_number: 'A1', patient_sex: 'M' })
})

it('[ENTITY-30] narrows custom fields by role, and by their own definition', async () => {
  const add = async (name: string, more: object = {}) =>
    (
      await call('customfield/add', {
        sid: admin.sid,
        account_id: organisation.accountUuid,
        object: 'Study',
        name,
        ...more,
      })
    ).body.uuid as string
  const [hidden, readOnly, required] = [await add('Secret'), await add('Team'), await add('Reason')]
  for (const [field, value] of [
    [hidden, 'x'],
    [readOnly, 'Stroke'],
  ]) {
    await set(admin.sid, { [`customfield-${field}`]: value })
  }
  await narrow('namespace', group.namespaceUuid, {
    [`study_field_customfield_${hidden}`]: 'H',
    [`study_field_customfield_${readOnly}`]: 'O',
    [`study_field_customfield_${required}`]: 'R',
  })
  const { customfields, permissions } = await get(clinician.sid)
  expect(customfields).toMatchObject([
    { name: 'Reason', required: 1 },
    { name: 'Team', value: 'Stroke', required: 0 },
  ])
  expect(permissions[`study_field_customfield_${readOnly}`]).toBe('O')
  const filter = { [`filter.customfield-${hidden}.equals`]: 'x' }
  expect((await call('study/count', { sid: clinician.sid, ...filter })).body.count).toBe(0)
  expect(await set(clinician.sid, { [`customfield-${readOnly}`]: 'y' })).toMatchObject({
    error_type: 'NOT_PERMITTED',
    error_subtype: ['Team'],
  })
  expect(await set(clinician.sid, { [`customfield-${required}`]: ' ' })).toMatchObject({
    error_type: 'MISSING_FIELDS',
    error_subtype: ['Reason'],
  })
  const history = (await call('audit/object', { sid: clinician.sid, uuid })).body.events
  expect(JSON.stringify(history)).not.toMatch(/Secret|accession_number/)
  expect(JSON.stringify(history)).toContain('Stroke')
})

it('[ENTITY-30] settings that cannot be read hide what they may have been about', async () => {
  const other = await organisation.addGroup()
  const person = await organisation.addPerson({ role: 'Administrator', groups: [other] })
  const place = { ...other, accountUuid: organisation.accountUuid }
  const study = await makeStudy(services.db, place, { patient_name: 'ROE^Sam' })
  const definition = { account_id: organisation.accountUuid, object: 'Study', name: 'Ward' }
  const field = (await call('customfield/add', { sid: admin.sid, ...definition })).body.uuid
  await set(person.sid, { study_id: study.uuid, study_description: 'Head', [`customfield-${field}`]: 'West' })
  const keep = (kept: string) => putSetting(services.db, 'namespace', other.namespaceUuid, 'study_field_flags', kept)
  const read = async () => (await call('study/get', { sid: person.sid, uuid: study.uuid })).body
  for (const kept of ['{', '7', '[]', '', 'null']) {
    await keep(kept)
    expect(await read()).toMatchObject({ patient_name: '', study_description: '', customfields: [] })
    const byName = { 'filter.patient_name.like': '%roe%' }
    expect((await call('study/count', { sid: person.sid, ...byName })).body.count).toBe(0)
    expect(await set(person.sid, { study_id: study.uuid, patient_name: 'ROE^Ann' })).toMatchObject({
      error_type: 'NOT_PERMITTED',
    })
  }
  await keep('{"study_field_patient_name":"X","unknown":"H"}')
  expect(await read()).toMatchObject({ patient_name: '', study_description: 'Head' })
  const { body } = await call('namespace/settings', { sid: person.sid, uuid: other.namespaceUuid })
  expect(body.study_field_flags).toEqual({ study_field_patient_name: 'H' })
})

it('[LIST-12] what is hidden cannot be found out by sorting by it: the newest come first, and what is seen is sorted', async () => {
  const [closed, open] = [await organisation.addGroup(), await organisation.addGroup()]
  const reader = await organisation.addPerson({ role: 'Viewer', groups: [closed, open] })
  const definition = { account_id: organisation.accountUuid, object: 'Study', name: 'Bed', type: 'number' }
  const field = `customfield-${(await call('customfield/add', { sid: admin.sid, ...definition })).body.uuid}`
  await narrow('namespace', closed.namespaceUuid, {
    study_field_accession_number: 'H',
    [`study_field_${field.replace('-', '_')}`]: 'H',
  })
  const owner = await organisation.addPerson({ role: 'Administrator', groups: [closed, open] })
  const made: string[] = []
  for (const [place, number] of [
    [closed, 2],
    [open, 8],
    [closed, 3],
    [open, 7],
    [closed, 1],
  ] as const) {
    const study = await makeStudy(services.db, { ...place, accountUuid: organisation.accountUuid }, {})
    await call('study/set', { sid: owner.sid, study_id: study.uuid, accession_number: `A${number}`, [field]: number })
    made.push(study.uuid)
  }
  const orderBy = async (sort_by: string, more: object = {}) => {
    const { body } = await call('study/list', { sid: reader.sid, sort_by, ...more })
    return (body.studies as { uuid: string }[]).map((one) => made.indexOf(one.uuid))
  }
  for (const name of ['accession_number', field]) {
    for (const direction of ['asc', 'desc']) {
      const alone = { 'filter.phi_namespace.equals': closed.namespaceUuid }
      expect(await orderBy(`${name}-${direction}`, alone), `${name} ${direction}`).toEqual([4, 2, 0])
    }
    expect(await orderBy(`${name}-asc`)).toEqual([3, 1, 4, 2, 0])
    expect(await orderBy(`${name}-desc`)).toEqual([4, 2, 0, 1, 3])
  }
})
