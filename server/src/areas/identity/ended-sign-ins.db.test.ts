import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { comeBetween } from '../../../test/come-between.ts'
import { goodPassword, makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { digestOf, newSid } from '../../access/sid.ts'
import type { PinSession } from '../session/pin-session.sql.ts'
import { addSession, type SessionMethod } from '../session/sign-in.sql.ts'
import { linkIdentity, proveByIdentity } from './link-identity.command.ts'
import { findProviderOf, type ProviderRow } from './provider.sql.ts'
import { signInByProvider } from './sign-in-by-provider.command.ts'

/* Sessions and keys that end when an organisation changes how its people sign in. Nobody is sent to the provider here. */

const { services, call, query } = await startTestApp()
const { db } = services
const elsewhere = await makeOrganisation(db)
const issuer = 'https://login.hospital.example'

/** An organisation with a provider that is on, and an administrator who is connected with it. */
async function makeWithProvider(fields: object = {}) {
  const organisation = await makeOrganisation(db)
  const admin = await organisation.addPerson({ role: 'Administrator' })
  await query(
    `insert into user_identity (provider, subject, user_uuid) values ('${issuer}', '${admin.email}', '${admin.userUuid}')`,
  )
  const { accountUuid } = organisation
  const set = async (sent: object) =>
    (await call('identity/provider/set', { sid: admin.sid, account_id: accountUuid, ...sent })).body
  const made = { is_on: 1, button: 'Login', issuer, client_id: 'hilum', client_secret: 'secret', ...fields }
  expect(await set(made)).toEqual({ status: 'OK' })
  const provider = (await findProviderOf(db, accountUuid)) as ProviderRow // made above
  const remove = async () => (await call('identity/provider/delete', { sid: admin.sid, account_id: accountUuid })).body
  return { ...organisation, admin, provider, set, remove }
}

async function open(
  { userUuid }: { userUuid: string },
  method: SessionMethod,
  more: { providerUuid?: string; waitsFor?: 'pin'; onlyNamespace?: string } = {},
): Promise<string> {
  const [sid, uuid] = [newSid(), randomUUID()]
  const scope = method === 'key' ? { scope: ['study_edit'], strength: 'key' as const, name: 'PACS' } : {}
  await addSession(db, {
    uuid,
    sidDigest: digestOf(sid),
    userUuid,
    idleMinutes: 60,
    lifeMinutes: 600,
    method,
    ...scope,
    ...more,
  })
  return sid
}
const isOpen = async (sid: string) =>
  (await query(`select from session where sid_digest = '\\x${digestOf(sid).toString('hex')}'`)).length === 1
const areOpen = (sids: Readonly<Record<string, string>>) =>
  Promise.all(Object.entries(sids).map(async ([name, sid]) => ((await isOpen(sid)) ? name : ''))).then((names) =>
    names.filter(Boolean),
  )
/** One session of each kind. */
const openAll = async (person: Person, providerUuid: string) => ({
  password: person.sid,
  waiting: await open(person, 'password', { waitsFor: 'pin' }),
  basic: await open(person, 'basic'),
  oauth: await open(person, 'oauth'),
  sso: await open(person, 'sso', { providerUuid }),
  key: await open(person, 'key'),
})
const recordOf = (accountUuid: string, action: string) =>
  query<{ detail: Record<string, unknown>; object_uuid: string; actor: string | null }>(
    `select detail, object_uuid, actor from audit
     where account_uuid = '${accountUuid}' and action = '${action}' order by id`,
  )

describe('SSO-only', () => {
  it('ends what was opened by a password that opens nothing any more, but for the session that switches it on', async () => {
    const { addPerson, accountUuid, admin, provider, set } = await makeWithProvider()
    const person = await addPerson()
    const of = await openAll(person, provider.uuid)
    const adminElsewhere = await open(admin, 'password')
    // the password of somebody of two organisations is the way in until that person is connected by own wish
    const shared = await addPerson()
    await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
      values ('${elsewhere.accountUuid}', '${shared.userUuid}', '${elsewhere.roles.get('Viewer')}')`)
    const stranger = await elsewhere.addPerson()
    expect(await set({ sso_only: 1 })).toEqual({ status: 'OK' })
    expect(await areOpen(of)).toEqual(['sso', 'key'])
    expect((await call('user/get', { sid: person.sid })).status).toBe(401)
    expect(await areOpen({ admin: admin.sid, adminElsewhere, shared: shared.sid, stranger: stranger.sid })).toEqual([
      'admin',
      'shared',
      'stranger',
    ])
    const record = await recordOf(accountUuid, 'SESSIONS_ENDED')
    expect(record.toSorted((a, b) => Number(b.detail['sessions']) - Number(a.detail['sessions']))).toEqual([
      { actor: admin.userUuid, object_uuid: person.userUuid, detail: { sessions: 4, because: 'SSO_ONLY' } },
      { actor: admin.userUuid, object_uuid: admin.userUuid, detail: { sessions: 1, because: 'SSO_ONLY' } },
    ])
    // another change of the provider leaves alone what is open since
    expect(await set({ button: 'Log in' })).toEqual({ status: 'OK' })
    expect(await isOpen(admin.sid)).toBe(true)
  })

  it('ends them also where a provider that was off is switched on with it, and where it is asked of one person', async () => {
    const { addPerson, accountUuid, admin, set } = await makeWithProvider({ sso_only: 1 })
    await set({ is_on: 0 })
    const [person, other] = [await addPerson(), await addPerson()]
    await set({ is_on: 1 })
    expect(await areOpen({ person: person.sid, admin: admin.sid })).toEqual(['admin'])
    await set({ sso_only: 0 })
    const again = { one: await open(person, 'password'), key: await open(person, 'key') }
    const sent = { sid: admin.sid, uuid: accountUuid, user_id: person.userUuid, sso_only: 1 }
    expect((await call('account/user/set', sent)).body).toEqual({ status: 'OK' })
    expect(await areOpen({ ...again, other: await open(other, 'password') })).toEqual(['key', 'other'])
    expect((await recordOf(accountUuid, 'SESSIONS_ENDED')).at(-1)).toMatchObject({
      object_uuid: person.userUuid,
      detail: { sessions: 1, because: 'SSO_ONLY' },
    })
  })

  it('lets no password through that was looked at before it was switched on', async () => {
    const { addPerson, accountUuid, set } = await makeWithProvider()
    const person = await addPerson()
    const { db: watched, hasCome } = comeBetween(db, 2, () => set({ sso_only: 1 }))
    const { signIn } = await import('../sign-in/sign-in.command.ts')
    const sent = {
      login: person.email,
      password: goodPassword,
      vanity: '',
      newPassword: '',
      clientAddress: '::1',
      userAgent: '',
    }
    expect(await signIn({ ...services, db: watched }, sent)).toMatchObject({ kind: 'refused', code: 'SSO_ONLY' })
    expect(await hasCome()).toBe(true)
    const ofPerson = async (action: string) =>
      (await recordOf(accountUuid, action)).filter((one) => one.object_uuid === person.userUuid)
    expect(await ofPerson('LOGIN')).toEqual([])
    expect(await ofPerson('LOGIN_FAILED')).toMatchObject([{ detail: { reason: 'SSO_ONLY' } }])
  })
})

describe('a provider that lets nobody in any more', () => {
  it.each<[string, string, (organisation: Awaited<ReturnType<typeof makeWithProvider>>) => Promise<object>]>([
    ['switched off', 'SWITCHED_OFF', ({ set }) => set({ is_on: 0 })],
    ['another issuer', 'OTHER_ISSUER', ({ set }) => set({ issuer: 'https://other.example', client_secret: 'other' })],
    ['taken off', 'DELETED', ({ remove }) => remove()],
  ])('%s: the sessions that it opened end, but for the one that does it', async (_what, because, act) => {
    const organisation = await makeWithProvider()
    const { addPerson, accountUuid, admin, provider } = organisation
    const person = await addPerson()
    const of = await openAll(person, provider.uuid)
    await query(
      `update session set method = 'sso', provider_uuid = '${provider.uuid}' where user_uuid = '${admin.userUuid}'`,
    )
    const adminElsewhere = await open(admin, 'sso', { providerUuid: provider.uuid })
    expect(await act(organisation)).toEqual({ status: 'OK' })
    expect(await areOpen(of)).toEqual(['password', 'waiting', 'basic', 'oauth', 'key'])
    expect(await areOpen({ admin: admin.sid, adminElsewhere })).toEqual(['admin'])
    const record = await recordOf(accountUuid, 'SESSIONS_ENDED')
    expect(record.map(({ actor, detail }) => ({ actor, ...detail }))).toEqual([
      { actor: admin.userUuid, sessions: 1, because },
      { actor: admin.userUuid, sessions: 1, because },
    ])
    expect(record.map((one) => one.object_uuid).toSorted()).toEqual([admin.userUuid, person.userUuid].toSorted())
  })

  it.each([
    ['switched off', { is_on: 0 }],
    ['another issuer', { issuer: 'https://other.example', client_secret: 'other' }],
  ])('%s: takes no word of it for somebody who came back from it in the same moment', async (_what, change) => {
    const { addPerson, provider, set } = await makeWithProvider()
    const person = await addPerson()
    const said = saidOf(person)
    const session = { uuid: randomUUID(), user_uuid: person.userUuid, user_name: person.name } as PinSession // nothing else is asked for
    expect(await set(change)).toEqual({ status: 'OK' })
    const fault = { fault: 'SWITCHED_OFF' }
    await expect(signInByProvider({ db }, origin, provider, said)).rejects.toMatchObject(fault)
    await expect(linkIdentity({ db }, origin, { session, provider, said })).rejects.toMatchObject(fault)
    await query(`insert into user_identity (provider, subject, user_uuid) values
      ('${issuer}', '${said.subject}', '${person.userUuid}')`)
    await expect(proveByIdentity({ db }, origin, { session, provider, said })).rejects.toMatchObject(fault)
  })
})

const origin = { clientAddress: '::1', userAgent: '' } as Parameters<typeof signInByProvider>[1] // nothing else is asked for
const saidOf = ({ email }: Person, groups: readonly string[] = []) => ({
  issuer,
  subject: email,
  email,
  emailState: 'vouched' as const,
  first: '',
  last: '',
  groups,
  hasTwoFactors: false,
  proof: {},
})

describe('claims that give no role any more', () => {
  it('end what the provider opened and the keys of programs, on record', async () => {
    const { addPerson, accountUuid, roles, provider, set } = await makeWithProvider()
    await set({ rules: [{ value: 'doctors', role_id: roles.get('Clinician') }] })
    const person = await addPerson()
    const { sid } = await signInByProvider({ db }, origin, provider, saidOf(person, ['doctors']))
    const of = { ...(await openAll(person, provider.uuid)), came: sid }
    await expect(signInByProvider({ db }, origin, provider, saidOf(person))).rejects.toMatchObject({
      fault: 'NOT_MAPPED',
    })
    expect(await areOpen(of)).toEqual(['password', 'waiting', 'basic', 'oauth'])
    expect(await recordOf(accountUuid, 'SESSIONS_ENDED')).toEqual([
      { actor: null, object_uuid: person.userUuid, detail: { sessions: 2, because: 'NOT_MAPPED' } },
    ])
    expect(await recordOf(accountUuid, 'KEY_END')).toMatchObject([
      { actor: null, detail: { name: 'PACS', user_id: person.userUuid, because: 'NOT_MAPPED' } },
    ])
  })

  it('end of somebody whose login another organisation made the keys for places of this one alone', async () => {
    const { addGroup, accountUuid, roles, provider, set } = await makeWithProvider()
    await set({ rules: [{ value: 'doctors', role_id: roles.get('Clinician') }] })
    const [here, there] = [await addGroup(), await elsewhere.addGroup()]
    const guest = await elsewhere.addPerson()
    await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
      values ('${accountUuid}', '${guest.userUuid}', '${roles.get('Viewer')}')`)
    await query(`insert into user_identity (provider, subject, user_uuid, by_person)
      values ('${issuer}', '${guest.email}', '${guest.userUuid}', true)`)
    const keys = {
      here: await open(guest, 'key', { onlyNamespace: here.namespaceUuid }),
      there: await open(guest, 'key', { onlyNamespace: there.namespaceUuid }),
      everywhere: await open(guest, 'key'),
    }
    await expect(signInByProvider({ db }, origin, provider, saidOf(guest))).rejects.toMatchObject({
      fault: 'NOT_MAPPED',
    })
    expect(await areOpen(keys)).toEqual(['there', 'everywhere'])
  })
})
