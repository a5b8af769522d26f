import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { goodPassword, makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, app, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) })
/** No code is taken twice: lets the next one be taken without waiting for its time. */
const forgetStep = ({ userUuid }: Person) =>
  query(`update two_factor set last_step = 0 where user_uuid = '${userUuid}'`)

async function addGuarded() {
  const person = await organisation.addPerson()
  const secret = String((await call('session/pin/begin', { sid: person.sid })).body.secret)
  const { body } = await call('session/pin/confirm', { sid: person.sid, pin: codeOf(secret) })
  await forgetStep(person)
  return { ...person, secret, recoveryCodes: body.recovery_codes as string[] }
}
type Guarded = Awaited<ReturnType<typeof addGuarded>>

/** A page of this host, with the cookies of its browser. */
async function page(path: string, sent: object, cookie = '') {
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v3/${path}`,
    headers: { origin: 'http://localhost', host: 'localhost', 'content-type': 'application/json', cookie },
    body: JSON.stringify(sent),
  })
  const set = [reply.headers['set-cookie'] ?? []].flat().find((one) => one.startsWith('device_id='))
  return { body: reply.json() as Record<string, unknown>, set }
}
const signIn = async (person: Person, cookie = '', password = goodPassword) =>
  (await page('session/login', { login: person.email, password }, cookie)).body
/** The cookie of a browser in which the person gave a code and let it be remembered. */
async function remember(person: Guarded, pin = codeOf(person.secret)) {
  const { sid } = await signIn(person)
  const { body, set } = await page('session/pin', { sid, pin, remember_device: 1 })
  expect(body.status).toBe('OK')
  await forgetStep(person)
  return { sid: String(sid), set, cookie: set?.split(';')[0] ?? '' }
}
const asksForCode = async (person: Person, cookie: string) => (await signIn(person, cookie)).pin_required

test('a browser passes the person who let it be remembered, for 30 days, and nobody else', async () => {
  const [person, other] = [await addGuarded(), await addGuarded()]
  const { set, cookie } = await remember(person)
  expect(set).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
  expect(await asksForCode(person, cookie)).toBe(0)
  expect(await asksForCode(person, '')).toBe(1)
  expect(await asksForCode(other, cookie)).toBe(1)
  expect((await signIn(person, cookie, 'not the right 1')).error_type).toBe('INVALID_CREDENTIALS')
  const [row] = await query(`select detail from audit where object_uuid = '${person.userUuid}' and action = 'LOGIN'
    order by id desc limit 1`)
  expect(row).toEqual({ detail: { second_factor: 'remembered device' } })
  expect(
    await query(`select from remembered_device where encode(digest, 'escape') like '%${cookie.slice(10)}%'`),
  ).toEqual([])
  await query(`update remembered_device set expires_at = now() where user_uuid = '${person.userUuid}'`)
  expect(await asksForCode(person, cookie)).toBe(1)
})

test('a remembered device passes nobody who brings a new password: the code is asked for', async () => {
  const person = await addGuarded()
  const { cookie } = await remember(person)
  const sent = { login: person.email, password: goodPassword, new_password: 'cobalt93willow' }
  expect((await page('session/login', sent, cookie)).body).toMatchObject({ status: 'OK', pin_required: 1 })
  // and is still remembered, since nothing was changed
  expect(await asksForCode(person, cookie)).toBe(0)
})

test('a session that a remembered device opened proves nothing where a proof is asked for', async () => {
  const person = await addGuarded()
  const { cookie } = await remember(person)
  const { sid } = await signIn(person, cookie)
  expect((await page('session/pin/codes', { sid }, cookie)).body.error_type).toBe('PROOF_REQUIRED')
  const [row] = await query(`select strength from session where user_uuid = '${person.userUuid}'
    order by created desc limit 1`)
  expect(row).toEqual({ strength: 'one factor' })
})

test('a recovery code, a wrong code and a page of another host remember nothing', async () => {
  const person = await addGuarded()
  expect((await remember(person, person.recoveryCodes[0])).set).toBeUndefined()
  const { sid } = await signIn(person)
  expect((await page('session/pin', { sid, pin: '000000', remember_device: 1 })).set).toBeUndefined()
  const program = await call('session/pin', { sid, pin: codeOf(person.secret), remember_device: 1 })
  expect(program.body.status).toBe('OK')
  expect(program.cookie ?? '').not.toContain('device_id')
  expect((await call('session/device/list', { sid: person.sid })).body.devices).toEqual([])
})

test('a remembered device is on record with its sign-in, and a sign-in by a provider remembers none', async () => {
  const person = await addGuarded()
  await remember(person)
  const logins = `select detail from audit where object_uuid = '${person.userUuid}' and action = 'LOGIN' order by id desc limit 1`
  const remembered = { second_factor: 'totp', remembered_device: ['', 'remembered'] }
  expect(await query(logins)).toEqual([{ detail: remembered }])
  const { sid, session_id: uuid } = await signIn(person)
  await query(`update session set method = 'sso' where uuid = '${String(uuid)}'`)
  const { body, set } = await page('session/pin', { sid, pin: codeOf(person.secret), remember_device: 1 })
  expect([body.status, set]).toEqual(['OK', undefined])
  expect((await call('session/device/list', { sid })).body.devices).toHaveLength(1)
})

test('devices are listed and forgotten by their person alone', async () => {
  const [person, other] = [await addGuarded(), await addGuarded()]
  const [first, second] = [await remember(person), await remember(person)]
  const listed = async () =>
    (await call('session/device/list', { sid: second.sid })).body.devices as { device_id: string }[]
  expect(await listed()).toHaveLength(2)
  const [, older] = await listed()
  const forget = async (sid: string, sent: object) => (await call('session/device/forget', { sid, ...sent })).body
  expect((await forget(other.sid, { device_id: older?.device_id })).error_type).toBe('NOT_FOUND')
  expect((await forget(second.sid, { device_id: older?.device_id })).status).toBe('OK')
  expect(await listed()).toHaveLength(1)
  expect([await asksForCode(person, first.cookie), await asksForCode(person, second.cookie)]).toEqual([1, 0])
  expect((await forget(second.sid, {})).status).toBe('OK')
  expect(await asksForCode(person, second.cookie)).toBe(1)
})

test('a new password, a new second factor and the end of access forget all devices', async () => {
  const endings: ((person: Guarded, sid: string) => Promise<unknown>)[] = [
    (_, sid) => call('user/set', { sid, old_password: goodPassword, password: '77walnut-meadow' }),
    (_, sid) => call('session/pin/remove', { sid }),
    async (person, sid) => {
      const { body } = await call('session/pin/begin', { sid })
      return call('session/pin/confirm', { sid, pin: codeOf(String(body.secret)) })
    },
  ]
  for (const end of endings) {
    const person = await addGuarded()
    const { sid } = await remember(person)
    const devices = `select from remembered_device where user_uuid = '${person.userUuid}'`
    expect(await query(devices)).toHaveLength(1)
    await end(person, sid)
    expect(await query(devices)).toHaveLength(0)
  }
})
