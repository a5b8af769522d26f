import { describe, expect, it } from 'vitest'
import { makeOrganisation } from '../../test/make-organisation.ts'
import { startTestApp } from '../../test/test-app.ts'

const { services, call } = await startTestApp()
const place = await makeOrganisation(services.db)
const [one, other] = [
  await place.addPerson({ role: 'Administrator' }),
  await place.addPerson({ role: 'Administrator' }),
]
const as = async (who: { sid: string }, path: string, sent: object) =>
  (await call(path, { sid: who.sid, ...sent })).body
const account_id = place.accountUuid

/** What is changed, how it is read, its field with two other values, and a field that the caller does not name. */
const things = {
  role: async () => {
    const { uuid } = await as(one, 'role/add', { account_id, name: 'Readers' })
    return { path: 'role', id: { uuid }, field: 'description', beside: { name: 'Other readers' } }
  },
  group: async () => {
    const { uuid } = await as(one, 'group/add', { account_id, name: 'Emergency' })
    return { path: 'group', id: { uuid }, field: 'share_description', beside: { name: 'Casualty' } }
  },
  location: async () => {
    const { uuid } = await as(one, 'location/add', { account_id, name: 'North' })
    return { path: 'location', id: { uuid }, field: 'share_description', beside: { name: 'South' } }
  },
  customfield: async () => {
    const { uuid } = await as(one, 'customfield/add', { account_id, name: 'Ward', object: 'Study', type: 'text' })
    return { path: 'customfield', id: { uuid }, field: 'name', beside: { display_order: 7 } }
  },
  person: async () => {
    const { userUuid } = await place.addPerson()
    return {
      path: 'account/user',
      id: { uuid: account_id, user_id: userUuid },
      field: 'last',
      beside: { first: 'Eva' },
    }
  },
}

describe.each(Object.entries(things))('two administrators at one %s', (_name, make) => {
  it('the later one is told of the other change, and decides', async () => {
    const { path, id, field, beside } = await make()
    const read = async () => (await as(other, `${path}/get`, id))[field]
    const seen = { [field]: await read() }
    expect(await as(one, `${path}/set`, { ...id, [field]: 'Mine', seen })).toMatchObject({ status: 'OK' })
    expect(await as(other, `${path}/set`, { ...id, [field]: 'Later', seen })).toMatchObject({ error_type: 'STALE' })
    expect(await read()).toBe('Mine')
    // what the caller did not name may change meanwhile
    await as(one, `${path}/set`, { ...id, ...beside })
    expect(await as(other, `${path}/set`, { ...id, [field]: 'Later', seen: { [field]: 'Mine' } })).toMatchObject({
      status: 'OK',
    })
    expect(await as(other, `${path}/set`, { ...id, [field]: 'Last' })).toMatchObject({ status: 'OK' })
    expect(await read()).toBe('Last')
  })
})

it('a form that sends back all that it read is refused by nobody’s change', async () => {
  const { id } = await things.group()
  await as(one, 'group/set', { ...id, share_settings: { use: 1 }, dicom_allowed_peers: ['CT_1@10.1.0.0/16'] })
  const { status: _status, ...seen } = await as(one, 'group/get', id)
  expect(await as(one, 'group/set', { ...id, name: 'Emergency two', seen })).toMatchObject({ status: 'OK' })
  const role = place.roles.get('Staff')
  const { permissions, for_account } = await as(one, 'role/get', { uuid: role })
  const sent = { uuid: role, description: 'All who work here', seen: { permissions, for_account } }
  expect(await as(one, 'role/set', sent)).toMatchObject({ status: 'OK' })
})
