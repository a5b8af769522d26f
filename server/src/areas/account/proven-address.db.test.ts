import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { newEmail, newPassword, startPeople } from '../../../test/people-fixture.ts'

const people = await startPeople()
const { call, query, services, organisation, elsewhere, accountUuid, roleOf, signIn, tokenMailedTo, resetWith } = people
const admin = await organisation.addPerson({ role: 'Administrator' })
const stranger = await elsewhere.addPerson({ role: 'Administrator' })
const operator = await elsewhere.addPerson({ role: 'Administrator' })
await query(`update app_user set sysadmin = true where uuid = '${operator.userUuid}'`)

const inElsewhere = { sid: stranger.sid, uuid: elsewhere.accountUuid }
const viewerElsewhere = elsewhere.roles.get('Viewer') ?? ''
const takeIn = async (sent: object) =>
  (await call('account/user/add', { sid: admin.sid, uuid: accountUuid, role_id: roleOf('Administrator'), ...sent }))
    .body
const invite = async (sent: object) =>
  (await call('user/invite', { sid: admin.sid, account_id: accountUuid, role_id: roleOf('Viewer'), ...sent })).body
const isMember = async (email: string) =>
  (
    await query(`select 1 from account_user au join app_user u on u.uuid = au.user_uuid
    where au.account_uuid = '${accountUuid}' and u.email = '${email}'`)
  ).length > 0

/** A login of the other organisation with a password that its administrator knows. */
async function makeOwnLogin(): Promise<{ uuid: string; email: string }> {
  const email = newEmail()
  const person = { email, first: 'Ada', last: 'Stranger', role_id: viewerElsewhere }
  const { uuid } = (await call('account/user/add', { ...inElsewhere, ...person })).body
  expect(await resetWith(await tokenMailedTo(email))).toBe('OK')
  return { uuid, email }
}

/** A provider of identities that signs the people of an account in. @returns its issuer */
async function addProvider(account: string, { ssoOnly }: { ssoOnly: boolean }): Promise<string> {
  const issuer = `https://id.example/${account}`
  await query(`insert into identity_provider (uuid, account_uuid, is_on, button, issuer, client_id, sealed_secret, scopes,
      email_claim, first_claim, last_claim, groups_claim, domains, creates_people, sso_only, trusts_second_factor, acr_values)
    values ('${randomUUID()}', '${account}', true, 'Login', '${issuer}', 'hilum', '', 'openid', 'email', '', '', '', '{}', true,
      ${ssoOnly}, false, '')`)
  return issuer
}

const unproven = { error_type: 'DUPLICATE_EMAIL', error_subtype: 'UNPROVEN' }

it.each([
  ['who signed in', true],
  ['whose password was never used', false],
])('takes nobody in by an address that another organisation wrote into a login, of somebody %s', async (_, signsIn) => {
  const { uuid, email } = await makeOwnLogin()
  if (signsIn) await signIn(email, newPassword)
  const doctor = newEmail()
  const written = await call('account/user/set', { ...inElsewhere, user_id: uuid, email: doctor })
  expect(written.body).toEqual({ status: 'OK' })
  expect(await takeIn({ email: doctor })).toMatchObject(unproven)
  expect(await invite({ email: doctor })).toMatchObject(unproven)
  const made = { sid: operator.sid, name: `Clinic ${randomUUID()}`, issuer: 'CLINIC', administrator_email: doctor }
  expect((await call('account/add', made)).body).toMatchObject(unproven)
  expect(await isMember(doctor)).toBe(false)

  // the mailbox is the doctor's: whoever reads it has a password that the writer does not know
  expect((await call('user/password/lost', { email: doctor })).body.status).toBe('OK')
  const chosen = { token: await tokenMailedTo(doctor), password: 'cobalt93willow' }
  expect((await call('user/password/reset', chosen)).body.status).toBe('OK')
  expect(await takeIn({ email: doctor })).toMatchObject({ status: 'OK', uuid })
})

it('takes nobody in whose first password another organisation gave', async () => {
  const email = newEmail()
  const person = { email, first: 'Bo', last: 'Given', password: goodPassword }
  const { uuid } = (await call('user/add', { sid: stranger.sid, account_id: elsewhere.accountUuid, ...person })).body
  const joined = await call('account/user/add', { ...inElsewhere, user_id: uuid, role_id: viewerElsewhere })
  expect(joined.body.status).toBe('OK')
  expect(await takeIn({ email })).toMatchObject(unproven)
})

it('takes in whoever was invited elsewhere and has no password yet, and whoever reads the mails of the address', async () => {
  const email = newEmail()
  const person = { email, first: 'Cy', last: 'Invited', role_id: viewerElsewhere }
  await call('account/user/add', { ...inElsewhere, ...person })
  expect((await takeIn({ email })).status).toBe('OK')
  expect((await takeIn({ email: (await makeOwnLogin()).email })).status).toBe('OK')
})

it('leaves whoever signs in by the provider of another organisation bound to that provider', async () => {
  const home = await makeOrganisation(services.db)
  const person = await home.addPerson()
  await addProvider(home.accountUuid, { ssoOnly: true })
  await query(`update session set method = 'sso' where user_uuid = '${person.userUuid}'`)
  expect((await signIn(person.email, goodPassword)).error_type).toBe('SSO_ONLY')

  const byProvider = { error_type: 'DUPLICATE_EMAIL', error_subtype: 'BY_PROVIDER' }
  expect(await takeIn({ email: person.email })).toMatchObject(byProvider)
  expect((await call('session/user', { sid: person.sid })).status).toBe(200)
  expect((await signIn(person.email, goodPassword)).error_type).toBe('SSO_ONLY')

  // who runs the installation decides for all of its organisations
  const bySystem = { sid: operator.sid, uuid: elsewhere.accountUuid, email: person.email, role_id: viewerElsewhere }
  expect((await call('account/user/add', bySystem)).body.status).toBe('OK')
})

it('lets a link that was mailed to a former address open nothing', async () => {
  const { uuid, email } = await makeOwnLogin()
  await call('user/password/lost', { email })
  const late = await tokenMailedTo(email)
  const doctor = newEmail()
  await call('account/user/set', { ...inElsewhere, user_id: uuid, email: doctor })
  // as if the link had been made in the moment of the change
  await query(`update password_reset set used_at = null where user_uuid = '${uuid}'`)
  const chosen = { token: late, password: 'cobalt93willow' }
  expect((await call('user/password/reset/check', { token: late })).body.error_type).toBe('INVALID_TOKEN')
  expect((await call('user/password/reset', chosen)).body.error_type).toBe('INVALID_TOKEN')
  expect(await takeIn({ email: doctor })).toMatchObject(unproven)
})

it('says first that somebody signs in by a provider, which no new password changes', async () => {
  const home = await makeOrganisation(services.db)
  const person = await home.addPerson()
  const issuer = await addProvider(home.accountUuid, { ssoOnly: false })
  await query(`insert into user_identity (provider, subject, user_uuid, email)
    values ('${issuer}', 'one', '${person.userUuid}', '${person.email}')`)
  await query(`update app_user set address_unproven = true, last_login = now() where uuid = '${person.userUuid}'`)
  expect(await takeIn({ email: person.email })).toMatchObject({ error_subtype: 'BY_PROVIDER' })
  // a provider that is off binds nobody
  await query(`update identity_provider set is_on = false where account_uuid = '${home.accountUuid}'`)
  expect(await takeIn({ email: person.email })).toMatchObject(unproven)
})
