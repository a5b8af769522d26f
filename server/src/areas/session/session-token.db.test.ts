import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp({ HILUM_PUBLIC_URL: 'https://images.hospital.example' })
const organisation = await makeOrganisation(services.db)
const host = '127.0.0.1:8470'
const own = { host, origin: `http://${host}` }

async function signIn(sent: object = { short: 1 }) {
  const { email, ...person } = await organisation.addPerson()
  const { body, cookie = '' } = await call('session/login', { login: email, password: goodPassword, ...sent })
  const full = /^hilum_sid=([^;]+)/.exec(cookie)?.[1] ?? ''
  return { ...person, body, cookie: `hilum_sid=${full}`, full }
}
const askToken = (cookie: string, headers: Record<string, string> = own) =>
  call('session/token', {}, { headers: { cookie, ...headers } })
const isIn = async (sid: string) => (await call('user/get', { sid })).status === 200

it('gives a page a short token, and programs the sid as before', async () => {
  const page = await signIn()
  expect(page.body).toMatchObject({ sid: expect.any(String), expires_in: 900, session_id: expect.any(String) })
  expect(page.body.sid).not.toBe(page.full)
  const program = await signIn({})
  expect(program.body.sid).toBe(program.full)
  expect([await isIn(page.body.sid), await isIn(page.full), await isIn(program.full)]).toEqual([true, true, true])
})

it('renews the token by the cookie for a page of this host, without putting off the idle end', async () => {
  const { cookie, full, userUuid, body } = await signIn()
  await query(`update session set last_used = now() - interval '100 minutes' where user_uuid = '${userUuid}'`)
  const { body: renewed } = await askToken(cookie)
  expect(renewed).toMatchObject({ status: 'OK', session_id: body.session_id, uuid: userUuid, expires_in: 900 })
  expect(renewed.sid).not.toBe(full)
  expect((await call('session/ttl', { sid: renewed.sid })).body.ttl).toBe(80)
  expect((await askToken(cookie, { host, origin: 'https://images.hospital.example' })).status).toBe(200)
})

it.each([
  ['no origin', {}],
  ['another host', { origin: 'http://evil.example' }],
  ['another port', { origin: 'http://127.0.0.1:8471' }],
  ['another host of the same domain', { origin: 'https://other.hospital.example' }],
  ['a host that begins alike', { origin: `http://${host}.evil.example` }],
  ['a sandboxed page', { origin: 'null' }],
  ['a page that the browser calls another site', { ...own, 'sec-fetch-site': 'cross-site' }],
  ['a page that the browser calls another host', { ...own, 'sec-fetch-site': 'same-site' }],
])('gives no token to %s', async (_which, headers) => {
  const { cookie } = await signIn()
  expect((await askToken(cookie, { host, ...headers })).body).toEqual({ status: 'ERROR', error_type: 'EXPIRED' })
})

it('gives no token by GET, in a bundle, or for anything but the sid of a session', async () => {
  const { cookie, body, full, namespaceUuid } = await signIn()
  const headers = { cookie, ...own }
  expect((await call('session/token', {}, { method: 'GET', headers })).status).toBe(405)
  const bundle = await call('bundle', {}, { headers, body: [{ URL: '/session/token' }] })
  expect(bundle.body[0].error_type).toBe('EXPIRED')
  const studies = [(await makeStudy(services.db, { namespaceUuid, accountUuid: organisation.accountUuid })).uuid]
  const derived = (await call('session/derive', { sid: full, studies })).body.sid
  for (const sid of [derived, body.sid, 'made-up', ''])
    expect((await askToken(`hilum_sid=${sid}`)).body.error_type).toBe('EXPIRED')
})

it('opens no call by the cookie alone', async () => {
  const { cookie } = await signIn()
  expect((await call('user/get', {}, { headers: { cookie, ...own } })).status).toBe(401)
})

it('a token ends by itself, and with its session', async () => {
  const first = await signIn()
  await query(`update session_token set expires_at = now()`)
  expect([await isIn(first.body.sid), await isIn(first.full)]).toEqual([false, true])
  const { sid } = (await askToken(first.cookie)).body
  await call('session/logout', { sid })
  expect([await isIn(sid), await isIn(first.full)]).toEqual([false, false])
  expect((await askToken(first.cookie)).body.error_type).toBe('EXPIRED')
  expect(await query(`select from session_token where session_uuid = '${first.body.session_id}'`)).toEqual([])
})

it('keeps neither sid nor token in the database', async () => {
  const { body, full } = await signIn()
  const kept = JSON.stringify(await query(`select t::text, s::text from session s left join session_token t on true`))
  expect(kept).not.toContain(body.sid)
  expect(kept).not.toContain(full)
})
