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
