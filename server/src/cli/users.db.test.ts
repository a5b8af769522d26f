import { afterAll, expect, it, vi } from 'vitest'
import { makeOrganisation, makeSession } from '../../test/make-organisation.ts'
import { startTestApp } from '../../test/test-app.ts'
import { CommandError } from './command-error.ts'
import { usersCommand } from './users.ts'

const { services, call, query, url } = await startTestApp()
const organisation = await makeOrganisation(services.db, { name: 'Northside' })

vi.stubEnv('DATABASE_URL', url)
vi.stubEnv('HILUM_DATA', services.config.dataFolder)
afterAll(() => vi.unstubAllEnvs())

/** The command's words to the operator; it runs beside the server. */
async function hilum(...args: string[]): Promise<string> {
  const said: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => said.push(String(line)) > 0)
  try {
    expect(await usersCommand(args)).toBe(0)
  } finally {
    write.mockRestore()
  }
  return said.join('')
}
const tokenIn = (said: string) => /\/reset-password\/([\w-]+)/.exec(said)?.[1]
const signIn = async (login: string, password: string) => (await call('session/login', { login, password })).body
const isIn = async (sid: string) => (await call('user/get', { sid })).status === 200
const auditOf = (uuid: string) =>
  query<{ action: string }>(`select action, account_uuid, detail->>'by' as by from audit
    where object_uuid = '${uuid}' and detail->>'by' = 'operator' order by id`)

it('lists who may sign in, where, and with how many sessions', async () => {
  const person = await organisation.addPerson({ role: 'Staff', email: 'desk@hospital.example' })
  await makeSession(services.db, person.userUuid)
  const said = await hilum()
  expect(said).toContain(
    `desk@hospital.example, ${person.name}\n    Staff of Northside\n    never signed in, 2 open sessions`,
  )
})

it('gives the operator a link that works once, on record', async () => {
  const { email, userUuid } = await organisation.addPerson()
  const said = await hilum('reset-link', email.toUpperCase())
  const token = tokenIn(said)
  const reset = async (password: string) => (await call('user/password/reset', { token, password })).body.error_type
  expect(await reset('cobalt93willow')).toBeUndefined()
  expect(await reset('walnut48meadow')).toBe('INVALID_TOKEN')
  expect((await signIn(email, 'cobalt93willow')).status).toBe('OK')
  expect(await auditOf(userUuid)).toEqual([
    { action: 'PASSWORD_LOST', account_uuid: organisation.accountUuid, by: 'operator' },
  ])
})

it('takes the second factor off somebody who has lost it, on record', async () => {
  const { email, userUuid, sid } = await organisation.addPerson()
  expect(await hilum('reset-two-factor', email)).toContain('has no second factor')
  await query(`insert into two_factor (user_uuid, sealed_secret, confirmed_at) values ('${userUuid}', '', now())`)
  expect(await hilum('reset-two-factor', email)).toContain('signs in with the password alone')
  expect(await isIn(sid)).toBe(false)
  expect(await auditOf(userUuid)).toMatchObject([{ action: 'TWO_FACTOR_RESET' }])
})

it('signs a person out everywhere', async () => {
  const person = await organisation.addPerson()
  const other = await organisation.addPerson()
  await query(`insert into remembered_device (uuid, digest, user_uuid, client_address, user_agent, expires_at)
    select gen_random_uuid(), decode(md5(uuid::text), 'hex'), uuid, '', '', now() + interval '1 day' from app_user
    where uuid in ('${person.userUuid}', '${other.userUuid}')`)
  expect(await hilum('end-sessions', person.email)).toContain('signed out everywhere (1 sessions)')
  expect([await isIn(person.sid), await isIn(other.sid)]).toEqual([false, true])
  expect(await query('select user_uuid from remembered_device')).toEqual([{ user_uuid: other.userUuid }])
  expect(await auditOf(person.userUuid)).toMatchObject([{ action: 'SESSIONS_ENDED' }])
})

it('keeps a person out, with every link that was made, and lets the person in again', async () => {
  const { email, sid, userUuid } = await organisation.addPerson({ password: 'cobalt93willow' })
  const token = tokenIn(await hilum('reset-link', email))
  await hilum('disable', email)
  expect(await isIn(sid)).toBe(false)
  expect((await signIn(email, 'cobalt93willow')).error_type).toBe('DISABLED')
  expect((await call('user/password/reset/check', { token })).body.error_type).toBe('INVALID_TOKEN')
  await expect(hilum('reset-link', email)).rejects.toThrow('disabled')
  await hilum('enable', email)
  expect((await call('user/password/reset/check', { token })).body.error_type).toBe('INVALID_TOKEN')
  expect((await signIn(email, 'cobalt93willow')).status).toBe('OK')
  expect((await auditOf(userUuid)).map((row) => row.action)).toEqual(['PASSWORD_LOST', 'DISABLE', 'ENABLE'])
})

it('makes a new administrator, who chooses the password by the link', async () => {
  const said = await hilum('add-administrator', 'head@hospital.example', '--last', 'Okoro')
  expect(said).toContain('head@hospital.example is an administrator of Northside.')
  await call('user/password/reset', { token: tokenIn(said), password: 'cobalt93willow' })
  const { sid } = await signIn('head@hospital.example', 'cobalt93willow')
  expect((await call('mail/outbox', { sid, account_id: organisation.accountUuid })).status).toBe(200)
})

it('makes somebody who is there an administrator', async () => {
  const { email, sid } = await organisation.addPerson({ role: 'Viewer' })
  expect(await hilum('add-administrator', email, '--account', 'northside')).not.toContain('reset-password')
  expect((await call('mail/outbox', { sid, account_id: organisation.accountUuid })).status).toBe(200)
})

it('[PERM-02] makes somebody a system administrator or a supporter, and takes it back, on record', async () => {
  const { email, sid, userUuid } = await organisation.addPerson()
  const list = async () => (await call('system/account/list', { sid })).body.error_type
  expect(await list()).toBe('NOT_PERMITTED')
  expect(await hilum('system-administrator', email)).toContain('makes organisations')
  expect((await call('account/add', { sid, name: 'From the terminal' })).status).toBe(200)
  await hilum('supporter', email)
  await hilum('no-system-flags', email)
  expect(await list()).toBe('NOT_PERMITTED')
  expect((await auditOf(userUuid)).map((row) => row.action).slice(-3)).toEqual(Array(3).fill('ROLE_CHANGE'))
})

it('takes the flags of the system from a disabled login, and gives it none', async () => {
  const { email, userUuid } = await organisation.addPerson()
  await hilum('system-administrator', email)
  await hilum('disable', email)
  await expect(hilum('supporter', email)).rejects.toThrow('disabled')
  expect(await hilum('no-system-flags', email)).toContain('looks after the installation no more')
  expect(await query(`select sysadmin, support from app_user where uuid = '${userUuid}'`)).toEqual([
    { sysadmin: false, support: false },
  ])
  expect((await auditOf(userUuid)).map((row) => row.action).slice(-1)).toEqual(['ROLE_CHANGE'])
  await hilum('no-system-flags', email)
})

it('says that an organisation is left without an administrator who has signed in', async () => {
  const lone = await makeOrganisation(services.db, { name: 'Southside' })
  const [head, deputy] = [
    await lone.addPerson({ role: 'Administrator', password: 'cobalt93willow' }),
    await lone.addPerson({ role: 'Administrator' }),
  ]
  expect((await signIn(head.email, 'cobalt93willow')).status).toBe('OK')
  expect(await hilum('disable', deputy.email)).not.toContain('no administrator')
  await hilum('enable', deputy.email)
  expect(await hilum('disable', head.email)).toContain('Southside has no administrator left who has signed in')
})

it.each([
  [['reset-link']],
  [['reset-link', 'nobody@hospital.example']],
  [['promote', 'head@hospital.example']],
  [['disable', 'a@x.example', 'b@x.example']],
  [['add-administrator', 'no address']],
  [['add-administrator', 'new@hospital.example', '--account', 'Elsewhere']],
])('refuses %j in words', async (args) => {
  await expect(hilum(...args)).rejects.toThrow(CommandError)
})
