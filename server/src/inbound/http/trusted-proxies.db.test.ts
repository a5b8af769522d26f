import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp({ HILUM_TRUSTED_PROXIES: '10.0.0.5, 10.1.0.0/16' })
const organisation = await makeOrganisation(services.db)

it.each([
  ['a trusted proxy names', '10.1.2.3', '203.0.113.7', '; Secure'],
  ['is seen, whatever a stranger claims', '198.51.100.9', '198.51.100.9', ''],
])('knows a caller by the address that %s', async (_what, address, noted, secure) => {
  const { email, userUuid } = await organisation.addPerson()
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
  const { cookie } = await call('session/login', { login: email, password: goodPassword }, { address, headers })
  expect(cookie?.endsWith(`SameSite=Strict${secure}`)).toBe(true)
  const rows = await query(`select client_address from audit where action = 'LOGIN' and object_uuid = '${userUuid}'`)
  expect(rows).toEqual([{ client_address: noted }])
})
