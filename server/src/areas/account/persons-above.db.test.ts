import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { expect, it } from 'vitest'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { goodPassword, makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { namedRows } from '../../../test/named-rows.ts'
import { newEmail, startPeople } from '../../../test/people-fixture.ts'

/*
 * Nobody changes, disables or removes somebody who may do more: every call that names a person, by everything that makes
 * a person stand above the caller.
 */

const people = await startPeople()
const { services, call, query, organisation, admin, roleOf, addRole, addHolder } = people
const { accountUuid } = organisation
const samples = makeSamples(people, 'ABOVE')
const group = await organisation.addGroup()

/** Calls that name a person and change nothing by which that person signs in, or may do more or less. */
const harmless: Partial<Record<CallName, string>> = {
  accountUserAdd: 'takes a person in by the address that is there; one who is in no account: the test below',
  accountUserGet: 'reads',
  accountUserHandOver: 'gives away what somebody left behind who cannot work any more',
  accountUserHoldings: 'reads',
  accountUserReportLogin: 'reads',
  auditUser: 'reads',
  filterShare: 'shows a search to a person',
  filterShareStop: 'shows a search to a person no more',
  groupUserAdd: 'looks at the role in the group alone (place.db.test.ts)',
  groupUserDelete: 'looks at the role in the group alone (place.db.test.ts)',
  locationUserAdd: 'looks at the role in the location alone (place.db.test.ts)',
  locationUserDelete: 'looks at the role in the location alone (place.db.test.ts)',
  sessionProxy: 'is for supporters',
  settingGet: 'reads',
  studyShare: 'shows a study to a person',
  studyShareExtend: 'shows a study to a person',
  studyShareStop: 'shows a study to a person no more',
  userEvent: 'reads',
  userEventSet: 'chooses mails',
  userGet: 'reads',
}
/** Parameters by which a call changes somebody else, where its sample changes the caller. */
const sentToOthers: Partial<Record<CallName, () => object>> = {
  userSet: () => ({ account_id: accountUuid, pin_required: 1, first: undefined }),
  settingSet: () => ({ key: 'walked', value: 'walked' }),
}
const naming = (Object.keys(namedRows) as CallName[]).flatMap((name) => {
  const field = Object.entries(namedRows[name]).find(([one, kind]) => kind === 'user' && one !== 'to_user_id')?.[0]
  return field && !(name in harmless) ? [{ name, field }] : []
})
const changes: { name: CallName; field: string; sent: Record<string, unknown> }[] = [
  ...naming.filter(({ name }) => name !== 'accountUserSet').map((one) => ({ ...one, sent: {} })),
  ...[
    { email: newEmail() },
    { last: 'Other' },
    { account_login: 'other' },
    { password_reset: 1 },
    { session_expire: 5 },
    { max_sessions: 1 },
    { pin_demanded: 1 },
    { sso_only: 1 },
    { role_id: roleOf('Viewer') },
    { groups: [] },
    { first: 'Ida' },
  ].map((sent) => ({ name: 'accountUserSet' as const, field: 'user_id', sent })),
]

const flagged = (flag: string) => async () => {
  const person = await organisation.addPerson({ role: 'Administrator' })
  await query(`update app_user set ${flag} = true where uuid = '${person.userUuid}'`)
  return { person, asker: admin }
}
/** Somebody who may edit people, and a person who may do as much in the account. */
async function pairOfPeople(forRole: readonly string[] = []) {
  const held = ['account_user_edit', 'group_edit', ...forRole]
  const [asker, person] = [await addHolder(held), await addHolder(held)]
  return { asker, person }
}
const ofGroup =
  (how: 'own role' | 'default role', kind: 'group' | 'location' = 'group') =>
  async () => {
    const place = await organisation.addGroup()
    await query(`update app_group set kind = '${kind}' where uuid = '${place.groupUuid}'`)
    const { asker, person } = await pairOfPeople()
    const role = `'${roleOf('Staff')}'`
    await query(`insert into group_user (group_uuid, user_uuid, role_uuid)
    values ('${place.groupUuid}', '${person.userUuid}', ${how === 'own role' ? role : 'null'})`)
    if (how === 'default role') {
      await query(`update app_group set default_role_uuid = ${role} where uuid = '${place.groupUuid}'`)
    }
    return { asker, person }
  }

/** Everything by which a person stands above the one who asks. */
const above = {
  'the flag of a system administrator': flagged('sysadmin'),
  'the flag of a supporter': flagged('support'),
  'the role in the account': async () => ({
    asker: (await pairOfPeople()).asker,
    person: await organisation.addPerson({ role: 'Viewer' }),
  }),
  'the role in a group': ofGroup('own role'),
  'the default role of a group': ofGroup('default role'),
  'the role in a location': ofGroup('own role', 'location'),
  'a restriction of the caller': async () => {
    const { person } = await pairOfPeople()
    const { asker } = await pairOfPeople(['study_report_view_only_own'])
    return { asker, person }
  },
  'a field that the role of the caller hides': async () => {
    const { asker, person } = await pairOfPeople()
    const [held] = await query<{ role_uuid: string }>(
      `select role_uuid from account_user where user_uuid = '${asker.userUuid}'`,
    )
    await query(`insert into setting (scope, scope_uuid, key, value)
      values ('role', '${held?.role_uuid}', 'study_field_flags', '{"study_field_patient_name":"H"}')`)
    return { asker, person }
  },
}

const cases = Object.keys(above).flatMap((by) => changes.map((change) => ({ by: by as keyof typeof above, ...change })))

it.each(cases)(
  '[PERM-05] $name with $sent does nothing to a person above by $by',
  async ({ by, name, field, sent }) => {
    const { asker, person } = await above[by]()
    await query(
      `insert into two_factor (user_uuid, sealed_secret, confirmed_at) values ('${person.userUuid}', '', now())`,
    )
    const before = await stateOf(person.userUuid)
    const body = await ask(asker, name, { [field]: person.userUuid, ...sent })
    expect([body.error_type, body.error_subtype]).toEqual(['NOT_PERMITTED', 'ROLE_ABOVE'])
    expect(await stateOf(person.userUuid)).toEqual(before)
  },
)

it.each(changes)('[PERM-05] $name with $sent is done to a person who may do as much', async ({ name, field, sent }) => {
  const { asker, person } = await pairOfPeople()
  await query(`insert into group_user (group_uuid, user_uuid) values ('${group.groupUuid}', '${person.userUuid}')`)
  await query(
    `insert into two_factor (user_uuid, sealed_secret, confirmed_at) values ('${person.userUuid}', '', now())`,
  )
  const given = 'role_id' in sent ? { role_id: await addRole([]) } : {}
  expect((await ask(asker, name, { [field]: person.userUuid, ...sent, ...given })).status).toBe('OK')
})

/** Every call that takes in somebody who was put out. */
const doorsIn = {
  'account/user/add': 'uuid',
  'user/invite': 'account_id',
}

it.each(Object.entries(doorsIn))('[PERM-05] %s lets no removed operator in again', async (path, account) => {
  for (const by of ['the flag of a system administrator', 'the flag of a supporter'] as const) {
    const { person } = await above[by]()
    await query(`delete from account_user where user_uuid = '${person.userUuid}'`)
    await query(`update app_user set disabled = true where uuid = '${person.userUuid}'`)
    const before = await stateOf(person.userUuid)
    const take = async () =>
      (
        await call(path, {
          sid: admin.sid,
          [account]: accountUuid,
          email: person.email,
          first: 'Back',
          last: 'Again',
          role_id: roleOf('Viewer'),
        })
      ).body
    const refused = await take()
    expect([refused.error_type, refused.error_subtype]).toEqual(['NOT_PERMITTED', 'ROLE_ABOVE'])
    expect(await stateOf(person.userUuid)).toEqual(before)
    await query(`update app_user set sysadmin = true where uuid = '${admin.userUuid}'`)
    expect((await take()).status).toBe('OK')
    await query(`update app_user set sysadmin = false where uuid = '${admin.userUuid}'`)
  }
})

it.each(Object.keys(above) as (keyof typeof above)[])(
  '[PERM-05] user/welcome mails nobody above by %s, and the invitation that was mailed stays good',
  async (by) => {
    const { asker, person } = await above[by]()
    const [held] = await query<{ role_uuid: string }>(
      `select role_uuid from account_user where user_uuid = '${asker.userUuid}' and account_uuid = '${accountUuid}'`,
    )
    await query(`update role set permissions = permissions || '{account_user_invite}' where uuid = '${held?.role_uuid}'
      and not 'account_user_invite' = any(permissions)`)
    const mails = () => query(`select count(*)::int as mails from mail where recipient = '${person.email}'`)
    const links = () => query(`select * from password_reset where user_uuid = '${person.userUuid}'`)
    await query(`update app_user set last_login = null where uuid = '${person.userUuid}'`)
    const before = [await mails(), await links()]
    const { body } = await call('user/welcome', { sid: asker.sid, account_id: accountUuid, email: person.email })
    expect([body.error_type, body.error_subtype]).toEqual(['NOT_PERMITTED', 'ROLE_ABOVE'])
    expect([await mails(), await links()]).toEqual(before)
  },
)

it('[PERM-05] a system administrator changes another one', async () => {
  const { person, asker } = await above['the flag of a system administrator']()
  await query(`update app_user set sysadmin = true where uuid = '${asker.userUuid}'`)
  expect((await people.set(person.userUuid, { email: newEmail() })).status).toBe('OK')
  await query(`update app_user set sysadmin = false where uuid = '${asker.userUuid}'`)
})

it('[PERM-05] fields that the account itself hides stand in no administrator’s way', async () => {
  const place = await makeOrganisation(services.db)
  const [head, other] = [
    await place.addPerson({ role: 'Administrator' }),
    await place.addPerson({ role: 'Administrator' }),
  ]
  await query(`insert into setting (scope, scope_uuid, key, value)
    values ('namespace', '${place.namespaceUuid}', 'study_field_flags', '{"study_field_patient_name":"H"}')`)
  const sent = { sid: head.sid, uuid: place.accountUuid, user_id: other.userUuid, last: 'Other' }
  expect((await call('account/user/set', sent)).body.status).toBe('OK')
})

it('[PERM-05] whoever may do less than somebody of a group sets up no provider of identities', async () => {
  const place = await makeOrganisation(services.db)
  const inbox = await place.addGroup()
  const [asker, person] = [await place.addPerson({ role: 'Viewer' }), await place.addPerson({ role: 'Viewer' })]
  await query(`update role set permissions = permissions || '{account_edit,account_user_edit,role_edit}'
    where uuid = '${place.roles.get('Viewer')}'`)
  await query(`insert into group_user (group_uuid, user_uuid, role_uuid)
    values ('${inbox.groupUuid}', '${person.userUuid}', '${place.roles.get('Staff')}')`)
  await call('session/prove', { sid: asker.sid, password: goodPassword })
  const sent = { sid: asker.sid, account_id: place.accountUuid, issuer: 'https://login.example', client_id: 'x' }
  const { body } = await call('identity/provider/set', { ...sent, client_secret: 'x' })
  expect([body.error_type, body.error_subtype]).toEqual(['NOT_PERMITTED', 'ROLE_ABOVE'])
})

it('[PERM-05] tells whoever sees the people who of them may do more', async () => {
  const { asker, person } = await above['the role in a group']()
  const low = await addHolder([])
  const told = async (sid: string, userUuid: string) => [
    (await people.get(userUuid, sid)).is_above,
    (await call('account/user/list', { sid, uuid: accountUuid, 'filter.user_id.equals': userUuid })).body.users[0]
      ?.is_above,
  ]
  expect(await told(asker.sid, person.userUuid)).toEqual([1, 1])
  expect(await told(asker.sid, low.userUuid)).toEqual([0, 0])
  expect(await told(asker.sid, asker.userUuid)).toEqual([0, 0])
  expect(await told(admin.sid, person.userUuid)).toEqual([0, 0])
  const operator = await above['the flag of a system administrator']()
  expect(await told(admin.sid, operator.person.userUuid)).toEqual([1, 1])
})

async function ask(asker: Place['person'], name: CallName, sent: object) {
  const study = await makeStudy(services.db, { namespaceUuid: group.namespaceUuid, accountUuid })
  const place: Place = {
    accountUuid,
    groupUuid: group.groupUuid,
    namespaceUuid: group.namespaceUuid,
    studyUuid: study.uuid,
    ownStudyUuid: study.uuid,
    person: asker,
  }
  const sample: Record<string, unknown> = { ...(await samples[name](place)) }
  // what is changed of a person stands in `changes`
  if (name === 'accountUserSet') for (const one of ['role_id', 'first']) delete sample[one]
  const asked = { ...sample, ...sentToOthers[name]?.(), ...sent, sid: asker.sid }
  const { path } = calls[name]
  return (await call(path, Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)))).body
}

/** All that a person signs in by and belongs to. */
function stateOf(userUuid: string): Promise<unknown[]> {
  return query(`select u.*, f.user_uuid as factor,
      (select json_agg(au order by au.account_uuid) from account_user au where au.user_uuid = u.uuid) as accounts,
      (select json_agg(gu order by gu.group_uuid) from group_user gu where gu.user_uuid = u.uuid) as groups,
      (select json_agg(s order by s.key) from setting s where s.scope = 'user' and s.scope_uuid = u.uuid) as settings
    from app_user u
    left join two_factor f on f.user_uuid = u.uuid
    where u.uuid = '${userUuid}'`)
}
