import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()

interface Kept {
  customfields: { uuid: string; value: string }[]
}

/** One kind of object beside exams and orders: how it is made, read, listed and changed. */
interface Kind {
  object: 'User_account' | 'Group' | 'Location' | 'Account'
  /** The names by which calls take the object, of a place. */
  name: (place: Place) => Promise<object>
  get: string
  set: string
  list: { path: string; rows: string }
  /** A field of the call beside the custom one. */
  beside: object
}

async function makePlace() {
  const organisation = await makeOrganisation(services.db)
  const admin = await organisation.addPerson({ role: 'Administrator' })
  const viewer = await organisation.addPerson({ role: 'Viewer' })
  return { organisation, admin, viewer, accountUuid: organisation.accountUuid }
}
type Place = Awaited<ReturnType<typeof makePlace>>

const kinds: Record<string, Kind> = {
  person: {
    object: 'User_account',
    name: async ({ organisation, accountUuid }) => ({
      uuid: accountUuid,
      user_id: (await organisation.addPerson({ role: 'Viewer' })).userUuid,
    }),
    get: 'account/user/get',
    set: 'account/user/set',
    list: { path: 'account/user/list', rows: 'users' },
    beside: { last: 'Later' },
  },
  group: {
    object: 'Group',
    name: async ({ organisation }) => ({ uuid: (await organisation.addGroup()).groupUuid }),
    get: 'group/get',
    set: 'group/set',
    list: { path: 'group/list', rows: 'groups' },
    beside: { share_description: 'Later' },
  },
  location: {
    object: 'Location',
    name: async ({ admin, accountUuid }) => ({
      uuid: (await call('location/add', { sid: admin.sid, account_id: accountUuid, name: 'North' })).body.uuid,
    }),
    get: 'location/get',
    set: 'location/set',
    list: { path: 'location/list', rows: 'locations' },
    beside: { share_description: 'Later' },
  },
  account: {
    object: 'Account',
    name: async ({ accountUuid }) => ({ uuid: accountUuid }),
    get: 'account/get',
    set: 'account/set',
    list: { path: 'account/list', rows: 'accounts' },
    beside: { share_description: 'Later' },
  },
}

async function addField({ admin, accountUuid }: Place, more: object): Promise<string> {
  const { body } = await call('customfield/add', { sid: admin.sid, account_id: accountUuid, name: 'Desk', ...more })
  expect(body.status).toBe('OK')
  return body.uuid
}

async function makeFilled(kind: Kind) {
  const place = await makePlace()
  const named = await kind.name(place)
  const { sid } = place.admin
  const field = await addField(place, { object: kind.object })
  const set = async (sent: object, as = sid) => (await call(kind.set, { sid: as, ...named, ...sent })).body
  const get = async (): Promise<Kept> => (await call(kind.get, { sid, ...named })).body
  const valueOf = async (uuid = field) => (await get()).customfields.find((one) => one.uuid === uuid)?.value
  return { place, named, sid, field, key: `customfield-${field}`, set, get, valueOf }
}

describe.each(Object.entries(kinds))('[API-37][ENTITY-30] custom fields of a %s', (_name, kind) => {
  it('are given where nothing is filled, filled, changed, listed and cleared, each on record', async () => {
    const { place, named, sid, field, key, set, get, valueOf } = await makeFilled(kind)
    expect((await get()).customfields).toEqual([
      { uuid: field, name: 'Desk', type: 'text', value: '', required: 0, options: null, ui_json: null },
    ])
    expect(await set({ [key]: ' 12 B ' })).toEqual({ status: 'OK' })
    expect(await valueOf()).toBe('12 B')
    const ids = kind.object === 'Account' ? {} : { account_id: place.accountUuid, uuid: place.accountUuid }
    const listed = (await call(kind.list.path, { sid, ...ids })).body[kind.list.rows] as (Kept & { uuid: string })[]
    const uuid = Object.values(named).at(-1)
    expect(listed.find((one) => one.uuid === uuid)?.customfields).toMatchObject([{ uuid: field, value: '12 B' }])
    expect((await call('customfield/usage', { sid, uuid: field })).body.filled).toBe(1)
    // what does not name the field leaves its value
    expect(await set(kind.beside)).toEqual({ status: 'OK' })
    expect(await valueOf()).toBe('12 B')
    expect(await set({ [key]: '' })).toEqual({ status: 'OK' })
    expect(await valueOf()).toBe('')
    expect((await call('customfield/usage', { sid, uuid: field })).body.filled).toBe(0)
    const changes = await query<{ change: unknown }>(`select detail -> 'customfield-Desk' as change from audit
      where object_uuid = '${uuid}' and action = 'EDIT' and detail ? 'customfield-Desk' order by id`)
    expect(changes.map((one) => one.change)).toEqual([
      ['', '12 B'],
      ['12 B', ''],
    ])
  })

  it('take no value that their rules refuse, and none with which another part is refused', async () => {
    const { place, field, key, set, valueOf } = await makeFilled(kind)
    const number = await addField(place, { object: kind.object, name: 'Floor', type: 'number', required: 1 })
    const ofExams = await addField(place, { object: 'Study', name: 'Ward' })
    const foreign = await addField(await makePlace(), { object: kind.object })
    for (const [uuid, value] of [
      [number, 'third'],
      [number, ' '],
      [ofExams, 'x'],
      [foreign, 'x'],
      [randomUUID(), 'x'],
    ]) {
      const refused = await set({ ...kind.beside, [key]: 'kept back', [`customfield-${uuid}`]: value })
      expect(refused).toMatchObject({ error_type: 'INVALID_CUSTOMFIELD', error_subtype: [expect.any(String)] })
    }
    expect(await valueOf(field)).toBe('')
    expect(await set({ [`customfield-${number}`]: 3 })).toEqual({ status: 'OK' })
    expect(await valueOf(number)).toBe('3')
  })

  it('are changed by nobody without the right, and not over the change of somebody else', async () => {
    const { place, key, set, valueOf } = await makeFilled(kind)
    expect((await set({ [key]: 'x' }, place.viewer.sid)).error_type).toMatch(/^NOT_(PERMITTED|FOUND)$/)
    await set({ [key]: 'Later' })
    expect(await set({ [key]: 'Mine', seen: { [key]: '' } })).toMatchObject({ error_type: 'STALE' })
    expect(await valueOf()).toBe('Later')
    expect(await set({ [key]: 'Mine', seen: { [key]: 'Later' } })).toEqual({ status: 'OK' })
    expect(await valueOf()).toBe('Mine')
  })
})

it('[API-37] a person, a group and a location are made with values, or not at all', async () => {
  const place = await makePlace()
  const { accountUuid, admin } = place
  const made = {
    User_account: { path: 'account/user/add', sent: { uuid: accountUuid, first: 'Ann', last: 'Lee' } },
    Group: { path: 'group/add', sent: { account_id: accountUuid, name: 'Emergency' } },
    Location: { path: 'location/add', sent: { account_id: accountUuid, name: 'South' } },
  }
  for (const [object, { path, sent }] of Object.entries(made)) {
    const field = await addField(place, { object, type: 'number' })
    const mail = object === 'User_account' ? { email: `${randomUUID()}@clinic.example` } : {}
    const add = (value: string) =>
      call(path, { sid: admin.sid, ...sent, ...mail, [`customfield-${field}`]: value }).then(({ body }) => body)
    expect(await add('one')).toMatchObject({ error_type: 'INVALID_CUSTOMFIELD' })
    const { uuid, status } = await add('1')
    expect(status).toBe('OK') // of a name that was not taken by the refused try
    const get = path.replace('add', 'get')
    const named = object === 'User_account' ? { uuid: accountUuid, user_id: uuid } : { uuid }
    const { customfields } = (await call(get, { sid: admin.sid, ...named })).body as Kept
    expect(customfields).toMatchObject([{ uuid: field, value: '1' }])
  }
})

it('[API-37] what an organisation keeps of a person stays its own', async () => {
  const [here, there] = [await makePlace(), await makePlace()]
  const person = await here.organisation.addPerson({ role: 'Viewer' })
  const joined = { sid: there.admin.sid, uuid: there.accountUuid, email: person.email }
  expect((await call('account/user/add', joined)).body).toMatchObject({ uuid: person.userUuid })
  const fields = {
    here: await addField(here, { object: 'User_account' }),
    there: await addField(there, { object: 'User_account' }),
  }
  for (const [place, field, value] of [
    [here, fields.here, 'ours'],
    [there, fields.there, 'theirs'],
  ] as const) {
    const sent = { uuid: place.accountUuid, user_id: person.userUuid, [`customfield-${field}`]: value }
    expect((await call('account/user/set', { sid: place.admin.sid, ...sent })).body.status).toBe('OK')
  }
  // who belongs to both reads each organisation's in its own entry
  for (const [place, value] of [
    [here, 'ours'],
    [there, 'theirs'],
  ] as const) {
    const asked = { sid: person.sid, uuid: place.accountUuid, user_id: person.userUuid }
    expect((await call('account/user/get', asked)).body.customfields).toMatchObject([{ value }])
  }
})

it('[API-37] two fields of one name that are filled at once are both on record', async () => {
  const place = await makePlace()
  const person = await place.organisation.addPerson({ role: 'Viewer' })
  const fields = [await addField(place, { object: 'User_account' }), await addField(place, { object: 'User_account' })]
  const values = Object.fromEntries(fields.map((field, at) => [`customfield-${field}`, `value ${at}`]))
  const sent = { sid: place.admin.sid, uuid: place.accountUuid, user_id: person.userUuid, ...values }
  expect((await call('account/user/set', sent)).body).toEqual({ status: 'OK' })
  const [row] = await query<{ detail: unknown }>(`select detail from audit where object_uuid = '${person.userUuid}'
    and action = 'EDIT' order by id desc limit 1`)
  expect(row?.detail).toEqual(
    Object.fromEntries(fields.map((field, at) => [`customfield-Desk (${field})`, ['', `value ${at}`]])),
  )
})
