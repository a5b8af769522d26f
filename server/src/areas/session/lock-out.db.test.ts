import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp({ HILUM_TRUSTED_PROXIES: '10.0.0.5' })
const vanity = 'images.hospital.example'
const organisation = await makeOrganisation(services.db, { vanity })

let addresses = 0
const newAddress = () => `198.51.100.${++addresses}`
interface Try {
  login: string
  password?: string
  vanity?: string
  address: string
}
const attempt = async ({ address, ...sent }: Try): Promise<string> => {
  const { body } = await call('session/login', { password: 'wrong27lantern', ...sent }, { address })
  return body.error_type ?? body.status
}
const times = async (count: number, tried: Try) => {
  const answers: string[] = []
  for (let i = 0; i < count; i++) answers.push(await attempt(tried))
  return answers
}
const wrong = (count: number) => Array.from({ length: count }, () => 'INVALID_CREDENTIALS')

/** Spellings of a name that read alike, and one that only looks so. */
const spellings: [string, (name: string) => string][] = [
  ['in capitals', (name) => name.toUpperCase()],
  ['in full width', (name) => name.replace('e', 'ｅ')],
  ['with a soft hyphen', (name) => `${name.slice(0, 3)}\u00ad${name.slice(3)}`],
  ['with a capital dotted i', (name) => name.replace('i', 'İ')],
]

it.each(spellings)('answers a known and an unknown name written %s alike, try by try', async (_how, spell) => {
  const person = await organisation.addPerson({ email: `mimi${++addresses}@hospital.example` })
  const answersFor = async (login: string) => {
    const address = newAddress()
    return [...(await times(3, { login: spell(login), address })), ...(await times(4, { login, vanity, address }))]
  }
  expect(await answersFor(person.email)).toEqual(await answersFor(`mimi${++addresses}@nowhere.example`))
})

it('counts the spellings of one name together, with and without a host name', async () => {
  const { email } = await organisation.addPerson()
  const address = newAddress()
  for (const login of [email, email.toUpperCase(), ` ${email}`])
    expect(await attempt({ login, address })).toBe(wrong(1)[0])
  expect(await times(3, { login: email, vanity, address })).toEqual([...wrong(2), 'LOCKOUT'])
})

it('tells nobody that two names are one person’s, and gives no second round of tries', async () => {
  const { email } = await organisation.addPerson({ login: 'radio7' })
  const address = newAddress()
  await times(5, { login: email, address })
  const other = { login: 'radio7', vanity, address }
  const nobody = { login: 'radio8', vanity, address }
  expect(await times(3, other)).toEqual(await times(3, nobody))
  expect(await attempt({ ...other, password: goodPassword })).toBe('INVALID_CREDENTIALS')
  expect(await attempt({ ...other, password: goodPassword, address: newAddress() })).toBe('OK')
})

it('lets the right password in from elsewhere while others hammer on the name', async () => {
  const { email } = await organisation.addPerson()
  const attackers = Array.from({ length: 4 }, newAddress)
  for (const address of attackers) await times(3, { login: email, address })
  const [rightPerson] = await Promise.all([
    attempt({ login: email, password: goodPassword, address: newAddress() }),
    ...attackers.map((address) => attempt({ login: email, address })),
  ])
  expect(rightPerson).toBe('OK')
})

it('lets who has signed in from an address before in again while that address is locked, and tells nobody who that is', async () => {
  const [known, other] = [await organisation.addPerson(), await organisation.addPerson()]
  const address = newAddress()
  const tried = { login: known.email, password: goodPassword, address }
  expect(await attempt(tried)).toBe('OK')
  await query(`
    insert into attempt (kind, key_digest, window_start, count) values ('login-address', sha256('${address}'), now(), 100)
    on conflict (kind, key_digest, window_start) do update set count = 100`)
  await query(`update attempt set count = 100 where kind = 'login-address' and key_digest = sha256('${address}')`)
  expect(await attempt({ ...tried, login: other.email })).toBe('LOCKOUT')
  expect(await attempt({ login: known.email, address })).toBe('LOCKOUT')
  expect(await attempt(tried)).toBe('OK')
})

it('counts all addresses of one IPv6 subscriber together', async () => {
  const { email } = await organisation.addPerson()
  const from = (last: number) => attempt({ login: email, address: `2001:db8:7:7::${last.toString(16)}` })
  const answers: string[] = []
  for (let last = 1; last <= 6; last++) answers.push(await from(last))
  expect(answers).toEqual([...wrong(5), 'LOCKOUT'])
})

it('behind a trusted proxy locks the caller, and believes nobody else about addresses', async () => {
  const { email } = await organisation.addPerson()
  const through = async (proxy: string, client: string, password = 'wrong27lantern') => {
    const headers = { 'x-forwarded-for': client }
    const { body } = await call('session/login', { login: email, password }, { address: proxy, headers })
    return body.error_type ?? body.status
  }
  for (let i = 0; i < 5; i++) await through('10.0.0.5', '203.0.113.1')
  expect(await through('10.0.0.5', '203.0.113.1', goodPassword)).toBe('LOCKOUT')
  expect(await through('10.0.0.5', '203.0.113.2', goodPassword)).toBe('OK')
  const answers: string[] = []
  for (let i = 0; i < 6; i++) answers.push(await through('10.9.9.9', `203.0.113.${i}`))
  expect(answers).toEqual([...wrong(5), 'LOCKOUT'])
})

it('sends at most ten mails an hour to one person, and answers as before', async () => {
  const { email } = await organisation.addPerson()
  for (let i = 0; i < 12; i++) {
    expect((await call('user/password/lost', { email }, { address: newAddress() })).body).toEqual({
      status: 'OK',
      has_smtp: 0,
    })
  }
  expect(await query(`select from mail where recipient = '${email}'`)).toHaveLength(10)
})

it('lets no two people have addresses that read alike, by whichever door they come', async () => {
  await organisation.addPerson({ email: 'ﬁona@hospital.example' })
  for (const email of ['fiona@hospital.example', 'FIONA@hospital.example', 'ｆiona@hospital.example'])
    await expect(organisation.addPerson({ email })).rejects.toThrow('app_user_email')
  await organisation.addPerson({ login: 'Desk' })
  await expect(organisation.addPerson({ login: 'ｄesk' })).rejects.toThrow('account_user_login')
  const { userUuid } = await organisation.addPerson()
  await expect(query(`update app_user set email = 'x@y.example' where uuid = '${userUuid}'`)).rejects.toThrow(
    'email_folded',
  )
})
