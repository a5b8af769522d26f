import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { ensureGateFields } from './gate-fields.sql.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const gateFields = await ensureGateFields(services.db, accountUuid)
const ask = async (path: string, { sid }: Person, sent: object = {}) => (await call(path, { sid, ...sent })).body

/** A study that waits in a gatekeeper group with this risk line, and two people who may send it. */
async function makeGate(risk_line: 'NONE' | 'DIFFERENT' | 'LIKELY' | 'ALL' = 'DIFFERENT') {
  const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER', risk_line } })
  const cloud = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
  const clinician = await organisation.addPerson({ groups: [cloud] })
  const first = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
  const second = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
  const study = await makeStudy(services.db, { ...cloud, accountUuid }, { patient_name: 'DOE^JANE' })
  await query(`update study set patient_birth_date = '19700131', patient_sex = 'F' where uuid = '${study.uuid}'`)
  await ask('study/share', clinician, { uuid: study.uuid, group_id: gate.groupUuid })
  const read = async (by: Person = first) => {
    const { studies } = await ask('study/list', by, { 'filter.phi_namespace.equals': gate.namespaceUuid })
    return studies[0]
  }
  const { uuid } = await read()
  const destination = (await makeDestination({ query }, accountUuid, { title: randomUUID().slice(0, 8) })).uuid
  const set = (by: Person, sent: object) => ask('study/set', by, { study_id: uuid, ...sent })
  const chosen = { [`customfield-${gateFields['push_destination']}`]: destination }
  return {
    gate,
    first,
    second,
    uuid,
    destination,
    read,
    set,
    /** Matches the study with a patient, and asks for it to be sent. */
    match: async (by: Person, patient: object, more: object = {}) => {
      await set(by, { ...chosen, ...patient })
      return ask('study/push/confirm', by, { uuid, ...more })
    },
    confirm: (by: Person, more: object = {}) => ask('study/push/confirm', by, { uuid, ...more }),
    pushes: () => query(`select from push where study_uuid = '${uuid}'`),
    acts: async () =>
      (
        await query<{ action: string; actor_name: string }>(
          `select action, actor_name from audit where object_uuid = '${uuid}' and action like 'SEND_%' order by id`,
        )
      ).map((one) => [one.action, one.actor_name]),
  }
}
const other = { patient_name: 'ROE^RICHARD', patientid: 'H-99', patient_birth_date: '19500505', patient_sex: 'M' }
const likely = { patientid: 'H-7' }
/** The exams come without a number. */
const withoutMrn = { mrn_reason: 'The archive gives one' }
const done = { status: 'OK' }
const refused = { error_type: 'SECOND_PERSON' }

it('[PROCESS-14] sends a study as another-looking person when a second one confirms, and never before', async () => {
  const { first, second, uuid, match, confirm, read, pushes, acts } = await makeGate()
  expect(await match(first, other)).toMatchObject(refused)
  // a refused exam is neither approved nor on its way, and both groups see who matched it
  expect(await pushes()).toHaveLength(0)
  expect(await read(second)).toMatchObject({
    must_approve: 1,
    nomination: {
      state: 'nominated',
      asked: { by_uuid: first.userUuid, by_name: first.name, destination_name: 'Peer', is_valid: 1 },
    },
  })
  // nobody is the second person of their own match
  expect(await confirm(first)).toMatchObject(refused)
  expect(await pushes()).toHaveLength(0)
  expect(await confirm(second)).toMatchObject({ ...done, uuid: expect.any(String) })
  expect(await read()).toMatchObject({ must_approve: 0, nomination: { state: 'queued', asked: null } })
  expect(await acts()).toEqual([
    ['SEND_ASKED', first.name],
    ['SEND_CONFIRMED', second.name],
  ])
  const { events } = await ask('audit/object', second, { uuid, 'filter.action.equals': 'SEND_CONFIRMED' })
  expect(events).toMatchObject([{ detail: { verdict: 'different', first: first.userUuid } }])
})

it('[PROCESS-14] a study that was changed takes a new match, whoever changed it', async () => {
  const { first, second, match, set, confirm, read, pushes } = await makeGate()
  await match(first, other)
  await set(second, { study_description: 'CT' })
  expect((await read()).nomination.asked).toMatchObject({ is_valid: 0 })
  // the second person's word is now a first one
  expect(await confirm(second)).toMatchObject(refused)
  expect((await read()).nomination.asked).toMatchObject({ by_uuid: second.userUuid, is_valid: 1 })
  expect(await pushes()).toHaveLength(0)
  expect(await confirm(first)).toMatchObject(done)
})

it('[PROCESS-14] a version that the second person did not see is not confirmed', async () => {
  const { first, second, match, confirm, read, pushes } = await makeGate()
  await match(first, other)
  const seen = (await read(second)).row_version
  await match(first, { ...other, patientid: 'H-100' })
  expect(await confirm(second, { row_version: seen })).toMatchObject({ error_type: 'STALE' })
  expect(await pushes()).toHaveLength(0)
})

it('[PROCESS-14] an order that was changed or deleted voids the match', async () => {
  const { gate, first, second, match, confirm, pushes } = await makeGate()
  const orderUuid = randomUUID()
  await query(`insert into imaging_order (account_uuid, uuid, namespace_uuid, patient_name, search, patientid)
    values ('${accountUuid}', '${orderUuid}', '${gate.namespaceUuid}', 'ROE^RICHARD', 'roe richard', 'H-99')`)
  const order = { order_id: orderUuid }
  const elsewhere = randomUUID()
  await query(`insert into imaging_order (account_uuid, uuid) values ('${accountUuid}', '${elsewhere}')`)
  await query(`update role set permissions = permissions || array['order_view'] where name = 'Gatekeeper reviewer'`)
  expect(await match(first, other, { order_id: elsewhere })).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await match(first, other, order)).toMatchObject(refused)
  await query(`update imaging_order set patientid = 'H-1' where uuid = '${orderUuid}'`)
  expect(await confirm(second)).toMatchObject({ error_type: 'STALE' })
  await query(`update imaging_order set patientid = 'H-99' where uuid = '${orderUuid}'`)
  expect(await match(first, other, order)).toMatchObject(refused)
  await query(`delete from imaging_order where uuid = '${orderUuid}'`)
  expect(await confirm(second)).toMatchObject({ error_type: 'STALE' })
  expect(await pushes()).toHaveLength(0)
})

it.each([
  ['NONE', other, done],
  ['DIFFERENT', likely, done],
  ['DIFFERENT', other, refused],
  ['LIKELY', likely, refused],
  ['ALL', { accession_number: 'ACC-1' }, refused],
  ['LIKELY', { accession_number: 'ACC-1' }, done],
] as const)('a group with the line %s answers a match with %j', async (line, patient, outcome) => {
  const { first, match } = await makeGate(line)
  expect(await match(first, patient, withoutMrn)).toMatchObject(outcome)
})

it('study/push takes no way round the second person', async () => {
  const { first, second, uuid, destination, match, set, confirm, pushes } = await makeGate()
  const push = (by: Person) => ask('study/push', by, { uuid, destination_id: destination })
  await match(first, other)
  await query(`update study set must_approve = false where uuid = '${uuid}'`)
  for (const person of [first, second]) expect(await push(person)).toMatchObject(refused)
  await query(`update study set must_approve = true where uuid = '${uuid}'`)
  expect(await confirm(second)).toMatchObject(done)
  // an exam that two people sent may be tried again by one of them, unchanged
  await query(`update push set status = 'F' where study_uuid = '${uuid}'`)
  expect(await push(first)).toMatchObject({ status: 'OK' })
  await query(`update push set status = 'F' where study_uuid = '${uuid}'`)
  await set(first, { patientid: 'H-100' })
  expect(await push(first)).toMatchObject(refused)
  expect(await pushes()).toHaveLength(1)
})

it('takes a confirmation from nobody who may not send', async () => {
  const { gate, first, match, confirm, pushes } = await makeGate()
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [gate] })
  await match(first, other)
  expect((await confirm(viewer)).error_type).toMatch(/NOT_FOUND|NOT_PERMITTED/)
  expect(await pushes()).toHaveLength(0)
})

it('a match of one person after a failed push does not pass for the word of the two before', async () => {
  const { first, second, uuid, destination, match, confirm, read, pushes } = await makeGate()
  await match(first, other)
  expect(await confirm(second)).toMatchObject(done)
  await query(`update push set status = 'F' where study_uuid = '${uuid}'`)
  expect(await match(first, { ...other, patientid: 'H-100' })).toMatchObject(refused)
  expect(await ask('study/push', first, { uuid, destination_id: destination })).toMatchObject(refused)
  // the exam waits for the second person again, who is told
  expect((await read(second)).nomination).toMatchObject({
    state: 'nominated',
    asked: { by_uuid: first.userUuid, is_valid: 1 },
  })
  expect(await confirm(first)).toMatchObject(refused)
  expect(await confirm(second)).toMatchObject(done)
  expect(await pushes()).toHaveLength(1)
})

it('a match that was void when one person sent the exam as it came counts no more', async () => {
  const { first, second, uuid, destination, match, set, confirm, read } = await makeGate()
  const { patient_name, patientid, patient_birth_date, patient_sex } = await read()
  await match(first, other)
  await set(second, { patient_name, patientid, patient_birth_date, patient_sex })
  expect(await confirm(second, withoutMrn)).toMatchObject(done)
  await query(`update push set status = 'F' where study_uuid = '${uuid}'`)
  await set(first, other)
  expect(await ask('study/push', first, { uuid, destination_id: destination })).toMatchObject(refused)
})

it('images of another modality that come late need no second word, and another patient does', async () => {
  const { first, second, uuid, destination, match, set, confirm } = await makeGate()
  const again = () => ask('study/push', first, { uuid, destination_id: destination, late_images: 1 })
  await match(first, other)
  expect(await confirm(second)).toMatchObject(done)
  await query(`update push set status = 'S' where study_uuid = '${uuid}'`)
  await query(`update study set modality = 'CT,SR' where uuid = '${uuid}'`)
  expect(await again()).toMatchObject(done)
  await query(`update push set status = 'S' where study_uuid = '${uuid}'`)
  await set(first, { patientid: 'H-100' })
  expect(await again()).toMatchObject(refused)
})

it('an edit that ends while the exam is sent is not sent unseen', async () => {
  const { first, uuid, read, match, confirm, pushes } = await makeGate('NONE')
  await match(first, likely, { row_version: 0 })
  const { row_version } = await read()
  const edited = Promise.withResolvers<void>()
  const editing = services.db.transaction().execute(async (tx) => {
    await sql`update study set patientid = 'H-8', row_version = row_version + 1 where uuid = ${uuid}`.execute(tx)
    await edited.promise
  })
  const waiting = () =>
    query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  const sending = confirm(first, { row_version })
  await expect.poll(async () => (await waiting()).length).toBe(1)
  edited.resolve()
  await editing
  expect(await sending).toMatchObject({ error_type: 'STALE' })
  expect(await pushes()).toHaveLength(0)
})
