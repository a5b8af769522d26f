import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { firstOrganisation } from '../account/first-organisation.ts'

const { services, call, query } = await startTestApp()

it('names the only organisation of an installation before anybody is in, and none by itself once there are two', async () => {
  const offer = async (sent: Record<string, string> = {}) => (await call('identity/offer', sent)).body
  const none = { provider: null, brand_name: '', brand_logo: '', brand_color: '' }
  expect(await offer()).toMatchObject(none)
  const settings = { brand_color: '#2f6fb0' }
  await makeOrganisation(services.db, { name: firstOrganisation, vanity: 'north.example', settings })
  // the name of the first start says nothing
  expect(await offer()).toMatchObject({ brand_name: '', brand_color: '#2f6fb0' })
  await query(`update account set name = 'Northside Imaging'`)
  const only = { provider: null, brand_name: 'Northside Imaging', brand_logo: '', brand_color: '#2f6fb0' }
  expect(await offer()).toMatchObject(only)
  // the name of the installation, which no organisation has
  expect(await offer({ vanity: 'images.example' })).toMatchObject(only)
  await makeOrganisation(services.db, { name: 'Southside' })
  expect(await offer()).toMatchObject(none)
  expect(await offer({ vanity: 'images.example' })).toMatchObject(none)
  expect(await offer({ vanity: 'north.example' })).toMatchObject(only)
})
