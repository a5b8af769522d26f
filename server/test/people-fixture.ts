import { fillSecret } from '../src/areas/mail/mail-label.ts'
import { type Group, makeOrganisation, type Person } from './make-organisation.ts'
import { startTestApp, type TestApp } from './test-app.ts'

export const newPassword = 'harbour-7lamp3'
let made = 0
export const newEmail = () => `invited${++made}@clinic.example`
export const idsOf = (users: { user_id: string }[]) => users.map((one) => one.user_id)

/** The secret of the last mail to an address. */
export async function tokenMailedTo({ services, query }: Pick<TestApp, 'services' | 'query'>, email: string) {
  const [mail] = await query<{ uuid: string; body: string; sealed_secret: Buffer | null }>(
    `select uuid, body, sealed_secret from mail where recipient = '${email}' order by created desc limit 1`,
  )
  const secret = mail?.sealed_secret ? (services.sealer.open(mail.sealed_secret, mail.uuid) ?? '') : ''
  return /\/reset-password\/(\S+)/.exec(fillSecret(mail?.body ?? '', secret))?.[1] ?? ''
}

/** An account with its administrator, the calls for its people, and their mails. Call it at the top of a test file. */
export async function startPeople() {
  const { services, call, query } = await startTestApp()
  const organisation = await makeOrganisation(services.db)
  const elsewhere = await makeOrganisation(services.db)
  const { accountUuid, roles } = organisation
  const admin = await organisation.addPerson({ role: 'Administrator' })
  const inAccount = (sent: object, sid = admin.sid) => ({ sid, uuid: accountUuid, ...sent })

  const add = async (sent: object, sid?: string) => (await call('account/user/add', inAccount(sent, sid))).body
  const set = async (user_id: string, sent: object, sid?: string) =>
    (await call('account/user/set', inAccount({ user_id, ...sent }, sid))).body
  const get = async (user_id: string, sid?: string) =>
    (await call('account/user/get', inAccount({ user_id }, sid))).body
  const remove = async (user_id: string, sid?: string) =>
    (await call('account/user/delete', inAccount({ user_id }, sid))).body
  const enable = async (uuid: string, disable: 0 | 1, sid = admin.sid) =>
    (await call('user/enable', { sid, uuid, disable })).body
  const list = async (sid?: string) => (await call('account/user/list', inAccount({}, sid))).body

  async function addRole(
    permissions: readonly string[],
    only: { forAccount?: boolean; forGroup?: boolean } = {},
  ): Promise<string> {
    const [row] = await query<{ uuid: string }>(`insert into role
      (uuid, account_uuid, name, permissions, for_account, for_group)
      values (gen_random_uuid(), '${accountUuid}', 'Role ${++made}', '{${permissions.join(',')}}',
        ${only.forAccount ?? true}, ${only.forGroup ?? true})
      returning uuid`)
    return row?.uuid ?? ''
  }

  return {
    services,
    call,
    query,
    organisation,
    elsewhere,
    admin,
    accountUuid,
    add,
    set,
    get,
    remove,
    enable,
    list,
    tokenMailedTo: (email: string) => tokenMailedTo({ services, query }, email),
    addRole,
    roleOf: (name: string) => roles.get(name) ?? '',
    countMailsTo: async (email: string) => (await query(`select from mail where recipient = '${email}'`)).length,
    resetWith: async (token: string) =>
      (await call('user/password/reset', { token, password: newPassword })).body.status,
    signIn: async (email: string, password: string) => (await call('session/login', { login: email, password })).body,
    /** A person in a role of nothing but these permissions. */
    addHolder: async (permissions: readonly string[], groups: readonly Group[] = []): Promise<Person> => {
      const person = await organisation.addPerson({ groups })
      const role = await addRole(permissions)
      await query(`update account_user set role_uuid = '${role}' where user_uuid = '${person.userUuid}'`)
      return person
    },
  }
}
