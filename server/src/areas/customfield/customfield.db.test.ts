import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { ensureGateFields } from '../nomination/gate-fields.sql.ts'
import { putSetting } from '../setting/setting.sql.ts'

const { services, call, query } = await startTestApp()

/** An account with a group, its administrator and one study. */
async function makePlace() {
  const organisation = await makeOrganisation(services.db)
  const group = await organisation.addGroup()
  const admin = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const { accountUuid } = organisation
  const addStudy = async () => (await makeStudy(services.db, { ...group, accountUuid })).uuid
  return { organisation, group, accountUuid, sid: admin.sid, addStudy, uuid: await addStudy() }
}
type Place = Awaited<ReturnType<typeof makePlace>>

async function addField({ sid, accountUuid }: Place, more: object): Promise<string> {
  const { body } = await call('customfield/add', { sid, account_id: accountUuid, object: 'Study', ...more })
  expect(body.status).toBe('OK')
  return body.uuid
}
const setField = (sid: string, study_id: string, field: string, value: unknown) =>
  call('study/set', { sid, study_id, [`customfield-${field}`]: value })
const valuesOf = async (sid: string, uuid: string) =>
  Object.fromEntries(
    (await call('study/get', { sid, uuid })).body.customfields.map((one: { name: string; value: string }) => [
      one.name,
      one.value,
    ]),
  )

it('[API-56][ENTITY-30] defines, reads, lists, changes, finds and removes custom fields', async () => {
  const place = await makePlace()
  const { sid, accountUuid } = place
  const uuid = await addField(place, {
    name: 'Priority',
    type: 'select',
    required: 1,
    options: JSON.stringify({ values: ['routine', 'urgent'], field_label: 'How soon' }),
    ui_json: { show_on_pages: ['exchange'] },
    dicom_tag: '00401003',
  })
  await addField(place, { name: 'Bed', object: 'Patient' })
  const read = (await call('customfield/get', { sid, uuid })).body
  expect(read).toMatchObject({
    status: 'OK',
    uuid,
    name: 'Priority',
    object: 'Study',
    type: 'select',
    required: 1,
    options: { values: ['routine', 'urgent'], field_label: 'How soon' },
    ui_json: { show_on_pages: ['exchange'] },
    dicom_tag: '00401003',
    load_hl7: 0,
  })
  const list = { sid, account_id: accountUuid, 'filter.object.equals': 'Study', 'filter.uuid.in': `["${uuid}"]` }
  expect((await call('customfield/list', list, { method: 'GET' })).body).toMatchObject({
    customfields: [{ uuid, name: 'Priority' }],
    page: { more: 0, number: 1 },
  })
  await call('customfield/set', { sid, uuid, name: 'Urgency', required: 0 })
  expect((await call('customfield/get', { sid, uuid })).body).toMatchObject({ ...read, name: 'Urgency', required: 0 })
  expect((await call('customfield/lookup', { sid, account_id: accountUuid, name: 'urgency' })).body).toEqual({
    status: 'OK',
    uuid,
    object: 'Study',
    type: 'select',
  })
  await call('customfield/delete', { sid, uuid })
  expect((await call('customfield/get', { sid, uuid })).body.error_type).toBe('NOT_FOUND')
  expect((await call('customfield/list', list)).body.customfields).toEqual([])
})

it('[ENTITY-10][ENTITY-30] gives every field of a study, those without a value too, in the order of display', async () => {
  const place = await makePlace()
  const second = await addField(place, { name: 'Comment', type: 'memo', display_order: 2 })
  const first = await addField(place, { name: 'Team', display_order: 1 })
  await setField(place.sid, place.uuid, second, 'line one\nline two')
  const { body } = await call('study/get', { sid: place.sid, uuid: place.uuid, customfield_h: 1 })
  expect(body.customfields).toEqual([
    { uuid: first, name: 'Team', type: 'text', value: '', required: 0, options: null, ui_json: null },
    {
      uuid: second,
      name: 'Comment',
      type: 'memo',
      value: 'line one\nline two',
      required: 0,
      options: null,
      ui_json: null,
    },
  ])
  expect(body.customfield_h).toEqual({ [first]: '', [second]: 'line one\nline two' })
  const listed = (await call('study/list', { sid: place.sid, fields: '["customfields"]' })).body.studies
  expect(listed).toEqual([{ customfields: body.customfields }])
  expect((await call('study/get', { sid: place.sid, uuid: place.uuid })).body).not.toHaveProperty('customfield_h')
})

it('[ENTITY-30] shows an account’s fields on its own studies only', async () => {
  const [one, other] = [await makePlace(), await makePlace()]
  await addField(one, { name: 'Ours' })
  expect(await valuesOf(other.sid, other.uuid)).toEqual({})
  const foreign = await addField(one, { name: 'Second' })
  expect((await setField(other.sid, other.uuid, foreign, 'x')).body.error_type).toBe('INVALID_CUSTOMFIELD')
})

it('[API-14] sets and clears a value, and keeps old and new in the history by the field’s name', async () => {
  const place = await makePlace()
  const field = await addField(place, { name: 'Team' })
  await setField(place.sid, place.uuid, field, 'Neurology')
  expect(await valuesOf(place.sid, place.uuid)).toEqual({ Team: 'Neurology' })
  await setField(place.sid, place.uuid, field, '')
  expect(await valuesOf(place.sid, place.uuid)).toEqual({ Team: '' })
  const { events } = (await call('audit/object', { sid: place.sid, uuid: place.uuid })).body
  expect(events.map((one: { detail: unknown }) => one.detail)).toEqual([
    { Team: ['Neurology', ''] },
    { Team: ['', 'Neurology'] },
  ])
})

it.each([
  ['number', {}, '12.5', 'twelve'],
  ['date', {}, '2026-02-28', '2026-02-30'],
  ['date', { forbid_future_dates: 1 }, '2020-01-01', '2999-01-01'],
  ['text', { max_length: 3 }, 'abc', 'abcd'],
  ['text', {}, 'plain', 'a\nb'],
  ['memo', {}, 'a\nb', 'a\u0007b'],
  ['select', { values: ['a', 'b'] }, 'b', 'c'],
  ['radio', { values: ['a', 'b'] }, 'a', 'A'],
  ['multiselect', { values: ['a', 'b', 'c'] }, 'a,c', 'a,d'],
  ['picker', { values: 'a,b' }, 'b', 'x'],
  ['checkbox', {}, '1', 'yes'],
  ['bool', {}, '0', '2'],
])('[ENTITY-30] a %s field with %j takes %j and refuses %j, naming the field', async (type, options, good, bad) => {
  const place = await makePlace()
  const field = await addField(place, { name: 'Field', type, options })
  expect((await setField(place.sid, place.uuid, field, good)).body.status).toBe('OK')
  const refused = (await setField(place.sid, place.uuid, field, bad)).body
  expect(refused.error_type).toBe('INVALID_CUSTOMFIELD')
  expect(refused.error_subtype).toEqual([expect.stringMatching(/^Field: /)])
  expect(await valuesOf(place.sid, place.uuid)).toEqual({ Field: good })
})

it('[ENTITY-30] does not clear a required field, and names every fault at once', async () => {
  const place = await makePlace()
  const required = await addField(place, { name: 'Reason', required: 1 })
  const number = await addField(place, { name: 'Weight', type: 'number' })
  const sent = {
    [`customfield-${required}`]: ' ',
    [`customfield-${number}`]: 'x',
    [`customfield-${randomUUID()}`]: 'x',
  }
  const { body } = await call('study/set', { sid: place.sid, study_id: place.uuid, ...sent })
  expect(body.error_type).toBe('INVALID_CUSTOMFIELD')
  expect(body.error_subtype).toHaveLength(3)
})

it('[API-39] takes values with a new study', async () => {
  const place = await makePlace()
  const field = await addField(place, { name: 'Team' })
  const add = (study_uid: string, value: string) =>
    call('study/add', {
      sid: place.sid,
      study_uid,
      storage_namespace: place.group.namespaceUuid,
      phi_namespace: place.group.namespaceUuid,
      [`customfield-${field}`]: value,
    })
  const { uuid } = (await add('1.2.826.1', 'Stroke')).body
  expect(await valuesOf(place.sid, uuid)).toEqual({ Team: 'Stroke' })
  expect((await add('1.2.826.2', 'a\u0007')).body.error_type).toBe('INVALID_CUSTOMFIELD')
})

it('[SEARCH-05] finds and sorts studies by a custom field', async () => {
  const place = await makePlace()
  const { sid } = place
  const number = await addField(place, { name: 'Score', type: 'number' })
  const team = await addField(place, { name: 'Team' })
  const uuids = [place.uuid, await place.addStudy(), await place.addStudy()]
  for (const [index, value] of ['9', '10', ''].entries()) {
    await setField(sid, uuids[index] as string, number, value)
    await setField(sid, uuids[index] as string, team, ['Stroke', 'stroke unit', ''][index])
  }
  const ask = async (sent: object) =>
    (await call('study/list', { sid, ...sent })).body.studies.map((one: { uuid: string }) => uuids.indexOf(one.uuid))
  expect(await ask({ sort_by: `customfield-${number}-asc` })).toEqual([2, 0, 1])
  expect(await ask({ sort_by: `customfield-${number}-desc` })).toEqual([1, 0, 2])
  expect(await ask({ [`filter.customfield-${number}.gt`]: 9 })).toEqual([1])
  expect(await ask({ sort_by: `customfield-${number.toUpperCase()}-desc` })).toEqual([1, 0, 2])
  expect(await ask({ [`filter.customfield-${number.toUpperCase()}.gt`]: 9 })).toEqual([1])
  expect(await ask({ [`filter.customfield-${team}.equals`]: 'Stroke' })).toEqual([0])
  expect(await ask({ [`filter.customfield-${team}.equals`]: '' })).toEqual([2])
  expect(await ask({ [`filter.customfield-${team}.like`]: '%UNIT%' })).toEqual([1])
  expect((await ask({ [`filter.customfield-${team}.in`]: '["Stroke","stroke unit"]' })).toSorted()).toEqual([0, 1])
  const unknown = `customfield-${randomUUID()}`
  expect((await call('study/list', { sid, sort_by: `${unknown}-asc` })).body.error_type).toBe('INVALID_SORT_FIELD')
  expect((await call('study/count', { sid, [`filter.${unknown}.equals`]: 1 })).body.error_type).toBe('INVALID_FIELD')
})

it('reads the definitions of a page of studies in one question', async () => {
  const place = await makePlace()
  await addField(place, { name: 'Team' })
  for (let index = 0; index < 20; index++) await place.addStudy()
  const { body } = await call('study/list', { sid: place.sid, 'page.rows': 50 })
  expect(body.studies).toHaveLength(21)
  expect(body.studies.every((one: { customfields: unknown[] }) => one.customfields.length === 1)).toBe(true)
})

it('[ENTITY-30] refuses definitions that make no sense', async () => {
  const { sid, accountUuid } = await makePlace()
  const add = async (more: object) =>
    (await call('customfield/add', { sid, account_id: accountUuid, name: 'x', object: 'Study', ...more })).body
      .error_type
  expect(await add({ name: '' })).toBe('MISSING_FIELDS')
  expect(await add({ object: 'Elephant' })).toBe('INVALID_OBJECT')
  expect(await add({ type: 'elephant' })).toBe('INVALID_TYPE')
  expect(await add({ required: 'maybe' })).toBe('INVALID_FLAG')
  expect(await add({ display_order: 'first' })).toBe('INVALID_INTEGER')
  expect(await add({ options: '{' })).toBe('INVALID_JSON')
  expect(await add({ type: 'select' })).toBe('INVALID_OPTIONS')
  expect(await add({ type: 'radio', options: { values: [] } })).toBe('INVALID_OPTIONS')
  expect(await add({ options: { values: 7 } })).toBe('INVALID_OPTIONS')
  expect(await add({ ui_json: { show_on_pages: 7 } })).toBe('INVALID_FIELD')
  expect(await add({ name: 'x'.repeat(201) })).toBe('INVALID_FIELD')
})

it('lets only who may edit define fields, and does not find those of others', async () => {
  const place = await makePlace()
  const uuid = await addField(place, { name: 'Team' })
  const viewer = await place.organisation.addPerson({ role: 'Viewer', groups: [place.group] })
  const stranger = await (await makeOrganisation(services.db)).addPerson({ role: 'Administrator' })
  const add = { account_id: place.accountUuid, name: 'x', object: 'Study' }
  for (const [path, sent] of [
    ['customfield/add', add],
    ['customfield/set', { uuid, name: 'x' }],
    ['customfield/delete', { uuid }],
  ] as const) {
    expect((await call(path, sent)).status).toBe(401)
    expect((await call(path, { ...sent, sid: viewer.sid })).body.error_type).toBe('NOT_PERMITTED')
    // what is added names the account, as the public API does; the account itself is not found
    const missing = path === 'customfield/add' ? 'ACCOUNT_NOT_FOUND' : 'NOT_FOUND'
    expect((await call(path, { ...sent, sid: stranger.sid })).body.error_type).toBe(missing)
  }
  expect((await call('customfield/get', { sid: viewer.sid, uuid })).body.name).toBe('Team')
  expect((await call('customfield/get', { sid: stranger.sid, uuid })).body.error_type).toBe('NOT_FOUND')
  expect((await setField(viewer.sid, place.uuid, uuid, 'x')).body.error_type).toBe('NOT_PERMITTED')
})

it('[API-36] works in a bundle', async () => {
  const { sid, accountUuid, uuid } = await makePlace()
  const { body } = await call(
    'bundle',
    {},
    {
      body: [
        { URL: '/customfield/add', sid, account_id: accountUuid, name: 'Team', object: 'Study' },
        { URL: '/customfield/set', sid, uuid: '{{uuid}}', name: 'Ward' },
        { URL: '/customfield/list', sid, account_id: accountUuid },
        { URL: '/study/get', sid, uuid },
      ],
    },
  )
  expect(body).toMatchObject([
    { status: 'OK' },
    { status: 'OK' },
    { customfields: [{ name: 'Ward' }] },
    { customfields: [{ name: 'Ward', value: '' }] },
  ])
})

it.each([
  ['00100020', 'text', 'M-1', 'a\\b', 'backslash'],
  ['(0008,0050)', 'text', 'ACC-1', 'x'.repeat(17), '16 characters'],
  ['PatientBirthDate', 'date', '1970-02-28', '', ''],
  ['00101030', 'number', '71.5', '1'.repeat(17), '16 characters'],
  ['00081030', 'memo', 'one line', 'two\nlines', 'line break'],
  ['00104000', 'memo', 'a text', 'M\ufffdller', 'could not be read'],
  ['0008,0060', 'multiselect', 'CT,MR', 'ct', 'capital letters'],
])('a field mapped to %s holds what that attribute holds', async (dicom_tag, type, good, bad, reason) => {
  const place = await makePlace()
  const options = type === 'multiselect' ? { values: ['CT', 'MR', 'ct'] } : {}
  const field = await addField(place, { name: 'Mapped', type, options, dicom_tag })
  expect((await setField(place.sid, place.uuid, field, good)).body.status).toBe('OK')
  if (bad === '') return
  const refused = (await setField(place.sid, place.uuid, field, bad)).body
  expect(refused).toMatchObject({ error_type: 'INVALID_CUSTOMFIELD', error_subtype: [expect.stringContaining(reason)] })
})

it.each(['no tag', '00091001', '7FE00010', '00081140'])('a field is not mapped to %s', async (dicom_tag) => {
  const place = await makePlace()
  const { body } = await call('customfield/add', {
    sid: place.sid,
    account_id: place.accountUuid,
    name: 'Mapped',
    object: 'Study',
    type: 'text',
    dicom_tag,
  })
  expect(body).toMatchObject({ error_type: 'INVALID_DICOM_TAG', error_subtype: 'dicom_tag' })
})

it('tells how many studies have a value, and the forms and rules that name a field', async () => {
  const place = await makePlace()
  const { sid, accountUuid, group } = place
  const usageOf = async (uuid: string) => (await call('customfield/usage', { sid, uuid })).body
  const field = await addField(place, { name: 'Team' })
  expect(await usageOf(field)).toEqual({ status: 'OK', filled: 0, forms: [], rules: [], gate: 0 })
  const other = await place.addStudy()
  for (const uuid of [place.uuid, other]) await setField(sid, uuid, field, 'Neurology')
  await setField(sid, other, field, '')
  const inbox_config = { pacs_form_customfields: [field] }
  const named = await call('group/set', { sid, uuid: group.groupUuid, inbox_config })
  expect(named.body.status).toBe('OK')
  const rule = await call('route/add', {
    sid,
    namespace_id: group.namespaceUuid,
    name: 'Team to PACS',
    conditions: [{ lv: `customfield-${field}`, op: 'equals', rv: 'Neurology' }],
    actions: [{ namespace: (await place.organisation.addGroup()).namespaceUuid }],
    on_upload: 1,
  })
  expect(rule.body).toEqual({ status: 'OK', uuid: expect.any(String) })
  expect(await usageOf(field)).toMatchObject({ filled: 1, forms: [expect.any(String)], rules: ['Team to PACS'] })
  // settings that a program wrote, and nobody can read, ask for nothing
  const broken = await place.organisation.addGroup()
  await putSetting(
    services.db,
    'namespace',
    broken.namespaceUuid,
    'inbox_config',
    `{"pacs_form_customfields": ["${field}"`,
  )
  expect(await usageOf(field)).toMatchObject({ status: 'OK', forms: [expect.any(String)] })
  // neither the rule nor the form would mean the same without it
  expect((await call('customfield/delete', { sid, uuid: field })).body).toMatchObject({
    error_type: 'IN_USE',
    error_data: { routes: ['Team to PACS'], groups: [expect.any(String)] },
  })
  expect((await call('customfield/get', { sid, uuid: field })).body.status).toBe('OK')
  const order = await addField(place, { name: 'Bed', object: 'Order' })
  await call('order/add', { sid, account_id: accountUuid, patientid: 'M1', [`customfield-${order}`]: '12' })
  expect(await usageOf(order)).toMatchObject({ filled: 1, forms: [], rules: [] })
})

it('does not remove a field that nominations write', async () => {
  const place = await makePlace()
  const { sid, accountUuid } = place
  const uuid = (await ensureGateFields(services.db, accountUuid))['priority']
  expect((await call('customfield/usage', { sid, uuid })).body.gate).toBe(1)
  expect((await call('customfield/delete', { sid, uuid })).body.error_type).toBe('IN_USE')
  expect((await call('customfield/get', { sid, uuid })).body.status).toBe('OK')
})

it.each([
  [{ hl7_segment: 'ZZZ' }, 'INVALID_HL7_SEGMENT', 'hl7_segment'],
  [{ hl7_segment: 'PID', hl7_field: '0' }, 'INVALID_HL7_FIELD', 'hl7_field'],
  [{ hl7_segment: 'PID', hl7_field: '18', hl7_component: 'first' }, 'INVALID_HL7_FIELD', 'hl7_component'],
  [{ object: 'Group', hl7_segment: 'PID' }, 'INVALID_HL7_OBJECT', 'hl7_segment'],
  [{ object: 'Group', dicom_tag: '00081030' }, 'INVALID_DICOM_TAG_OBJECT', 'dicom_tag'],
  [{ load_dicom_tag: 1 }, 'NO_DICOM_TAG_DEFINED', 'load_dicom_tag'],
])('refuses %j, when a field is defined and when it is changed', async (mapping, code, subtype) => {
  const { sid, accountUuid } = await makePlace()
  const { object = 'Study', ...change } = { object: 'Study', ...mapping }
  const named = { sid, account_id: accountUuid, name: 'Mapped', object }
  const refused = { error_type: code, error_subtype: subtype }
  expect((await call('customfield/add', { ...named, ...change })).body).toMatchObject(refused)
  const { uuid } = (await call('customfield/add', named)).body
  expect((await call('customfield/set', { sid, uuid, ...change })).body).toMatchObject(refused)
})

it('takes a segment, a field and a component of HL7, and takes them back', async () => {
  const { sid, accountUuid } = await makePlace()
  const mapping = { hl7_segment: 'OBX', hl7_field: '5', hl7_component: '1' }
  const named = { sid, account_id: accountUuid, name: 'Mapped', object: 'Order' }
  const { uuid } = (await call('customfield/add', { ...named, ...mapping })).body
  expect((await call('customfield/get', { sid, uuid })).body).toMatchObject(mapping)
  const none = { hl7_segment: '', hl7_field: '', hl7_component: '' }
  await call('customfield/set', { sid, uuid, ...none })
  expect((await call('customfield/get', { sid, uuid })).body).toMatchObject(none)
})

it('puts every change of a field on record, and nothing for what stays', async () => {
  const place = await makePlace()
  const uuid = await addField(place, {
    name: 'Priority',
    type: 'select',
    options: { values: ['routine', 'urgent'] },
    dicom_tag: '00401003',
  })
  const change = async (sent: object) => {
    expect((await call('customfield/set', { sid: place.sid, uuid, ...sent })).body.status).toBe('OK')
    const [last] = await query<{ detail: object }>(
      `select detail from audit where object_uuid = '${uuid}' and action = 'EDIT' order by id desc limit 1`,
    )
    return last?.detail
  }
  expect(await change({ name: 'Urgency', required: 1 })).toEqual({ name: ['Priority', 'Urgency'], required: [0, 1] })
  const options = { values: ['routine', 'at once'] }
  expect(await change({ name: 'Urgency', options })).toEqual({
    options: [{ values: ['routine', 'urgent'] }, options],
  })
  const shown = { show_on_pages: ['exchange'] }
  expect(await change({ ui_json: shown, display_order: 3, field_flag: '' })).toEqual({
    ui_json: [null, shown],
    display_order: [null, 3],
  })
  expect(await change({ dicom_tag: '', load_order: 1 })).toEqual({ dicom_tag: ['00401003', ''], load_order: [null, 1] })
  expect(await change({ required: 1 })).toEqual({})
})
