import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { type IdentityProvider, startIdentityProvider } from './support/identity-provider.ts'
import { takeShots } from './support/shots.ts'
import { emailOf, sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem(async () => ({ HILUM_SIGN_IN_PRIVATE: 'yes' }))
let identity: IdentityProvider
beforeAll(async () => {
  identity = await startIdentityProvider(server().address)
})
afterAll(() => identity.close())

/** The browser itself reports every answer that is not a success. */
const refused = /console: Failed to load resource: the server responded with a status of 4(01|12)/
/** Pages of the provider, which are not ours. */
const ofProvider = /127\.0\.0\.1:\d+\/(interaction|auth|session)|fonts\.g|form-action|Content Security/

/** Signs in on the provider's own pages, and agrees to what they ask. */
async function signInThere(page: Page, email: string): Promise<void> {
  // the fields of our own form have the same names
  await page.waitForURL(/\/interaction\//)
  await page.locator('input[name=login]').fill(email)
  await page.locator('input[name=password]').fill('anything')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

let entrance = ''

it('an administrator sets the provider up, tests it, and hands out the address that shows its button', async () => {
  const { page, forgive } = await newPerson()
  forgive(refused)
  await signIn(page, 'administrator')
  await page.goto('/administration/sign-in')
  await page.getByText('No provider is set up. People sign in by password.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Redirect address', exact: true }).inputValue()).toBe(
    `${server().address}/sign-in/return`,
  )
  await page.getByRole('textbox', { name: 'Name on the button', exact: true }).fill('Northside ID')
  await page.getByRole('textbox', { name: 'Issuer', exact: true }).fill(identity.issuer)
  await page.getByRole('textbox', { name: 'Client ID', exact: true }).fill(identity.client.id)
  await page.getByLabel('Client secret', { exact: true }).fill('not the secret')
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('textbox', { name: 'Value of the claim' }).fill('readers')
  await page.getByRole('combobox', { name: 'Gives', exact: true }).selectOption({ label: 'Role Viewer' })
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'sign-in-provider-form')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The provider has been saved.').waitFor()
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText('Client ID and secret: The provider does not take').waitFor()
  await takeShots(page, 'sign-in-provider-tested')
  await page.getByLabel('Client secret', { exact: true }).fill(identity.client.secret)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The provider has been saved.').waitFor()
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText('Client ID and secret: fine').waitFor()
  expect(await findBarriers(page)).toEqual([])
  entrance = await page
    .getByRole('textbox', { name: 'Address that shows the button to your people', exact: true })
    .inputValue()
})

it('a person signs in there by the keyboard, has the role of the claims, and is signed out there as well', async () => {
  identity.groups = ['readers']
  const { page, forgive } = await newPerson()
  forgive(refused)
  forgive(ofProvider)
  await page.goto(entrance)
  const button = page.getByRole('button', { name: 'Log in with Northside ID' })
  await button.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'sign-in-with-provider')
  await button.focus()
  await page.keyboard.press('Enter')
  await signInThere(page, emailOf('clinician'))
  await page.getByText('Welcome, Daniel Reyes').waitFor()
  expect(page.url()).not.toContain('code=')
  await page.goto('/account-settings/sign-in')
  await page.getByText(`connected as ${emailOf('clinician')}`).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'own-identities')
  await page.getByRole('button', { name: 'Open the main menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(/\/session\/end/)
})

it('a refusal comes back as a sentence on the sign-in screen, and the password is still taken', async () => {
  identity.groups = []
  const { page, forgive } = await newPerson()
  forgive(refused)
  forgive(ofProvider)
  await page.goto(entrance)
  await page.getByRole('button', { name: 'Log in with Northside ID' }).click()
  await signInThere(page, 'stranger@northside.example')
  const words = page.getByText('Nobody here is known by this login.')
  await words.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'sign-in-refused')
  await sendLogin(page, emailOf('staff'))
  await page.getByRole('navigation', { name: 'Groups' }).waitFor()
})
