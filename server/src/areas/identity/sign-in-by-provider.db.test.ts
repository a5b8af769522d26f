import { randomUUID } from 'node:crypto'
import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import { goodPassword, makeOrganisation, makeSession, type Person } from '../../../test/make-organisation.ts'
import { type MadeAnswer, startMadeProvider } from '../../../test/made-provider.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { allowPasswords } from '../user/operator-acts.command.ts'

/* A provider that says whatever the test wants; the certified one signs people in in e2e/sign-in-by-provider.e2e.ts. */

const made = await startMadeProvider()
const { services, call, query } = await startTestApp({ HILUM_SIGN_IN_PRIVATE: 'yes' })
const organisation = await makeOrganisation(services.db)
const elsewhere = await makeOrganisation(services.db)
const admin = await organisation.addPerson({ role: 'Administrator' })
const { accountUuid, roles } = organisation
const own = { host: '127.0.0.1', origin: 'http://127.0.0.1' }
const roleId = (name: string) => roles.get(name) ?? ''

const setProvider = (fields: object = {}, sid = admin.sid) =>
  call('identity/provider/set', { sid, account_id: accountUuid, ...fields })
const good = {
  is_on: 1,
  button: 'Northside login',
  issuer: made.issuer,
  client_id: made.client.id,
  client_secret: made.client.secret,
}
const readProvider = async () =>
  (await call('identity/provider/get', { sid: admin.sid, account_id: accountUuid })).body.provider
await setProvider(good)
const provider: string = (await readProvider()).uuid

/** Forgets what earlier tests have set. */
async function reset(fields: object = {}) {
  made.answer = {}
  await setProvider({
    domains: [],
    rules: [],
    unmapped_role_id: '',
    creates_people: 0,
    sso_only: 0,
    trusts_second_factor: 0,
    acr_values: '',
    ...fields,
  })
}

const begin = async (sent: object = {}) => {
  const { body, cookie } = await call('identity/begin', { provider, ...sent }, { headers: own })
  return { ...body, cookie: (cookie ?? '').split(';')[0] ?? '' }
}
const finish = async (sent: object, cookie: string) =>
  (await call('identity/finish', { ...sent }, { headers: { ...own, cookie } })).body

/** The whole way: to the provider, which says this of a person, and back. */
async function signIn(person: Record<string, unknown>, answer: MadeAnswer = {}) {
  made.person = person
  made.answer = answer
  const { address, cookie } = await begin()
  const reply = await finish(made.visit(address), cookie)
  made.answer = {}
  return reply
}
const faultOf = (reply: { error_type?: string; error_subtype?: string; status?: string }) =>
  reply.error_type === 'SSO_REFUSED' ? reply.error_subtype : (reply.error_type ?? reply.status)
const saidOf = (person: Person, more: object = {}) => ({
  sub: randomUUID(),
  email: person.email,
  email_verified: true,
  ...more,
})
const soon = () => Math.floor(Date.now() / 1000)
const lastAudit = async (action: string) =>
  (
    await query<{ detail: Record<string, unknown>; object_uuid: string | null; account_uuid: string }>(
      `select detail, object_uuid, account_uuid from audit where action = '${action}' order by id desc limit 1`,
    )
  )[0]
const countSessions = async () =>
  (await query<{ count: number }>(`select count(*)::integer as count from session`))[0]?.count ?? -1
const sessionOf = async (sessionUuid: string) =>
  (
    await query<{ method: string; strength: string; waits_for: string | null; provider_proof: object }>(
      `select method, strength, waits_for, provider_proof from session where uuid = '${sessionUuid}'`,
    )
  )[0]
const roleOf = async ({ userUuid }: { userUuid: string }) =>
  (
    await query<{ name: string }>(
      `select r.name from account_user au join role r on r.uuid = au.role_uuid
       where au.user_uuid = '${userUuid}' and au.account_uuid = '${accountUuid}'`,
    )
  )[0]?.name

describe('the way there and back', () => {
  it('signs in the account’s own person of a verified address, and from then on by the subject', async () => {
    await reset()
    const person = await organisation.addPerson()
    const said = saidOf(person, { acr: 'urn:one', amr: ['pwd'], auth_time: 1_790_000_000 })
    const reply = await signIn(said)
    expect(reply).toMatchObject({ status: 'OK', purpose: 'sign-in', uuid: person.userUuid, pin_required: 0 })
    expect(reply.account_id).toBe(accountUuid)
    expect((await call('user/get', { sid: reply.sid })).body.uuid).toBe(person.userUuid)
    expect(await sessionOf(reply.session_id)).toEqual({
      method: 'sso',
      strength: 'one factor',
      waits_for: null,
      provider_proof: { acr: 'urn:one', amr: ['pwd'], auth_time: 1_790_000_000 },
    })
    expect((await lastAudit('IDENTITY_LINKED'))?.object_uuid).toBe(person.userUuid)
    expect((await lastAudit('LOGIN'))?.detail).toMatchObject({ method: 'sso', provider: 'Northside login' })
    // no address, and still the same person
    expect(await signIn({ sub: said.sub })).toMatchObject({ uuid: person.userUuid })
    const { sessions } = (await call('session/list', { sid: reply.sid })).body
    expect(sessions.map((one: { method: string }) => one.method)).toContain('sso')
  })

  it('asks by code with PKCE, state and nonce, and sets a cookie that scripts and other sites never see', async () => {
    await reset({ trusts_second_factor: 1, acr_values: 'urn:two' })
    const { body, cookie } = await call('identity/begin', { provider }, { headers: own })
    const address = new URL(body.address)
    const asked = Object.fromEntries(address.searchParams)
    expect(address.origin + address.pathname).toBe(`${made.issuer}/auth`)
    expect(asked).toMatchObject({
      response_type: 'code',
      client_id: 'hilum',
      redirect_uri: 'http://127.0.0.1/sign-in/return',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      acr_values: 'urn:two',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThan(40)
    expect(cookie).toMatch(/^hilum_flow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=600$/)
    // nothing of it can be read in the database
    const [row] = await query<{ text: string }>(`select to_jsonb(f)::text as text from identity_flow f`)
    expect(row?.text).not.toContain(asked['state'])
    expect(row?.text).not.toContain(asked['nonce'])
  })

  it('brings back both of two tabs of one browser, each by its own way, and neither in another browser', async () => {
    await reset()
    const people = [await organisation.addPerson(), await organisation.addPerson()]
    const first = await begin()
    const { body, cookie } = await call('identity/begin', { provider }, { headers: { ...own, cookie: first.cookie } })
    const kept = (cookie ?? '').split(';')[0] ?? ''
    expect(kept).toBe(first.cookie)
    // the tab that was opened last comes back first
    for (const [at, address] of [body.address, first.address].entries()) {
      made.person = saidOf(people[at] as Person)
      expect(await finish(made.visit(address), kept)).toMatchObject({ uuid: people[at]?.userUuid })
    }
    const other = await begin()
    expect(await finish(made.visit(other.address), kept)).toMatchObject({ error_subtype: 'OTHER_BROWSER' })
    // a value that is no secret of ours binds nothing
    const planted = await call('identity/begin', { provider }, { headers: { ...own, cookie: 'hilum_flow=planted' } })
    expect(planted.cookie).toMatch(/^hilum_flow=[\w-]{43};/)
  })

  it('takes claims from the userinfo when the token lacks them', async () => {
    await reset()
    const person = await organisation.addPerson()
    const userinfo = { email: person.email, email_verified: true }
    expect(await signIn({ sub: 'by-userinfo' }, { userinfo })).toMatchObject({ uuid: person.userUuid })
  })

  it('gives where to sign out at the provider, and no such address after a sign-in by password', async () => {
    await reset()
    const person = await organisation.addPerson()
    const { sid } = await signIn(saidOf(person))
    const { logout_url: address } = (await call('session/logout', { sid }, { headers: own })).body
    expect(address).toContain(`${made.issuer}/logout?`)
    expect(new URL(address).searchParams.get('post_logout_redirect_uri')).toBe('http://127.0.0.1/')
    expect((await call('session/logout', { sid: person.sid })).body).not.toHaveProperty('logout_url')
  })
})

describe('hostile answers: words, an audit row, no session', () => {
  it.each<[string, MadeAnswer, string]>([
    ['another nonce', { claims: { nonce: 'other' } }, 'BAD_TOKEN'],
    ['no nonce', { claims: { nonce: undefined } }, 'BAD_TOKEN'],
    ['another issuer', { claims: { iss: 'https://evil.example' } }, 'BAD_TOKEN'],
    ['another audience', { claims: { aud: 'somebody' } }, 'BAD_TOKEN'],
    ['a second audience that it is for', { claims: { aud: ['hilum', 'other'], azp: 'other' } }, 'BAD_TOKEN'],
    ['a signature by another key', { signed: 'by another key' }, 'BAD_TOKEN'],
    ['no signature', { signed: 'not' }, 'BAD_TOKEN'],
    ['a signature by the client secret', { signed: 'by the secret' }, 'BAD_TOKEN'],
    ['a key that is not published', { header: { kid: 'two' } }, 'BAD_TOKEN'],
    ['a token that ran out', { claims: { exp: soon() - 120, iat: soon() - 600 } }, 'WRONG_CLOCK'],
    ['a token of the future', { claims: { nbf: soon() + 600 } }, 'WRONG_CLOCK'],
    ['a token that was made in the future', { claims: { iat: soon() + 600, exp: soon() + 900 } }, 'WRONG_CLOCK'],
    ['no subject', { claims: { sub: undefined } }, 'BAD_TOKEN'],
    ['another subject in the userinfo', { claims: { email: undefined }, userinfo: { sub: 'other' } }, 'BAD_TOKEN'],
    ['a redirect to another host', { instead: { '/token': 'redirect' } }, 'REDIRECT'],
    ['an answer of megabytes', { instead: { '/token': 'huge' } }, 'TOO_LARGE'],
    ['a page instead of an answer', { instead: { '/token': 'html' } }, 'BAD_ANSWER'],
    ['an error of the server', { instead: { '/token': 'server error' } }, 'BAD_ANSWER'],
    ['a connection that breaks off', { instead: { '/token': 'hang up' } }, 'UNREACHABLE'],
  ])('%s', async (_what, answer, fault) => {
    await reset()
    const person = await organisation.addPerson()
    const before = await countSessions()
    expect(faultOf(await signIn(saidOf(person), answer))).toBe(fault)
    expect(await countSessions()).toBe(before)
    const row = await lastAudit('LOGIN_FAILED')
    expect(row).toMatchObject({ account_uuid: accountUuid, detail: { reason: fault, method: 'sso' } })
    expect(JSON.stringify(row)).not.toContain(made.client.secret)
  })

  it.each([
    { exp: soon() - 30, iat: soon() - 330 },
    { iat: soon() + 30, nbf: soon() + 30 },
  ])('takes a clock that is off by less than a minute: %j', async (claims) => {
    await reset()
    expect(faultOf(await signIn(saidOf(await organisation.addPerson()), { claims }))).toBe('OK')
  })

  // RFC 9207: the answer says whose it is, so that none of another provider is taken for it
  it.each<[string, boolean, (issuer: string) => string | undefined, string]>([
    ['its own issuer', true, (issuer) => issuer, 'OK'],
    ['another issuer', true, () => 'https://evil.example', 'BAD_TOKEN'],
    ['no issuer, though its document says that answers have one', true, () => undefined, 'BAD_TOKEN'],
    ['another issuer, though its document does not speak of any', false, () => 'https://evil.example', 'BAD_TOKEN'],
    ['no issuer, and a document that does not speak of any', false, () => undefined, 'OK'],
  ])('an answer with %s', async (_what, isAnnounced, issOf, outcome) => {
    await reset()
    made.answer = { document: { authorization_response_iss_parameter_supported: isAnnounced } }
    made.person = saidOf(await organisation.addPerson())
    const { address, cookie } = await begin()
    const iss = issOf(made.issuer)
    const asked = made.asked.length
    expect(faultOf(await finish({ ...made.visit(address), ...(iss ? { iss } : {}) }, cookie))).toBe(outcome)
    // the code of a refused answer goes to nobody
    expect(made.asked.slice(asked).includes('/token')).toBe(outcome === 'OK')
    made.answer = {}
  })

  it.each<[string, MadeAnswer, string]>([
    ['another issuer', { document: { issuer: 'https://evil.example' } }, 'WRONG_ISSUER'],
    ['addresses that are no web', { document: { authorization_endpoint: 'javascript:alert(1)' } }, 'INSECURE_ADDRESS'],
    [
      'no signatures by a private key',
      { document: { id_token_signing_alg_values_supported: ['HS256'] } },
      'NO_ALGORITHM',
    ],
    ['no sign-in by code', { document: { response_types_supported: ['id_token'] } }, 'NO_CODE_FLOW'],
    ['no addresses', { document: { token_endpoint: undefined } }, 'BAD_ANSWER'],
    ['a redirect', { instead: { '/.well-known/openid-configuration': 'redirect' } }, 'REDIRECT'],
    ['megabytes', { instead: { '/.well-known/openid-configuration': 'huge' } }, 'TOO_LARGE'],
    ['nothing', { instead: { '/.well-known/openid-configuration': 'hang up' } }, 'UNREACHABLE'],
  ])('a document with %s', async (_what, answer, fault) => {
    await reset()
    made.answer = answer
    const { body } = await call('identity/begin', { provider }, { headers: own })
    expect(faultOf(body)).toBe(fault)
    expect((await lastAudit('LOGIN_FAILED'))?.detail).toMatchObject({ reason: fault })
    const { steps } = (await call('identity/provider/test', { sid: admin.sid, account_id: accountUuid })).body
    expect(steps).toEqual([{ step: 'discovery', fault }])
  })

  it('takes a state once, of the browser that began, and not after its time', async () => {
    await reset()
    made.person = saidOf(await organisation.addPerson())
    const one = await begin()
    const back = made.visit(one.address)
    expect(faultOf(await finish({ ...back, state: 'made-up' }, one.cookie))).toBe('FLOW_OVER')
    expect(faultOf(await finish(back, one.cookie))).toBe('OK')
    expect(faultOf(await finish(back, one.cookie))).toBe('FLOW_OVER')

    const two = await begin()
    expect(faultOf(await finish(made.visit(two.address), one.cookie))).toBe('OTHER_BROWSER')
    // and it is over for the right browser as well
    expect(faultOf(await finish(made.visit(two.address), two.cookie))).toBe('FLOW_OVER')

    const three = await begin()
    const foreign = { headers: { host: '127.0.0.1', origin: 'https://evil.example', cookie: three.cookie } }
    expect(faultOf((await call('identity/finish', made.visit(three.address), foreign)).body)).toBe('OTHER_BROWSER')

    const four = await begin()
    await query(`update identity_flow set expires_at = now() - interval '1 second'`)
    expect(faultOf(await finish(made.visit(four.address), four.cookie))).toBe('FLOW_OVER')
    expect((await lastAudit('LOGIN_FAILED'))?.detail).toMatchObject({ reason: 'FLOW_OVER' })
  })

  it('takes no code of another way or client, and no refusal for a sign-in', async () => {
    await reset()
    made.person = saidOf(await organisation.addPerson())
    const [one, two] = [await begin(), await begin()]
    const { code } = made.visit(one.address)
    const { state } = made.visit(two.address)
    expect(faultOf(await finish({ state, code }, two.cookie))).toBe('CODE_REFUSED')
    const refused = await begin()
    const sent = { state: made.visit(refused.address).state, error: 'access_denied' }
    expect(faultOf(await finish(sent, refused.cookie))).toBe('CANCELLED')
    const broken = await begin()
    const other = { state: made.visit(broken.address).state, error: 'server_error' }
    expect(faultOf(await finish(other, broken.cookie))).toBe('PROVIDER_ERROR')
    await setProvider({ client_secret: 'another secret' })
    expect(faultOf(await signIn(made.person))).toBe('WRONG_SECRET')
    await setProvider({ client_secret: made.client.secret })
  })
})

describe('whose identity it is', () => {
  it('goes by no address that is not vouched for', async () => {
    await reset()
    const person = await organisation.addPerson()
    const said = saidOf(person)
    expect(faultOf(await signIn({ ...said, email_verified: false }))).toBe('EMAIL_NOT_VERIFIED')
    expect(faultOf(await signIn({ ...said, email_verified: undefined }))).toBe('EMAIL_NOT_VERIFIED')
    expect(faultOf(await signIn({ sub: said.sub }))).toBe('NO_EMAIL')
    await reset({ domains: ['elsewhere.example'] })
    expect(faultOf(await signIn(said))).toBe('EMAIL_DOMAIN')
    await reset({ domains: ['Hospital.Example'] })
    expect(faultOf(await signIn({ ...said, email_verified: false }))).toBe('EMAIL_NOT_VERIFIED')
    expect(faultOf(await signIn({ ...said, email_verified: undefined }))).toBe('OK')
  })

  it('refuses a subject that came back with another address, until that is the person’s own here', async () => {
    await reset()
    const person = await organisation.addPerson()
    const said = saidOf(person)
    await signIn(said)
    const married = { ...said, email: 'married@hospital.example' }
    expect(faultOf(await signIn(married))).toBe('EMAIL_CHANGED')
    expect((await lastAudit('LOGIN_FAILED'))?.object_uuid).toBe(person.userUuid)
    await call('account/user/set', {
      sid: admin.sid,
      uuid: accountUuid,
      user_id: person.userUuid,
      email: married.email,
    })
    expect(faultOf(await signIn(married))).toBe('OK')
    // a second subject with the address of somebody who is connected
    expect(faultOf(await signIn({ ...married, sub: 'second' }))).toBe('LINKED_ELSEWHERE')
  })

  it('signs nobody in to another organisation, and lets such people connect themselves', async () => {
    await reset()
    const person = await organisation.addPerson()
    const said = saidOf(person)
    await signIn(said)
    await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
      values ('${elsewhere.accountUuid}', '${person.userUuid}', '${elsewhere.roles.get('Viewer')}')`)
    expect(faultOf(await signIn(said))).toBe('LINK_FIRST')
    const stranger = await elsewhere.addPerson()
    expect(faultOf(await signIn(saidOf(stranger)))).toBe('LINK_FIRST')

    const ask = (sid: string, purpose = 'link') =>
      call('identity/link/begin', { sid, provider, purpose }, { headers: own })
    expect(faultOf((await ask(stranger.sid)).body)).toBe('NOT_MEMBER')
    await query(`update session set proven_at = now() - interval '16 minutes' where user_uuid = '${person.userUuid}'`)
    const sid = await makeSession(services.db, person.userUuid)
    await query(`update session set proven_at = now() - interval '16 minutes' where user_uuid = '${person.userUuid}'`)
    expect((await ask(sid)).body.error_type).toBe('PROOF_REQUIRED')
    await call('session/prove', { sid, password: goodPassword })
    const { body, cookie = '' } = await ask(sid)
    made.person = said
    const back = made.visit(body.address)
    expect(faultOf(await finish({ ...back, sid: person.sid }, cookie))).toBe('OTHER_SESSION')
    const again = await ask(sid)
    expect(await finish({ ...made.visit(again.body.address), sid }, again.cookie ?? '')).toMatchObject({
      purpose: 'link',
    })
    expect(faultOf(await signIn(said))).toBe('OK')
    const { identities } = (await call('identity/list', { sid })).body
    expect(identities).toMatchObject([{ provider, is_linked: 1, email: person.email }])
    expect((await call('identity/end', { sid, provider })).body.status).toBe('OK')
    expect(faultOf(await signIn(said))).toBe('LINK_FIRST')
  })

  it('lets a wish count for the accounts that the person had then, and ends what the provider opened', async () => {
    await reset()
    const person = await organisation.addPerson()
    const said = saidOf(person)
    const { sid } = await signIn({ ...said, auth_time: soon() })
    const link = async (as: string) => {
      const { body, cookie = '' } = await call(
        'identity/link/begin',
        { sid: as, provider, purpose: 'link' },
        { headers: own },
      )
      made.person = said
      return finish({ ...made.visit(body.address), sid: as }, cookie)
    }
    expect(await link(sid)).toMatchObject({ purpose: 'link' })
    const head = await elsewhere.addPerson({ role: 'Administrator' })
    const joined = await call('account/user/add', {
      sid: head.sid,
      uuid: elsewhere.accountUuid,
      email: person.email,
      role_id: elsewhere.roles.get('Viewer'),
    })
    expect(joined.body.status).toBe('OK')
    expect((await call('user/get', { sid })).status).toBe(401)
    expect(faultOf(await signIn(said))).toBe('LINK_FIRST')
    // the page offers to connect anew
    const at = await makeSession(services.db, person.userUuid)
    const isLinked = async () => (await call('identity/list', { sid: at })).body.identities[0].is_linked
    expect(await isLinked()).toBe(0)
    expect(await link(at)).toMatchObject({ purpose: 'link' })
    expect(await isLinked()).toBe(1)
    expect(faultOf(await signIn(said))).toBe('OK')
  })

  it('signs in by a vouched address nobody who got a flag of the system, nor one whose address only reads alike', async () => {
    await reset()
    const person = await organisation.addPerson()
    const said = saidOf(person)
    expect(faultOf(await signIn({ ...said, email: person.email.replace('@', '\u200b@') }))).toBe('NO_EMAIL')
    expect(faultOf(await signIn(said))).toBe('OK')
    await query(`update app_user set support = true where uuid = '${person.userUuid}'`)
    expect(faultOf(await signIn(said))).toBe('LINK_FIRST')
  })

  it('names nobody of another organisation in the record', async () => {
    await reset()
    const stranger = await elsewhere.addPerson()
    expect(faultOf(await signIn(saidOf(stranger)))).toBe('LINK_FIRST')
    expect(await lastAudit('LOGIN_FAILED')).toMatchObject({ account_uuid: accountUuid, object_uuid: null })
    const said = { sub: randomUUID() }
    await query(`insert into user_identity (provider, subject, user_uuid)
      values ('${made.issuer}', '${said.sub}', '${stranger.userUuid}')`)
    expect(faultOf(await signIn(said))).toBe('NOT_MEMBER')
    expect(await lastAudit('LOGIN_FAILED')).toMatchObject({ object_uuid: null })
  })

  it('connects nobody with an identity of somebody else, and proves who sits there', async () => {
    await reset()
    const [one, two] = [await organisation.addPerson(), await organisation.addPerson()]
    const said = saidOf(one)
    const { sid } = await signIn(said)
    const go = async (who: string, purpose: string, as: Record<string, unknown>) => {
      const { body, cookie = '' } = await call('identity/link/begin', { sid: who, provider, purpose }, { headers: own })
      made.person = as
      if (!body.address) return body
      return finish({ ...made.visit(body.address), sid: who }, cookie)
    }
    expect(faultOf(await go(two.sid, 'link', said))).toBe('LINKED_ELSEWHERE')
    expect(faultOf(await go(two.sid, 'prove', said))).toBe('LINK_FIRST')
    await query(`update session set proven_at = now() - interval '16 minutes' where user_uuid = '${one.userUuid}'`)
    const now = Math.floor(Date.now() / 1000)
    expect(faultOf(await go(sid, 'prove', { ...said, auth_time: now - 3600 }))).toBe('WRONG_CLOCK')
    expect(faultOf(await go(sid, 'prove', { ...said, sub: 'other', auth_time: now }))).toBe('OTHER_PERSON')
    expect((await call('identity/end', { sid, provider })).body.error_type).toBe('PROOF_REQUIRED')
    expect(await go(sid, 'prove', { ...said, auth_time: now })).toMatchObject({ purpose: 'prove' })
    expect((await call('identity/end', { sid, provider })).body.status).toBe('OK')
  })

  it('lets in nobody who is disabled, left, or unknown', async () => {
    await reset()
    const person = await organisation.addPerson()
    const said = saidOf(person)
    await signIn(said)
    await call('user/enable', { sid: admin.sid, uuid: person.userUuid, disable: 1 })
    expect(faultOf(await signIn(said))).toBe('DISABLED')
    await query(`delete from account_user where user_uuid = '${person.userUuid}'`)
    expect(faultOf(await signIn(said))).toBe('NOT_MEMBER')
    const unknown = { sub: 'new', email: 'new@hospital.example', email_verified: true, name: 'Nora Neu' }
    expect(faultOf(await signIn(unknown))).toBe('NOT_KNOWN')
    await reset({ creates_people: 1, unmapped_role_id: roleId('Viewer') })
    const { uuid, sid } = await signIn(unknown)
    expect((await call('user/get', { sid })).body).toMatchObject({ uuid, first: 'Nora', last: 'Neu' })
    expect(await roleOf({ userUuid: uuid })).toBe('Viewer')
    await setProvider({ is_on: 0 })
    expect(faultOf((await call('identity/begin', { provider }, { headers: own })).body)).toBe('SWITCHED_OFF')
    await setProvider({ is_on: 1 })
  })
})

describe('roles and groups', () => {
  it('follow the claims at each sign-in; what went goes, and people without a role stay out', async () => {
    const [ct, mr, free] = [await organisation.addGroup(), await organisation.addGroup(), await organisation.addGroup()]
    await reset({
      rules: [
        { value: 'readers', role_id: roleId('Viewer') },
        { value: 'doctors', role_id: roleId('Clinician') },
        { value: 'ct', group_id: ct.groupUuid },
        { value: 'mr', group_id: mr.groupUuid, role_id: roleId('Viewer') },
      ],
    })
    const person = await organisation.addPerson({ role: 'Staff', groups: [free] })
    const said = saidOf(person)
    const groupsNow = async () =>
      (await query<{ group_uuid: string }>(`select group_uuid from group_user where user_uuid = '${person.userUuid}'`))
        .map((one) => one.group_uuid)
        .toSorted()
    const first = await signIn({ ...said, groups: ['doctors', 'ct', 'mr', 'unknown'] })
    expect(await roleOf(person)).toBe('Clinician')
    expect(await groupsNow()).toEqual([ct.groupUuid, mr.groupUuid, free.groupUuid].toSorted())
    expect((await lastAudit('EDIT'))?.detail).toMatchObject({
      role_id: [roleId('Staff'), roleId('Clinician')],
      by: 'identity provider',
    })
    await signIn({ ...said, groups: ['doctors', 'readers', 'mr'] })
    expect(await roleOf(person)).toBe('Viewer')
    expect(await groupsNow()).toEqual([mr.groupUuid, free.groupUuid].toSorted())
    expect(faultOf(await signIn({ ...said, groups: 'nobody' }))).toBe('NOT_MAPPED')
    expect(await groupsNow()).toEqual([free.groupUuid])
    // and what was open is over
    expect((await call('user/get', { sid: first.sid })).status).toBe(401)
    await reset({ unmapped_role_id: roleId('Uploader') })
    expect(await roleOf(person)).toBe('Viewer')
  })

  it('keep their roles: with a role its rule would go, and let in whom it refuses', async () => {
    await reset()
    const add = async (place: string) => {
      const sent = { sid: admin.sid, account_id: accountUuid, name: randomUUID(), [place]: 1, permissions: {} }
      return (await call('role/add', sent)).body.uuid as string
    }
    const remove = async (uuid: string) => (await call('role/delete', { sid: admin.sid, uuid })).body
    const [role, inGroup] = [await add('for_account'), await add('for_group')]
    const group = await organisation.addGroup()
    await setProvider({ rules: [{ value: 'doctors', role_id: role }] })
    expect(await remove(role)).toMatchObject({ error_type: 'IN_USE', error_subtype: ['account'] })
    await setProvider({ rules: [{ value: 'doctors', role_id: inGroup, group_id: group.groupUuid }] })
    expect(await remove(inGroup)).toMatchObject({ error_type: 'IN_USE', error_subtype: ['group'] })
    await reset({ unmapped_role_id: role })
    expect(await remove(role)).toMatchObject({ error_type: 'IN_USE', error_subtype: ['account'] })
    await reset()
    expect(faultOf(await remove(role))).toBe('OK')
  })

  it('leave the last administrator the role, also beside one who was invited and never signed in', async () => {
    const lone = await makeOrganisation(services.db)
    const head = await lone.addPerson({ role: 'Administrator' })
    await lone.addPerson({ role: 'Administrator' })
    await query(`update app_user set last_login = now() where uuid = '${head.userUuid}'`)
    const set = { sid: head.sid, account_id: lone.accountUuid, ...good, issuer: `${made.issuer}/` }
    await call('identity/provider/set', {
      ...set,
      issuer: made.issuer,
      rules: [{ value: 'all', role_id: lone.roles.get('Viewer') }],
    })
    const { uuid } = (await call('identity/provider/get', set)).body.provider
    made.person = { ...saidOf(head), groups: ['all'] }
    const { address, cookie } = await begin({ provider: uuid })
    expect(faultOf(await finish(made.visit(address), cookie))).toBe('OK')
    const [row] = await query<{ name: string }>(`select r.name from account_user au
      join role r on r.uuid = au.role_uuid where au.user_uuid = '${head.userUuid}'`)
    expect(row?.name).toBe('Administrator')
    expect((await lastAudit('EDIT'))?.detail).toMatchObject({ role_kept: 'LAST_ADMINISTRATOR' })
  })
})

describe('the second factor', () => {
  it('is asked for here, unless the account trusts two factors at the provider and nobody else asks', async () => {
    await reset()
    const person = await organisation.addPerson()
    await query(`update account set pin_required = true where uuid = '${accountUuid}'`)
    const said = saidOf(person, { amr: ['pwd', 'mfa'] })
    const weak = await signIn(said)
    expect(weak).toMatchObject({ pin_required: 1, pin_via: 'setup' })
    expect((await call('user/get', { sid: weak.sid })).status).toBe(401)
    const begun = (await call('session/pin/begin', { sid: weak.sid })).body
    const pin = generateSync({ secret: begun.secret as string })
    expect((await call('session/pin/confirm', { sid: weak.sid, pin })).body.status).toBe('OK')
    expect((await lastAudit('LOGIN'))?.detail).toMatchObject({
      method: 'sso',
      provider: 'Northside login',
      amr: ['pwd', 'mfa'],
      second_factor: expect.any(String),
    })
    await query(`delete from two_factor where user_uuid = '${person.userUuid}'`)
    await reset({ trusts_second_factor: 1, acr_values: 'urn:two' })
    const strong = await signIn(said)
    expect(strong).toMatchObject({ pin_required: 0 })
    expect(await sessionOf(strong.session_id)).toMatchObject({ strength: 'two factors' })
    expect(await signIn({ ...said, amr: [], acr: 'urn:two' })).toMatchObject({ pin_required: 0 })
    expect(await signIn({ ...said, amr: ['pwd'], acr: 'urn:one' })).toMatchObject({ pin_required: 1 })
    await query(`update account set pin_required = false`)
  })

  it('takes as a proof of who sits there a sign-in of now, and none of which the provider knew before', async () => {
    await reset()
    const said = saidOf(await organisation.addPerson())
    const endIt = async (person: object) => {
      const { sid } = await signIn({ ...said, ...person })
      return faultOf((await call('identity/end', { sid, provider })).body)
    }
    expect(await endIt({})).toBe('PROOF_REQUIRED')
    expect(await endIt({ auth_time: soon() - 3600 })).toBe('PROOF_REQUIRED')
    expect(await endIt({ auth_time: 1e300 })).toBe('OK')
    expect(await endIt({ auth_time: soon() })).toBe('OK')
  })

  it('is the proof where it is on: the provider’s word alone is not', async () => {
    await reset()
    const person = await organisation.addPerson()
    const said = saidOf(person)
    await signIn(said)
    await query(
      `insert into two_factor (user_uuid, sealed_secret, confirmed_at) values ('${person.userUuid}', 'x', now())`,
    )
    const prove = async (more: object = {}) => {
      const { body, cookie = '' } = await call(
        'identity/link/begin',
        { sid: person.sid, provider, purpose: 'prove' },
        { headers: own },
      )
      made.person = { ...said, auth_time: soon(), ...more }
      return faultOf(await finish({ ...made.visit(body.address), sid: person.sid }, cookie))
    }
    expect(await prove({ amr: ['mfa'] })).toBe('SECOND_FACTOR')
    await reset({ trusts_second_factor: 1 })
    expect(await prove()).toBe('SECOND_FACTOR')
    expect(await prove({ amr: ['mfa'] })).toBe('OK')
  })
})

describe('SSO-only', () => {
  it('refuses passwords of people who can sign in otherwise, and is switched on by such a person', async () => {
    await reset()
    expect(faultOf((await setProvider({ sso_only: 1 })).body)).toBe('LINK_FIRST')
    await signIn(saidOf(admin))
    expect((await setProvider({ sso_only: 1 })).body.status).toBe('OK')
    const person = await organisation.addPerson()
    const login = async (password: string) =>
      (await call('session/login', { login: person.email, password })).body.error_type ?? 'OK'
    expect(await login(goodPassword)).toBe('SSO_ONLY')
    // told to nobody who does not know the password
    expect(await login('not the right 1')).toBe('INVALID_CREDENTIALS')
    const token = { grant_type: 'client_credentials', client_id: person.email, client_secret: goodPassword }
    expect((await call('session/oauth/token', token)).body.error_type).toBe('AUTH_FAILED')
    const basic = `Basic ${Buffer.from(`${person.email}:${goodPassword}`).toString('base64')}`
    expect((await call('user/get', {}, { headers: { authorization: basic } })).status).toBe(401)
    expect(await lastAudit('LOGIN_FAILED')).toMatchObject({
      object_uuid: person.userUuid,
      detail: { reason: 'SSO_ONLY' },
    })
    // somebody of two organisations needs the password to connect, and not any more then
    await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
      values ('${elsewhere.accountUuid}', '${person.userUuid}', '${elsewhere.roles.get('Viewer')}')`)
    expect(await login(goodPassword)).toBe('OK')
    await query(`insert into user_identity (provider, subject, user_uuid, by_person)
      values ('${made.issuer}', 'own', '${person.userUuid}', true)`)
    expect(await login(goodPassword)).toBe('SSO_ONLY')
    await reset()
    expect(await login(goodPassword)).toBe('OK')
  })

  it('[API-37] is asked of one person alone, never of oneself, and ended at the terminal for all', async () => {
    await reset({ is_on: 1 })
    const [person, other] = [await organisation.addPerson(), await organisation.addPerson()]
    const login = async ({ email }: { email: string }) =>
      (await call('session/login', { login: email, password: goodPassword })).body.error_type ?? 'OK'
    const set = async (user_id: string, sso_only: 0 | 1) =>
      (await call('account/user/set', { sid: admin.sid, uuid: accountUuid, user_id, sso_only })).body
    const asked = { sid: admin.sid, uuid: accountUuid, user_id: person.userUuid }
    const shown = async () => (await call('account/user/get', asked)).body.sso_only
    expect(await shown()).toBe(0)
    expect(await set(person.userUuid, 1)).toEqual({ status: 'OK' })
    expect(await shown()).toBe(1)
    expect([await login(person), await login(other)]).toEqual(['SSO_ONLY', 'OK'])
    expect(await set(admin.userUuid, 1)).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'SELF' })
    // without a provider that lets the person in, the password is the only way
    await setProvider({ is_on: 0 })
    expect(await login(person)).toBe('OK')
    await setProvider({ is_on: 1 })
    expect(await login(person)).toBe('SSO_ONLY')
    expect(await set(person.userUuid, 0)).toEqual({ status: 'OK' })
    expect(await login(person)).toBe('OK')
    await set(person.userUuid, 1)
    expect(await allowPasswords({ db: services.db, machineUser: 'root' }, accountUuid)).toBe(true)
    expect(await login(person)).toBe('OK')
    expect(await allowPasswords({ db: services.db, machineUser: 'root' }, accountUuid)).toBe(false)
  })
})

describe('the provider of an account', () => {
  it('is set by a holder of all that anybody holds there, after a proof; the secret is told to nobody', async () => {
    await reset()
    const shown = await call('identity/provider/get', { sid: admin.sid, account_id: accountUuid })
    expect(JSON.stringify(shown.body)).not.toContain(made.client.secret)
    expect(shown.body.redirect_address).toMatch(/\/sign-in\/return$/)
    const [kept] = await query<{ text: string }>(
      `select encode(sealed_secret, 'escape') as text from identity_provider`,
    )
    expect(kept?.text).not.toContain(made.client.secret)
    const rows = await query<{ detail: object }>(`select detail from audit where type = 'Identity_provider'`)
    expect(JSON.stringify(rows)).not.toContain(made.client.secret)
    expect(JSON.stringify(rows)).toContain('"client_secret":"changed"')

    const lesser = await organisation.addPerson()
    await query(`insert into role (uuid, account_uuid, name, permissions, for_account)
      values ('${accountUuid}', '${accountUuid}', 'Lesser', '{account_edit,account_user_edit,role_edit}', true)`)
    await query(`update account_user set role_uuid = '${accountUuid}' where user_uuid = '${lesser.userUuid}'`)
    expect((await setProvider({ button: 'Mine' }, lesser.sid)).body).toMatchObject({
      error_type: 'NOT_PERMITTED',
      error_subtype: 'ROLE_ABOVE',
    })
    const deletion = await call('identity/provider/delete', { sid: lesser.sid, account_id: accountUuid })
    expect(deletion.body).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'ROLE_ABOVE' })
    await query(`update session set proven_at = now() - interval '16 minutes' where user_uuid = '${admin.userUuid}'`)
    expect((await setProvider({ button: 'Mine' })).body.error_type).toBe('PROOF_REQUIRED')
    await query(`update session set proven_at = now() where user_uuid = '${admin.userUuid}'`)
  })

  it.each([
    [{ issuer: 'ftp://one.example' }, 'INVALID_URL'],
    [{ issuer: 'https://u:p@one.example' }, 'INVALID_URL'],
    [{ issuer: 'https://one.example/.well-known/openid-configuration' }, 'INVALID_URL'],
    [{ scopes: 'profile email' }, 'INVALID_FIELD'],
    [{ domains: ['no domain'] }, 'INVALID_FIELD'],
    [{ button: 'x'.repeat(201) }, 'INVALID_FIELD'],
    [{ rules: [{ value: '', role_id: roleId('Viewer') }] }, 'INVALID_FIELD'],
    [{ rules: [{ value: 'a' }] }, 'INVALID_FIELD'],
    [{ rules: [{ value: 'a', role_id: randomUUID() }] }, 'ROLE_NOT_FOUND'],
    [{ rules: [{ value: 'a', group_id: randomUUID() }] }, 'NOT_FOUND'],
    [{ row_version: 0 }, 'STALE'],
    // the secret of one issuer is not shown to another one
    [{ issuer: 'https://evil.example' }, 'MISSING_FIELDS'],
  ])('refuses %j with %s', async (fields, code) => {
    expect((await setProvider(fields)).body.error_type).toBe(code)
  })

  it('is tested: its document, its keys, and whether it takes the secret', async () => {
    await reset()
    const test = async () =>
      (await call('identity/provider/test', { sid: admin.sid, account_id: accountUuid })).body.steps
    const all = (fault: string) => [
      { step: 'discovery', fault: '' },
      { step: 'keys', fault: '' },
      { step: 'client', fault },
    ]
    expect(await test()).toEqual(all(''))
    await setProvider({ client_secret: 'another secret' })
    expect(await test()).toEqual(all('WRONG_SECRET'))
    await setProvider({ client_secret: made.client.secret })
  })

  it('is offered by name of the address, by itself, or where there is one account alone', async () => {
    await reset()
    const offered = async (sent: Record<string, unknown>) => (await call('identity/offer', sent)).body.provider
    expect(await offered({ provider })).toEqual({
      uuid: provider,
      button: 'Northside login',
      account: expect.anything(),
      sso_only: 0,
    })
    expect(await offered({})).toBeNull()
    await query(`update account set vanity = 'north' where uuid = '${accountUuid}'`)
    expect((await offered({ vanity: 'north' })).uuid).toBe(provider)
    expect(await offered({ vanity: 'south' })).toBeNull()
  })
})
