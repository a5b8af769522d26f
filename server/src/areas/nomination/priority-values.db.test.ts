import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { ensureGateFields } from './gate-fields.sql.ts'

/* Values of the priority that a gatekeeper group has instead of Routine and Priority. */

const { services, call } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const { priority = '' } = await ensureGateFields(services.db, accountUuid)
const administrator = await organisation.addPerson({ role: 'Administrator' })
const ask = async (path: string, sid: string, sent: object = {}) => (await call(path, { sid, ...sent })).body

/** A gatekeeper group that asks for the priority, a cloud group before it, and people of both. */
async function makeGate() {
  const gate = await organisation.addGroup({
    config: { group_designation: 'GATEKEEPER', pacs_form_customfields: [priority] },
  })
  const cloud = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
  const clinician = await organisation.addPerson({ groups: [cloud] })
  const reviewer = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
  return {
    reviewer,
    setValues: (priority_values: unknown) =>
      ask('group/set', administrator.sid, { uuid: gate.groupUuid, inbox_config: { priority_values } }),
    config: async () => (await ask('group/get', administrator.sid, { uuid: gate.groupUuid })).inbox_config,
    /** Nominates a new exam with a priority. */
    nominate: async (value: string) => {
      const { uuid } = await makeStudy(services.db, { ...cloud, accountUuid }, { patient_name: `DOE^${value}` })
      return ask('study/share', clinician.sid, { uuid, group_id: gate.groupUuid, [`customfield-${priority}`]: value })
    },
    /** The priorities that the form of a nomination offers. */
    offered: async () => {
      const { uuid } = await makeStudy(services.db, { ...cloud, accountUuid }, {})
      const { gatekeepers } = await ask('study/nominate/form', clinician.sid, { uuid })
      return gatekeepers[0].customfields[0].options.values
    },
    listed: async () => {
      const { studies } = await ask('study/list', reviewer.sid, {
        'filter.phi_namespace.equals': gate.namespaceUuid,
        sort_by: 'priority-desc',
        customfield_h: 1,
      })
      return studies as { uuid: string; priority: number; customfield_h: Record<string, string> }[]
    },
  }
}
const valuesOf = (studies: readonly { customfield_h: Record<string, unknown> }[]) =>
  studies.map((one) => one.customfield_h[priority])

it('[PROCESS-13] a group without values of its own has Routine and Priority, the first as default', async () => {
  const { nominate, listed, offered } = await makeGate()
  expect(await offered()).toEqual(['Routine', 'Priority'])
  await nominate('Routine')
  await nominate('Priority')
  expect((await listed()).map((one) => one.priority)).toEqual([1, 0])
})

it('[PROCESS-13] values of a group are offered, taken and sorted by in their order, and others are refused', async () => {
  const { setValues, nominate, listed, offered, reviewer } = await makeGate()
  expect(await setValues(['Planned', 'Urgent', 'Emergency'])).toMatchObject({ status: 'OK' })
  expect(await offered()).toEqual(['Planned', 'Urgent', 'Emergency'])
  for (const value of ['Urgent', 'Planned', 'Emergency']) expect(await nominate(value)).toMatchObject({ status: 'OK' })
  expect(await nominate('Priority')).toMatchObject({ error_type: 'INVALID_CUSTOMFIELD' })
  const studies = await listed()
  expect(studies.map((one) => one.priority)).toEqual([2, 1, 0])
  expect(valuesOf(studies)).toEqual(['Emergency', 'Urgent', 'Planned'])
  // the reviewer gives another one, as the screen does
  const [first] = studies
  const changed = { uuid: first?.uuid, [`customfield-${priority}`]: 'Urgent' }
  expect(await ask('study/set', reviewer.sid, changed)).toMatchObject({ status: 'OK' })
  expect((await listed()).map((one) => one.priority)).toEqual([1, 1, 0])
  // another group has its own
  const other = await makeGate()
  expect(await other.offered()).toEqual(['Routine', 'Priority'])
  await other.nominate('Priority')
  expect((await other.listed()).map((one) => one.priority)).toEqual([1])
})

it('[PROCESS-13] an exam keeps a value that the group has no more, and it can be read and stored again', async () => {
  const { setValues, nominate, listed, offered, reviewer } = await makeGate()
  await setValues(['Low', 'High'])
  await nominate('High')
  await setValues(['Low', 'Higher'])
  expect(await offered()).toEqual(['Low', 'Higher'])
  const [study] = await listed()
  expect(study?.customfield_h[priority]).toBe('High')
  const again = { uuid: study?.uuid, [`customfield-${priority}`]: 'High' }
  expect(await ask('study/set', reviewer.sid, again)).toMatchObject({ status: 'OK' })
  // in its place too, also where another field changes with it
  expect((await listed()).map((one) => one.priority)).toEqual([1])
  const edited = { ...again, study_description: 'Edited' }
  expect(await ask('study/set', reviewer.sid, edited)).toMatchObject({ status: 'OK' })
  expect((await listed()).map((one) => one.priority)).toEqual([1])
  // until it is given another one
  const other = { ...again, [`customfield-${priority}`]: 'Low' }
  expect(await ask('study/set', reviewer.sid, other)).toMatchObject({ status: 'OK' })
  expect((await listed()).map((one) => one.priority)).toEqual([0])
})

it.each([
  ['one value alone', ['Routine']],
  ['none', []],
  ['one value twice', ['Routine', 'routine']],
  ['an empty one', ['Routine', '']],
  ['one with blanks around it', ['Routine', ' Urgent']],
  ['one that is too long', ['Routine', 'U'.repeat(65)]],
  ['one over two lines', ['Routine', 'Very\nurgent']],
  ['too many', Array.from({ length: 11 }, (_, at) => `P${at}`)],
])('[PROCESS-13] %s is refused by its name, and the group stays as it was', async (_, values) => {
  const { setValues, config } = await makeGate()
  await setValues(['Low', 'High'])
  expect(await setValues(values)).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'priority_values' })
  expect((await config()).priority_values).toEqual(['Low', 'High'])
  expect(await setValues('High')).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'inbox_config' })
})
