import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()

async function makePlace() {
  const organisation = await makeOrganisation(services.db)
  const admin = await organisation.addPerson({ role: 'Administrator' })
  return { organisation, accountUuid: organisation.accountUuid, sid: admin.sid, adminUuid: admin.userUuid }
}
type Place = Awaited<ReturnType<typeof makePlace>>

async function addField({ sid, accountUuid }: Place, more: object): Promise<string> {
  const { body } = await call('customfield/add', { sid, account_id: accountUuid, name: 'Desk', ...more })
  expect(body.status).toBe('OK')
  return body.uuid
}

interface Kind {
  object: 'User_account' | 'Group' | 'Location'
  list: string
  rows: string
  /** Name of the row's uuid in the list. */
  key: string
  /** Parameters by which the set call names a new object. */
  make: (place: Place) => Promise<Record<string, string>>
  set: string
}
const kinds: Record<string, Kind> = {
  people: {
    object: 'User_account',
    list: 'account/user/list',
    rows: 'users',
    key: 'user_id',
    make: async ({ organisation, accountUuid }) => ({
      uuid: accountUuid,
      user_id: (await organisation.addPerson({ role: 'Viewer' })).userUuid,
    }),
    set: 'account/user/set',
  },
  groups: {
    object: 'Group',
    list: 'group/list',
    rows: 'groups',
    key: 'uuid',
    make: async ({ organisation }) => ({ uuid: (await organisation.addGroup()).groupUuid }),
    set: 'group/set',
  },
  locations: {
    object: 'Location',
    list: 'location/list',
    rows: 'locations',
    key: 'uuid',
    make: async ({ sid, accountUuid }) => {
      const { body } = await call('location/add', { sid, account_id: accountUuid, name: `Site ${randomUUID()}` })
      return { uuid: body.uuid }
    },
    set: 'location/set',
  },
}

/** Three objects: the first with 9 and "Stroke", the second with 10 and "stroke unit", the third with neither. */
async function makeThree(kind: Kind) {
  const place = await makePlace()
  const { sid, accountUuid } = place
  const fields = {
    score: await addField(place, { object: kind.object, name: 'Score', type: 'number' }),
    team: await addField(place, { object: kind.object, name: 'Team' }),
  }
  const uuids: string[] = []
  for (const [score, team] of [
    ['9', 'Stroke'],
    ['10', 'stroke unit'],
    ['', ''],
  ] as const) {
    const named = await kind.make(place)
    uuids.push(named[kind.key] ?? '')
    const values = { [`customfield-${fields.score}`]: score, [`customfield-${fields.team}`]: team }
    expect((await call(kind.set, { sid, ...named, ...values })).body).toEqual({ status: 'OK' })
  }
  const whose = { account_id: accountUuid, uuid: accountUuid }
  const ask = async (more: object) => (await call(kind.list, { sid, ...whose, ...more })).body
  /** Places of the three in a list, whoever else is on it left out. */
  const placesIn = async (more: object) =>
    (await ask(more))[kind.rows].map((one: Record<string, string>) => uuids.indexOf(one[kind.key] ?? ''))
  const ours = async (more: object) => (await placesIn(more)).filter((at: number) => at >= 0)
  return { place, fields, uuids, ask, placesIn, ours }
}

describe.each(Object.entries(kinds))('[API-37] %s and their custom fields', (_name, kind) => {
  it('are found by a value, a part of one, a comparison of numbers, and by none', async () => {
    const { fields, ask, placesIn, ours } = await makeThree(kind)
    const by = (field: string, condition: string) => `filter.customfield-${field}.${condition}`
    expect(await placesIn({ [by(fields.team, 'equals')]: 'Stroke' })).toEqual([0])
    expect(await placesIn({ [by(fields.team, 'like')]: '%UNIT%' })).toEqual([1])
    expect((await placesIn({ [by(fields.team, 'in')]: '["Stroke","stroke unit"]' })).toSorted()).toEqual([0, 1])
    expect(await placesIn({ [by(fields.score, 'gt')]: 9 })).toEqual([1])
    expect(await ours({ [by(fields.team, 'equals')]: '' })).toEqual([2])
    expect((await ours({ [by(fields.team, 'not_equals_or_null')]: 'Stroke' })).toSorted()).toEqual([1, 2])
    const both = { [by(fields.score, 'equals')]: '9', [by(fields.team, 'equals')]: 'Stroke', 'page.rows': 1 }
    expect((await ask(both)).page).toEqual({ more: 0, rows: 1, number: 1, total: 1 })
    expect(await placesIn({ ...both, [by(fields.team, 'equals')]: 'stroke unit' })).toEqual([])
  })

  it('are sorted by a value, numbers as numbers, page after page', async () => {
    const { fields, placesIn, ours } = await makeThree(kind)
    const filled = { [`filter.customfield-${fields.team}.like`]: '%stroke%' }
    const by = (field: string, order: string) => ({ sort_by: `customfield-${field}-${order}` })
    expect(await ours(by(fields.score, 'asc'))).toEqual([2, 0, 1])
    expect(await ours(by(fields.score, 'desc'))).toEqual([1, 0, 2])
    expect(await ours(by(fields.team, 'desc'))).toEqual([1, 0, 2])
    const paged = (number: number) =>
      placesIn({ ...filled, ...by(fields.score, 'asc'), 'page.rows': 1, 'page.number': number })
    expect([...(await paged(1)), ...(await paged(2))]).toEqual([0, 1])
  })

  it('take no field of another object, of another organisation, or of none', async () => {
    const { place, ask } = await makeThree(kind)
    const foreign = await makePlace()
    for (const uuid of [
      await addField(place, { object: 'Study' }),
      await addField(foreign, { object: kind.object }),
      randomUUID(),
    ]) {
      const expression = `filter.customfield-${uuid}.equals`
      expect(await ask({ [expression]: 'x' })).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: expression })
      const sorted = await ask({ sort_by: `customfield-${uuid}-asc` })
      expect(sorted).toMatchObject({ error_type: 'INVALID_SORT_FIELD', error_subtype: `customfield-${uuid}` })
    }
  })
})

it('[API-37] people are found by a field role by role too', async () => {
  const { fields, placesIn } = await makeThree(kinds.people as Kind)
  const filled = { [`filter.customfield-${fields.team}.like`]: '%stroke%' }
  expect(await placesIn({ ...filled, sort_by: `role_name-asc,customfield-${fields.score}-desc` })).toEqual([1, 0])
  const capitals = { [`filter.customfield-${fields.team.toUpperCase()}.like`]: '%stroke%' }
  expect(await placesIn({ ...capitals, sort_by: `customfield-${fields.score.toUpperCase()}-desc` })).toEqual(
    await placesIn({ ...filled, sort_by: `customfield-${fields.score}-desc` }),
  )
})

it('[API-37] accounts are found and sorted by their custom fields, of each its own', async () => {
  const [here, there] = [await makePlace(), await makePlace()]
  await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
    values ('${there.accountUuid}', '${here.adminUuid}', '${there.organisation.roles.get('Administrator')}')`)
  const { sid } = here
  const region = await addField(there, { object: 'Account', name: 'Region' })
  const key = `customfield-${region}`
  expect((await call('account/set', { sid, uuid: there.accountUuid, [key]: 'North' })).body.status).toBe('OK')
  const list = async (more: object) =>
    (await call('account/list', { sid, ...more })).body.accounts.map((one: { uuid: string }) => one.uuid)
  expect(await list({ [`filter.${key}.equals`]: 'North' })).toEqual([there.accountUuid])
  expect(await list({ sort_by: `${key}-desc` })).toEqual([there.accountUuid, here.accountUuid])
  expect(await list({ sort_by: `${key}-asc` })).toEqual([here.accountUuid, there.accountUuid])
  const stranger = await makePlace()
  const asked = await call('account/list', { sid: stranger.sid, [`filter.${key}.equals`]: 'North' })
  expect(asked.body.error_type).toBe('INVALID_FIELD')
})
