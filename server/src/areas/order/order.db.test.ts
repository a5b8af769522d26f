import { randomUUID } from 'node:crypto'
import { foldText } from '@hilum/dicom/person-name'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Group, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call } = await startTestApp()

async function makePlace() {
  const organisation = await makeOrganisation(services.db)
  const { sid } = await organisation.addPerson({ role: 'Administrator' })
  return { organisation, sid, accountUuid: organisation.accountUuid }
}

interface Fields {
  patient_name?: string
  patientid?: string
  accession_number?: string
  created?: string
  namespace_uuid?: string
}
async function addOrder(accountUuid: string, fields: Fields): Promise<string> {
  const uuid = randomUUID()
  const { patient_name = 'DOE^JANE', patientid = '', accession_number = '', created = '2026-01-01' } = fields
  await sql`
    insert into imaging_order (account_uuid, uuid, patient_name, search, patientid, accession_number, created,
      namespace_uuid)
    values (${accountUuid}, ${uuid}, ${patient_name}, ${foldText(patient_name)}, ${patientid}, ${accession_number}, ${created},
      ${fields.namespace_uuid ?? null})
  `.execute(services.db)
  return uuid
}
async function addStep(accountUuid: string, orderUuid: string, modality: string, date: string) {
  await sql`
    insert into order_step (account_uuid, order_uuid, uuid, modality, scheduled_procedure_step_start_date)
    values (${accountUuid}, ${orderUuid}, ${randomUUID()}, ${modality}, ${date})
  `.execute(services.db)
}

it('[API-48][ENTITY-27] finds orders by part of the name, accession number or MRN, newest first', async () => {
  const { sid, accountUuid } = await makePlace()
  const older = await addOrder(accountUuid, { patient_name: 'MÜLLER^ANNA', patientid: 'M1', accession_number: 'A1' })
  const newer = await addOrder(accountUuid, { patient_name: 'DOE^JOHN', patientid: 'm1', created: '2026-02-01' })
  const ask = async (filter: object) =>
    (await call('order/list', { sid, account_id: accountUuid, ...filter }, { method: 'GET' })).body.orders.map(
      (one: { uuid: string }) => one.uuid,
    )
  expect(await ask({})).toEqual([newer, older])
  expect(await ask({ 'filter.patient_name.like': '%anna muller%' })).toEqual([older])
  expect(await ask({ 'filter.accession_number.equals': 'A1' })).toEqual([older])
  expect(await ask({ 'filter.accession_number.equals': 'a1' })).toEqual([])
  expect(await ask({ 'filter.patientid.equals': 'M1' })).toEqual([newer, older])
  expect(await ask({ sort_by: 'patient_name-desc' })).toEqual([older, newer])
  expect(await ask({ 'page.rows': 1, 'page.number': 2 })).toEqual([older])
})

it('finds orders by like however their numbers are spelled, and by equals as they are written', async () => {
  const { sid, accountUuid } = await makePlace()
  const one = await addOrder(accountUuid, { patientid: 'NS-100234', accession_number: 'ACC-2026.77' })
  await sql`update imaging_order set order_number = 'ORD/55-1' where uuid = ${one}`.execute(services.db)
  const none = await addOrder(accountUuid, { created: '2025-01-01' })
  const ask = async (filter: object) =>
    (await call('order/list', { sid, account_id: accountUuid, ...filter }, { method: 'GET' })).body.orders.map(
      (found: { uuid: string }) => found.uuid,
    )
  for (const [field, spellings, parts] of [
    ['patientid', ['ns100234', 'NS 100234', 'ＮＳ－１００２３４'], ['%0234%', '%s-1002%', 'ns%', '%n s_1%']],
    ['accession_number', ['acc202677', 'ACC 2026/77'], ['%2026 77%', 'acc%']],
    ['order_number', ['ord551', 'ORD 55 1'], ['%55.1%']],
  ] as const) {
    for (const typed of [...spellings, ...parts])
      expect([typed, await ask({ [`filter.${field}.like`]: typed })]).toEqual([typed, [one]])
    // a piece is no whole number, and signs alone are none
    for (const typed of [spellings[0].slice(0, -1), `${spellings[0]}0`, '--'])
      expect([typed, await ask({ [`filter.${field}.like`]: typed })]).toEqual([typed, []])
    expect(await ask({ [`filter.${field}.equals`]: spellings[0] })).toEqual([])
    expect(await ask({ [`filter.${field}.like`]: '%' })).toEqual([one, none])
  }
  expect(await ask({ 'filter.patientid.equals': 'ns-100234' })).toEqual([one])
})

it('[ENTITY-27] reads an order with its steps in their order', async () => {
  const { sid, accountUuid } = await makePlace()
  const uuid = await addOrder(accountUuid, { accession_number: 'A7' })
  await addStep(accountUuid, uuid, 'MR', '20260302')
  await addStep(accountUuid, uuid, 'CT', '20260301')
  const { body } = await call('order/get', { sid, uuid })
  expect(body).toMatchObject({
    status: 'OK',
    uuid,
    patient_name: 'DOE^JANE',
    accession_number: 'A7',
    created: expect.stringMatching(/^2026-01-01 /),
    customfields: [],
    tags: [],
    sps: [{ modality: 'CT' }, { modality: 'MR', scheduled_procedure_step_start_date: '20260302' }],
  })
  expect(body.sps[0]).not.toHaveProperty('account_uuid')
  const narrow = await call('order/list', { sid, account_id: accountUuid, 'fields.order': '["uuid"]' })
  expect(narrow.body.orders).toEqual([{ uuid }])
})

it('[PERM-16] shows orders to the groups that they are for, and those of no group to who may edit orders', async () => {
  const { organisation, accountUuid } = await makePlace()
  const [here, there] = [await organisation.addGroup(), await organisation.addGroup()]
  const ofHere = await addOrder(accountUuid, { namespace_uuid: here.namespaceUuid })
  const ofThere = await addOrder(accountUuid, { namespace_uuid: there.namespaceUuid })
  const ofNone = await addOrder(accountUuid, {})
  const seenBy = async (role: string, groups: Group[]) => {
    const { sid } = await organisation.addPerson({ role, groups })
    const { body } = await call('order/list', { sid, account_id: accountUuid })
    const listed = body.orders.map((one: { uuid: string }) => one.uuid)
    for (const uuid of [ofHere, ofThere, ofNone]) {
      const { error_type } = (await call('order/get', { sid, uuid })).body
      expect([uuid, error_type]).toEqual([uuid, listed.includes(uuid) ? undefined : 'NOT_FOUND'])
    }
    return listed.toSorted()
  }
  expect(await seenBy('Clinician', [here])).toEqual([ofHere])
  expect(await seenBy('Clinician', [here, there])).toEqual([ofHere, ofThere].toSorted())
  expect(await seenBy('Clinician', [])).toEqual([])
  expect(await seenBy('Administrator', [there])).toEqual([ofThere, ofNone].toSorted())
})

it('[PERM-16] takes permission on the account, and does not find the orders of another', async () => {
  const { organisation, accountUuid } = await makePlace()
  const uuid = await addOrder(accountUuid, {})
  const viewer = await organisation.addPerson({ role: 'Viewer' })
  const stranger = await makePlace()
  for (const [path, sent] of [
    ['order/list', { account_id: accountUuid }],
    ['order/get', { uuid }],
  ] as const) {
    expect((await call(path, sent)).status).toBe(401)
    expect((await call(path, { ...sent, sid: viewer.sid })).body.error_type).toBe('NOT_PERMITTED')
    expect((await call(path, { ...sent, sid: stranger.sid })).body.error_type).toBe('NOT_FOUND')
  }
})

it('[API-36] refuses what makes no sense, and works in a bundle', async () => {
  const { sid, accountUuid } = await makePlace()
  const uuid = await addOrder(accountUuid, {})
  const list = { sid, account_id: accountUuid }
  expect((await call('order/list', { sid })).body).toMatchObject({ error_subtype: ['account_id'] })
  expect((await call('order/list', { ...list, 'filter.elephant.equals': 1 })).body.error_type).toBe('INVALID_FIELD')
  expect((await call('order/list', { ...list, sort_by: 'sps-asc' })).body.error_type).toBe('INVALID_SORT_FIELD')
  const body = [
    { URL: '/order/list', ...list },
    { URL: '/order/get', sid, uuid: '{{orders.[0].uuid}}' },
  ]
  expect((await call('bundle', {}, { body })).body).toMatchObject([{ orders: [{ uuid }] }, { uuid }])
})

it('[PERM-16] enters, changes and deletes orders and their steps for a group, on record', async () => {
  const { organisation, accountUuid } = await makePlace()
  const [here, there] = [await organisation.addGroup(), await organisation.addGroup()]
  const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [here] })
  const ask = async (path: string, sent: object) => (await call(path, { sid, ...sent })).body
  const fields = { patient_name: 'MÜLLER^ANNA', patientid: 'M1', accession_number: 'A1', patient_sex: 'f' }
  const sent = {
    ...fields,
    account_id: accountUuid,
    patient_birth_date: '1970-01-31',
    namespace_id: here.namespaceUuid,
  }
  const { uuid } = await ask('order/add', sent)
  const read = () => ask('order/get', { uuid })
  expect(await read()).toMatchObject({ ...fields, patient_sex: 'F', patient_birth_date: '19700131', sps: [] })
  const found = await ask('order/list', { account_id: accountUuid, 'filter.patient_name.like': '%anna muller%' })
  expect(found.orders).toHaveLength(1)
  const step = { modality: 'ct', scheduled_procedure_step_start_date: '20260301', scheduled_station_aetitle: 'CT_1' }
  const added = await ask('order/sps/add', { order_id: uuid, ...step })
  expect((await ask('order/sps/set', { uuid: added.uuid, scheduled_procedure_step_start_time: '10:30' })).status).toBe(
    'OK',
  )
  expect((await ask('order/set', { uuid, accession_number: 'A2' })).status).toBe('OK')
  expect(await read()).toMatchObject({
    patientid: 'M1',
    accession_number: 'A2',
    sps: [{ ...step, modality: 'CT', scheduled_procedure_step_start_time: '1030' }],
  })
  expect((await ask('order/sps/delete', { uuid: added.uuid })).status).toBe('OK')
  expect((await read()).sps).toEqual([])
  // a group of others is none that an order can be put into or taken from
  const elsewhere = await addOrder(accountUuid, { namespace_uuid: there.namespaceUuid })
  expect((await ask('order/set', { uuid, namespace_id: there.namespaceUuid })).error_type).toBe('NOT_FOUND')
  expect((await ask('order/add', { ...sent, namespace_id: there.namespaceUuid })).error_type).toBe('NOT_FOUND')
  for (const path of ['order/set', 'order/cancel', 'order/delete'])
    expect((await ask(path, { uuid: elsewhere })).error_type).toBe('NOT_FOUND')
  expect((await ask('order/sps/add', { order_id: elsewhere })).error_type).toBe('NOT_FOUND')
  expect((await ask('order/delete', { uuid })).status).toBe('OK')
  expect((await read()).error_type).toBe('NOT_FOUND')
  const { rows } = await sql<{ action: string }>`
    select action from audit where object_uuid = ${uuid} order by id
  `.execute(services.db)
  expect(rows.map((one) => one.action)).toEqual(['ADD', 'EDIT', 'EDIT', 'EDIT', 'EDIT', 'DELETE'])
})

it.each([
  [{ patientid: '', patient_name: '' }, 'MISSING_FIELDS', ['patient_name', 'patientid']],
  [{ patient_sex: 'X' }, 'INVALID_FIELD', 'patient_sex'],
  [{ patient_birth_date: 'yesterday' }, 'INVALID_FIELD', 'patient_birth_date'],
  [{ accession_number: 'A\u0000' }, 'INVALID_FIELD', 'accession_number'],
  [{ [`customfield-${randomUUID()}`]: 'x' }, 'INVALID_CUSTOMFIELD', expect.anything()],
])('refuses %j, new and in a change', async (wrong, code, subtype) => {
  const { sid, accountUuid } = await makePlace()
  const uuid = await addOrder(accountUuid, { patientid: 'M1' })
  const sent = { sid, account_id: accountUuid, patientid: 'M1', ...wrong }
  expect((await call('order/add', sent)).body).toMatchObject({ error_type: code, error_subtype: subtype })
  expect((await call('order/set', { sid, uuid, ...wrong })).body).toMatchObject({ error_type: code })
  expect(
    (await call('order/sps/add', { sid, order_id: uuid, scheduled_procedure_step_start_time: '25' })).body,
  ).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'scheduled_procedure_step_start_time' })
})

it('[PERM-16] changes orders for nobody who may only see them', async () => {
  const { organisation, accountUuid } = await makePlace()
  const here = await organisation.addGroup()
  const uuid = await addOrder(accountUuid, { namespace_uuid: here.namespaceUuid })
  const { sid } = await organisation.addPerson({ role: 'Clinician', groups: [here] })
  expect((await call('order/get', { sid, uuid })).status).toBe(200)
  for (const path of ['order/set', 'order/cancel', 'order/delete'])
    expect((await call(path, { sid, uuid })).body.error_type).toBe('NOT_PERMITTED')
})

it('[ENTITY-27] finds orders by their steps, sorts them by the first one, and says where each came from', async () => {
  const { organisation, sid, accountUuid } = await makePlace()
  const [soon, later, bare] = [
    await addOrder(accountUuid, {}),
    await addOrder(accountUuid, {}),
    await addOrder(accountUuid, {}),
  ]
  await addStep(accountUuid, soon, 'CT', '20260301')
  await addStep(accountUuid, soon, 'MR', '20260401')
  await addStep(accountUuid, later, 'MR', '20260302')
  const ask = async (filter: object) =>
    (await call('order/list', { sid, account_id: accountUuid, ...filter })).body.orders.map(
      (one: { uuid: string }) => one.uuid,
    )
  const date = 'scheduled_procedure_step_start_date'
  expect(await ask({ 'filter.modality.equals': 'CT' })).toEqual([soon])
  expect((await ask({ 'filter.modality.equals': 'MR' })).toSorted()).toEqual([soon, later].toSorted())
  // one step fits all that is asked of steps: no step of the other order lies within
  expect(await ask({ [`filter.${date}.ge`]: '2026-03-02', [`filter.${date}.le`]: '2026-03-31' })).toEqual([later])
  expect(await ask({ 'filter.modality.equals': 'MR', [`filter.${date}.equals`]: '20260301' })).toEqual([])
  expect(await ask({ [`filter.${date}.equals`]: '20260302' })).toEqual([later])
  expect(await ask({ 'filter.mpps_status.equals': 'COMPLETED' })).toEqual([])
  expect(await ask({ sort_by: `${date}-asc` })).toEqual([bare, soon, later])
  expect(await ask({ sort_by: `${date}-desc` })).toEqual([later, soon, bare])
  const person = await organisation.addPerson({ role: 'Administrator' })
  const made = (await call('order/add', { sid: person.sid, account_id: accountUuid, patientid: 'M1' })).body.uuid
  expect((await call('order/get', { sid, uuid: made })).body).toMatchObject({ source: 'person', namespace_id: null })
  expect((await call('order/get', { sid, uuid: bare })).body).toMatchObject({ source: '' })
})

it('[PERM-16] tells the history of an order to those who see the order', async () => {
  const { organisation, accountUuid } = await makePlace()
  const here = await organisation.addGroup()
  const editor = await organisation.addPerson({ role: 'Administrator', groups: [here] })
  const clinician = await organisation.addPerson({ groups: [here] })
  const stranger = await organisation.addPerson()
  const sent = { sid: editor.sid, account_id: accountUuid, patientid: 'M1', namespace_id: here.namespaceUuid }
  const { uuid } = (await call('order/add', sent)).body
  await call('order/set', { sid: editor.sid, uuid, accession_number: 'A2' })
  const { events } = (await call('order/history', { sid: clinician.sid, uuid })).body
  expect(events).toMatchObject([
    { action: 'EDIT', who: editor.name, detail: { accession_number: ['', 'A2'] }, message: null },
    { action: 'ADD', who: editor.name, message: null },
  ])
  expect((await call('order/history', { sid: stranger.sid, uuid })).body.error_type).toBe('NOT_FOUND')
})

it('[PERM-16] changes no order of a group where the caller may only see orders', async () => {
  const { organisation, accountUuid } = await makePlace()
  const here = await organisation.addGroup()
  const editor = await organisation.addPerson({ role: 'Administrator', groups: [here] })
  const sent = { sid: editor.sid, account_id: accountUuid, patientid: 'M1', namespace_id: here.namespaceUuid }
  const { uuid } = (await call('order/add', sent)).body
  const step = (await call('order/sps/add', { sid: editor.sid, order_id: uuid, modality: 'CT' })).body.uuid
  await sql`
    update group_user gu set role_uuid = r.uuid
    from role r
    where gu.user_uuid = ${editor.userUuid} and r.account_uuid = ${accountUuid}
      and 'order_view' = any(r.permissions) and not 'order_edit' = any(r.permissions)
  `.execute(services.db)
  const { sid } = editor
  expect((await call('order/get', { sid, uuid })).body.patientid).toBe('M1')
  for (const [path, more] of [
    ['order/set', { uuid, patientid: 'M2' }],
    ['order/delete', { uuid }],
    ['order/sps/add', { order_id: uuid, modality: 'MR' }],
    ['order/sps/set', { uuid: step, modality: 'MR' }],
    ['order/sps/delete', { uuid: step }],
  ] as const) {
    expect([path, (await call(path, { sid, ...more })).body.error_type]).toEqual([path, 'NOT_PERMITTED'])
  }
  expect((await call('order/get', { sid, uuid })).body).toMatchObject({ patientid: 'M1', sps: [{ modality: 'CT' }] })
})

it.each(['patient_name', 'patientid', 'issuer', 'accession_number', 'referring_physician'])(
  'takes no %s with a character that could not be read',
  async (field) => {
    const { sid, accountUuid } = await makePlace()
    const good = { patient_name: 'DOE^JANE', patientid: 'H-1' }
    const refused = { error_type: 'INVALID_FIELD', error_subtype: field }
    const broken = { [field]: 'M\ufffdller' }
    expect((await call('order/add', { sid, account_id: accountUuid, ...good, ...broken })).body).toMatchObject(refused)
    const { uuid } = (await call('order/add', { sid, account_id: accountUuid, ...good })).body
    expect((await call('order/set', { sid, uuid, patientid: 'H-1', ...broken })).body).toMatchObject(refused)
    expect((await call('order/get', { sid, uuid })).body).toMatchObject(good)
  },
)
