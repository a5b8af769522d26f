import { describe, expect, it, vi } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { newEmail, startPeople } from '../../../test/people-fixture.ts'
import { lockAccounts } from './member.sql.ts'

const people = await startPeople()
const { services, call, query, organisation, elsewhere, admin, roleOf, addRole, addHolder } = people
const { add, set, get, list, remove, enable } = people
const group = await organisation.addGroup({ name: 'Emergency' })
const otherGroup = await organisation.addGroup({ name: 'Oncology' })

it('knows by user_id only people of accounts that the caller administers', async () => {
  const stranger = await elsewhere.addPerson()
  expect((await add({ user_id: stranger.userUuid })).error_type).toBe('USER_NOT_FOUND')
  const both = await elsewhere.addPerson({ role: 'Administrator' })
  await add({ email: both.email, role_id: roleOf('Administrator') })
  expect((await add({ user_id: stranger.userUuid }, both.sid)).uuid).toBe(stranger.userUuid)
})

it('lets nobody disable, remove, or change the address of, oneself', async () => {
  for (const body of [
    await enable(admin.userUuid, 1),
    await remove(admin.userUuid),
    await set(admin.userUuid, { email: newEmail() }),
  ]) {
    expect([body.error_type, body.error_subtype]).toEqual(['NOT_PERMITTED', 'SELF'])
  }
  expect((await set(admin.userUuid, { first: 'Ada', last: 'First' })).status).toBe('OK')
})

it('keeps the last administrator of an account, also when two act against each other at once', async () => {
  const place = await makeOrganisation(services.db)
  const [one, two] = [
    await place.addPerson({ role: 'Administrator' }),
    await place.addPerson({ role: 'Administrator' }),
  ]
  const both = [() => enable(two.userUuid, 1, one.sid), () => enable(one.userUuid, 1, two.sid)]
  // both are let in and wait for each other's end before either acts
  const answers = await services.db
    .transaction()
    .execute(async (tx) => {
      await lockAccounts(tx, [place.accountUuid])
      const asked = both.map((ask) => ask())
      await vi.waitFor(async () => {
        const waiting = await query(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and backend_type = 'client backend'`)
        expect(waiting).toHaveLength(2)
      }, 10_000)
      return asked
    })
    .then((asked) => Promise.all(asked))
  const state = await query(
    `select from app_user where uuid in ('${one.userUuid}', '${two.userUuid}') and not disabled`,
  )
  expect(state).toHaveLength(1)
  expect(answers.filter((body) => body.status === 'OK')).toHaveLength(1)
  const [left] = await query<{ uuid: string }>(
    `select uuid from app_user where uuid in ('${one.userUuid}', '${two.userUuid}') and not disabled`,
  )
  const sid = left?.uuid === one.userUuid ? one.sid : two.sid
  const body = (
    await call('account/user/set', {
      sid,
      uuid: place.accountUuid,
      user_id: left?.uuid,
      role_id: place.roles.get('Viewer'),
    })
  ).body
  expect([body.error_type, body.error_subtype]).toEqual(['NOT_PERMITTED', 'LAST_ADMINISTRATOR'])
})

describe('an administrator who was invited and never signed in', () => {
  async function makePlace() {
    const place = await makeOrganisation(services.db)
    const head = await place.addPerson({ role: 'Administrator' })
    const invited = await place.addPerson({ role: 'Administrator' })
    const inPlace = (sent: object, sid = invited.sid) => ({ sid, uuid: place.accountUuid, ...sent })
    const [row] = await query<{ uuid: string }>(`insert into role
      (uuid, account_uuid, name, permissions, for_account, for_group)
      select gen_random_uuid(), account_uuid, 'Chief', permissions, true, true from role
      where uuid = '${place.roles.get('Administrator')}'
      returning uuid`)
    const chief = row?.uuid ?? ''
    await query(`update account_user set role_uuid = '${chief}' where user_uuid = '${head.userUuid}'`)
    const viewer = place.roles.get('Viewer')
    const user_id = head.userUuid
    const doors = {
      'account/user/set': () => call('account/user/set', inPlace({ user_id, role_id: viewer })),
      'account/user/set of oneself': () => call('account/user/set', inPlace({ user_id, role_id: viewer }, head.sid)),
      'account/user/delete': () => call('account/user/delete', inPlace({ user_id })),
      'user/enable': () => call('user/enable', { sid: invited.sid, uuid: user_id, disable: 1 }),
      'role/set': () =>
        call('role/set', { sid: head.sid, uuid: chief, permissions: { role_edit: 0 }, name: 'Chief no more' }),
    }
    return { head, invited, doors }
  }
  it.each([
    'account/user/set',
    'account/user/set of oneself',
    'account/user/delete',
    'user/enable',
    'role/set',
  ] as const)('does not stand in for the last one who did, by %s', async (door) => {
    const { head, invited, doors } = await makePlace()
    await query(`update app_user set last_login = now() where uuid = '${head.userUuid}'`)
    const { body } = await doors[door]()
    expect([body.error_type, body.error_subtype]).toEqual(
      door === 'role/set' ? ['NO_OTHER_ROLE_EDIT', undefined] : ['NOT_PERMITTED', 'LAST_ADMINISTRATOR'],
    )
    await query(`update app_user set last_login = now() where uuid = '${invited.userUuid}'`)
    expect((await doors[door]()).body.status).toBe('OK')
  })

  it('counts where nobody has signed in yet', async () => {
    const { doors } = await makePlace()
    expect((await doors['account/user/delete']()).body.status).toBe('OK')
  })
})

it('lets nobody give, take away or touch more than they hold', async () => {
  const manager = await addHolder(['account_user_edit', 'account_user_view', 'group_edit'])
  const person = await addHolder([])
  for (const role of ['Administrator', 'Viewer']) {
    expect((await set(person.userUuid, { role_id: roleOf(role) }, manager.sid)).error_type).toBe('CAN_NOT_PROMOTE')
    expect((await set(manager.userUuid, { role_id: roleOf(role) }, manager.sid)).error_type).toBe('CAN_NOT_PROMOTE')
    const invited = { email: newEmail(), first: 'Eve', role_id: roleOf(role) }
    expect((await add(invited, manager.sid)).error_type).toBe('CAN_NOT_PROMOTE')
  }
  const withRole = { groups: [{ uuid: group.groupUuid, role_id: roleOf('Viewer') }] }
  expect((await set(manager.userUuid, withRole, manager.sid)).error_type).toBe('CAN_NOT_PROMOTE')
  await query(`update app_group set default_role_uuid = '${roleOf('Viewer')}' where uuid = '${otherGroup.groupUuid}'`)
  const byDefault = { groups: [{ uuid: otherGroup.groupUuid }] }
  expect((await set(manager.userUuid, byDefault, manager.sid)).error_type).toBe('CAN_NOT_PROMOTE')
  await query(`update app_group set default_role_uuid = null where uuid = '${otherGroup.groupUuid}'`)
  const viewer = await organisation.addPerson({ role: 'Viewer' })
  for (const body of [
    await set(viewer.userUuid, { email: newEmail() }, manager.sid),
    await remove(viewer.userUuid, manager.sid),
    await enable(viewer.userUuid, 1, manager.sid),
  ]) {
    expect([body.error_type, body.error_subtype]).toEqual(['NOT_PERMITTED', 'ROLE_ABOVE'])
  }
  expect((await set(person.userUuid, { first: 'Eve' }, manager.sid)).status).toBe('OK')
  const [, bare] = [await addRole([]), await addRole([], { forAccount: false })]
  expect((await set(person.userUuid, { role_id: bare }, manager.sid)).error_type).toBe('ROLE_NAMESPACE_MISMATCH')
})

it('keeps a restriction on whoever is restricted, and on whom they invite', async () => {
  const manager = await addHolder(['account_user_edit', 'study_report_view_only_own'])
  const [free, bound] = [await addRole([]), await addRole(['study_report_view_only_own'])]
  const invite = (role_id: string) => add({ email: newEmail(), first: 'Eve', role_id }, manager.sid)
  expect([(await invite(free)).error_type, (await invite(bound)).status]).toEqual(['CAN_NOT_PROMOTE', 'OK'])
})

it('puts nobody into groups without the right to groups, nor into those of another account', async () => {
  const manager = await addHolder(['account_user_edit'])
  const person = await addHolder([])
  const refused = await set(person.userUuid, { groups: [] }, manager.sid)
  expect([refused.error_type, refused.error_subtype]).toEqual(['NOT_PERMITTED', 'groups'])
  const foreign = await elsewhere.addGroup()
  const body = await set(person.userUuid, { groups: [{ uuid: foreign.groupUuid }] })
  expect([body.error_type, body.error_subtype]).toEqual(['NOT_FOUND', 'groups'])
})

it('[PERM-05] takes user_edit as well as account_user_edit, and reading as neither', async () => {
  const person = await addHolder([])
  for (const [held, answer] of [
    ['user_edit', 'OK'],
    ['account_user_edit', 'OK'],
    ['account_user_view', 'ERROR'],
  ] as const) {
    const { sid } = await addHolder([held])
    expect([held, (await set(person.userUuid, { first: held }, sid)).status]).toEqual([held, answer])
    expect([held, (await enable(person.userUuid, 1, sid)).status]).toEqual([held, answer])
    await query(`update app_user set disabled = false where uuid = '${person.userUuid}'`)
  }
})

it('[PERM-03] shows the people to who may view or edit them, and oneself to everybody', async () => {
  for (const [held, answer] of [
    ['account_user_view', 'OK'],
    ['account_user_edit', 'OK'],
    ['group_edit', 'ERROR'],
  ] as const) {
    const { sid, userUuid } = await addHolder([held])
    expect([held, (await list(sid)).status]).toEqual([held, answer])
    expect([held, (await get(admin.userUuid, sid)).status]).toEqual([held, answer])
    expect((await get(userUuid, sid)).status).toBe('OK')
  }
})
