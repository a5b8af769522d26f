import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import type { AnyCall } from '@hilum/contract/call'
import { mayByProxy } from '@hilum/contract/by-proxy'
import { describe, expect, it } from 'vitest'
import { makeOrganisation, makeSession, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, app, call, query } = await startTestApp()
const own = await makeOrganisation(services.db)
const customer = await makeOrganisation(services.db)
const third = await makeOrganisation(services.db)
const group = await customer.addGroup()
const head = await customer.addPerson({ role: 'Administrator', groups: [group] })
const study = await makeStudy(services.db, { ...group, accountUuid: customer.accountUuid })
const flagged = async (flag: 'sysadmin' | 'support') => {
  const person = await own.addPerson()
  await query(`update app_user set ${flag} = true where uuid = '${person.userUuid}'`)
  return person
}
const [system, supporter] = [await flagged('sysadmin'), await flagged('support')]
const ask = async (path: string, person: Pick<Person, 'sid'>, sent: Record<string, unknown> = {}) =>
  (await call(path, { sid: person.sid, ...sent })).body
const fault = async (path: string, person: Pick<Person, 'sid'>, sent: Record<string, unknown> = {}) => {
  const { status, body } = await call(path, { sid: person.sid, ...sent })
  return status === 401 ? 401 : (body.error_type ?? body.status)
}
const letIn = (hours: number) => ask('account/set', head, { uuid: customer.accountUuid, support_hours: hours })
const asPerson = (user: Person, more: object = {}) => ({
  account_id: customer.accountUuid,
  user_id: user.userUuid,
  reason: 'Ticket 17',
  ...more,
})

describe('accounts', () => {
  it('[PERM-02] are made and listed by whoever looks after the installation, and by nobody else', async () => {
    const asked = {
      'account/add': { name: 'Refused' },
      'system/account/list': {},
      'system/user/list': {},
      'system/user/set': { email: supporter.email, support: 1 },
      'system/account/users': { account_id: customer.accountUuid },
    }
    for (const [path, sent] of Object.entries(asked)) {
      expect([path, await fault(path, head, sent)]).toEqual([path, 'NOT_PERMITTED'])
    }
    expect(await fault('account/add', supporter, { name: 'Refused' })).toBe('NOT_PERMITTED')
    expect(await fault('system/user/set', supporter, { email: head.email, support: 1 })).toBe('NOT_PERMITTED')
    const { accounts } = await ask('system/account/list', supporter, { 'filter.uuid.equals': customer.accountUuid })
    expect(accounts).toMatchObject([
      {
        uuid: customer.accountUuid,
        user_count: 1,
        group_count: 1,
        has_studies: 1,
        administrators: [{ email: head.email }],
        support_until: null,
      },
    ])
    expect(JSON.stringify(accounts)).not.toContain('Refused')
  })

  it('[API-37] a new one is the caller’s to set up: its roles, groups and people', async () => {
    const { uuid, namespace_id: place } = await ask('account/add', system, { name: 'Clinic South', issuer: 'SOUTH' })
    const { accounts } = await ask('account/list', system)
    expect(accounts).toContainEqual(
      expect.objectContaining({ uuid, namespace_id: place, issuer: 'SOUTH', role_name: 'Administrator' }),
    )
    expect(await fault('group/add', system, { account_id: uuid, name: 'Inbox' })).toBe('OK')
    expect(await fault('account/add', system, { name: 'clinic SOUTH' })).toBe('DUPLICATE_NAME')
    expect(await fault('account/add', system, { name: 'x'.repeat(101) })).toBe('INVALID_FIELD')
    expect(await fault('account/add', system, { name: 'Ok', issuer: 'A^B' })).toBe('INVALID_FIELD')
  })

  it('a new one is handed to an administrator, who is invited, and the caller stays outside', async () => {
    const person = { administrator_email: 'head@west.example', administrator_first: 'Wes' }
    const { uuid, invited } = await ask('account/add', system, { name: 'Clinic West', ...person })
    expect(invited).toBe(1)
    const { accounts } = await ask('account/list', system)
    expect(accounts.map((one: { uuid: string }) => one.uuid)).not.toContain(uuid)
    const [mail] = await query<{ recipient: string }>(`select recipient from mail where account_uuid = '${uuid}'`)
    expect(mail?.recipient).toBe('head@west.example')
    const known = await ask('account/add', system, { name: 'Clinic East', administrator_email: head.email })
    expect(known).toMatchObject({ status: 'OK', invited: 0 })
    expect((await ask('account/list', head)).accounts).toHaveLength(2)
    expect(await fault('account/add', system, { name: 'No', administrator_email: 'no address' })).toBe('MISSING_FIELDS')
    const bad = { administrator_email: 'no address', administrator_first: 'No' }
    expect(await fault('account/add', system, { name: 'No', ...bad })).toBe('INVALID_EMAIL')
    expect((await ask('system/account/list', system, { 'filter.name.equals': 'No' })).accounts).toEqual([])
  })
})

describe('flags', () => {
  it('are given and taken back by a system administrator, on record, after a proof, and never one’s own', async () => {
    const person = await third.addPerson()
    const set = (sent: object, by = system) => fault('system/user/set', by, { email: person.email, ...sent })
    await query(`update session set proven_at = now() - interval '16 minutes' where user_uuid = '${system.userUuid}'`)
    expect(await set({ support: 1 })).toBe('PROOF_REQUIRED')
    await query(`update session set proven_at = now() where user_uuid = '${system.userUuid}'`)
    expect(await set({ support: 1 })).toBe('OK')
    expect((await ask('system/user/list', system)).users).toContainEqual(
      expect.objectContaining({ email: person.email, support: 1, sysadmin: 0 }),
    )
    expect((await ask('session/user', person)).support).toBe(1)
    expect(await fault('system/user/set', system, { email: system.email, sysadmin: 0 })).toBe('CAN_NOT_PROMOTE')
    expect(await fault('system/user/set', system, { email: 'nobody@nowhere.example', support: 1 })).toBe(
      'USER_NOT_FOUND',
    )
    expect(await set({ support: 0 })).toBe('OK')
    expect(await fault('system/account/list', person)).toBe('NOT_PERMITTED')
    const rows = await query(
      `select action, detail from audit where object_uuid = '${person.userUuid}' and detail ? 'support' order by id`,
    )
    expect(rows).toEqual([
      { action: 'ROLE_CHANGE', detail: { support: [0, 1] } },
      { action: 'ROLE_CHANGE', detail: { support: [1, 0] } },
    ])
  })
})

describe('a supporter as somebody else', () => {
  it('signs in only while the account lets supporters in, and names a reason', async () => {
    await letIn(0)
    expect(await fault('system/account/users', supporter, { account_id: customer.accountUuid })).toBe('NOT_PERMITTED')
    expect(await fault('session/proxy', supporter, asPerson(head))).toBe('USER_NOT_FOUND')
    await letIn(24)
    const { users } = await ask('system/account/users', supporter, { account_id: customer.accountUuid })
    expect(users).toMatchObject([{ uuid: head.userUuid, role_name: 'Administrator' }])
    expect(await fault('session/proxy', supporter, asPerson(head, { reason: '' }))).toBe('MISSING_FIELDS')
    expect(await fault('session/proxy', supporter, asPerson(head, { reason: 'x'.repeat(301) }))).toBe('INVALID_FIELD')
    expect(await fault('session/proxy', head, asPerson(head))).toBe('NOT_PERMITTED')
    const outsider = await third.addPerson()
    expect(await fault('session/proxy', supporter, asPerson(outsider))).toBe('USER_NOT_FOUND')
    await query(
      `update session set proven_at = now() - interval '16 minutes' where user_uuid = '${supporter.userUuid}'`,
    )
    expect(await fault('session/proxy', supporter, asPerson(head))).toBe('PROOF_REQUIRED')
    await query(`update session set proven_at = now() where user_uuid = '${supporter.userUuid}'`)
    expect(await ask('session/proxy', supporter, asPerson(head))).toMatchObject({ uuid: head.userUuid, is_proxy: 1 })
  })

  it('is named in every row of the audit, and told to the person', async () => {
    await letIn(24)
    const proxied = await ask('session/proxy', supporter, asPerson(head))
    const user = await ask('session/user', proxied)
    expect(user).toMatchObject({
      uuid: head.userUuid,
      is_proxy: 1,
      proxy_name: supporter.name,
      sysadmin: 0,
      support: 0,
    })
    await ask('group/add', proxied, { account_id: customer.accountUuid, name: 'By support' })
    await ask('study/set', proxied, { study_id: study.uuid, patientid: 'SUPPORTED' })
    const image = `/api/v3/storage/study/${group.namespaceUuid}/${study.study_uid}/schema?sid=${proxied.sid}`
    await app.inject({ url: image })
    const rows = await query<{ action: string; actor: string; proxy: string }>(
      `select action, actor, proxy from audit where at > now() - interval '1 minute' and proxy <> '' order by id`,
    )
    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['LOGIN', 'ADD', 'EDIT', 'STUDY_VIEW']))
    expect(new Set(rows.map(({ actor, proxy }) => `${actor} ${proxy}`))).toEqual(
      new Set([`${head.userUuid} ${supporter.name}`]),
    )
    const { events } = await ask('audit/account', head, {
      account_id: customer.accountUuid,
      'filter.action.equals': 'LOGIN',
    })
    expect(events[0]).toMatchObject({ proxy: supporter.name, detail: { method: 'proxy', reason: 'Ticket 17' } })
    const { sessions } = await ask('session/list', head)
    expect(sessions).toContainEqual(expect.objectContaining({ session_id: proxied.session_id, method: 'proxy' }))
  })

  it('reaches the places of the account alone, none of the person’s own or of other accounts', async () => {
    const both = await customer.addPerson({ groups: [group] })
    const foreign = await third.addGroup()
    await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
      values ('${third.accountUuid}', '${both.userUuid}', '${third.roles.get('Administrator')}')`)
    await query(`insert into group_user (group_uuid, user_uuid) values ('${foreign.groupUuid}', '${both.userUuid}')`)
    await letIn(24)
    const proxied = await ask('session/proxy', supporter, asPerson(both))
    expect((await ask('account/list', proxied)).accounts).toMatchObject([{ uuid: customer.accountUuid }])
    expect(await fault('account/get', proxied, { uuid: third.accountUuid })).toBe('NOT_FOUND')
    const { namespaces } = await ask('user/namespace/list', proxied)
    expect(namespaces.map((one: { uuid: string }) => one.uuid).toSorted()).toEqual(
      [customer.namespaceUuid, group.namespaceUuid].toSorted(),
    )
    const derived = await ask('session/derive', proxied, { studies: [study.uuid] })
    expect(derived.status).toBe('OK')
  })

  it('changes no password, second factor, key, identity or setting of the person, and nobody’s login', async () => {
    await letIn(24)
    const proxied = await ask('session/proxy', supporter, asPerson(head))
    const refused = (Object.entries(calls) as unknown as [CallName, AnyCall][]).filter(([, one]) => !mayByProxy(one))
    expect(refused.map(([, { path }]) => path)).toEqual(
      expect.arrayContaining([
        'user/set',
        'session/key/add',
        'session/pin/remove',
        'session/prove',
        'identity/end',
        'account/user/set',
        'user/pin/reset',
        'session/proxy',
        'system/user/set',
        'setting/set',
      ]),
    )
    for (const [, { path }] of refused) {
      expect([path, await fault(path, proxied)]).toEqual([path, 'NOT_PERMITTED'])
    }
    for (const path of ['session/pin/begin', 'session/pin/confirm']) {
      expect([path, await fault(path, proxied, { pin: '000000' })]).not.toEqual([path, 'OK'])
    }
    const role_id = customer.roles.get('Viewer')
    for (const sent of [
      { support_hours: 48 },
      { pin_required: 0 },
      { password_expire: 0 },
      { session_expire: 0 },
      { vanity: 'else.example.org' },
      { role_id },
    ]) {
      expect([sent, await fault('account/set', proxied, { uuid: customer.accountUuid, ...sent })]).toEqual([
        sent,
        'NOT_PERMITTED',
      ])
    }
    expect(await fault('session/login', { sid: proxied.sid }, { login: head.email, password: 'x' })).toBe(
      'INVALID_CREDENTIALS',
    )
  })

  it.each([
    ['the account takes its consent back', () => letIn(0)],
    [
      'the time is over',
      () => query(`update account set support_until = now() where uuid = '${customer.accountUuid}'`),
    ],
    ['the supporter is none any more', () => ask('system/user/set', system, { email: supporter.email, support: 0 })],
    [
      'the supporter is disabled',
      () => query(`update app_user set disabled = true where uuid = '${supporter.userUuid}'`),
    ],
    ['the person is disabled', () => query(`update app_user set disabled = true where uuid = '${head.userUuid}'`)],
  ])('is signed out at once when %s', async (_when, end) => {
    await query(`update app_user set disabled = false, support = support or uuid = '${supporter.userUuid}'`)
    await letIn(24)
    const sid = await makeSession(services.db, supporter.userUuid)
    const proxied = await ask('session/proxy', { sid }, asPerson(head))
    const derived = await ask('session/derive', proxied, { studies: [study.uuid] })
    const image = `/api/v3/storage/study/${group.namespaceUuid}/${study.study_uid}/schema?sid=${derived.sid}`
    const look = async () => (await app.inject({ url: image })).statusCode
    expect([await fault('session/user', proxied), await look()]).toEqual(['OK', 200])
    await end()
    expect([await fault('session/user', proxied), await look()]).toEqual([401, 403])
    await query(`update app_user set disabled = false`)
  })

  it('never signs in as another supporter or system administrator', async () => {
    const powerful = await customer.addPerson({ role: 'Administrator' })
    await query(`update app_user set sysadmin = true where uuid = '${powerful.userUuid}'`)
    await letIn(24)
    const sid = await makeSession(services.db, supporter.userUuid)
    expect(await fault('session/proxy', { sid }, asPerson(powerful))).toBe('USER_NOT_FOUND')
  })
})
