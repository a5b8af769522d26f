import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { setScheme, takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { password } from './support/start-server.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()

it('a person makes a key, a program asks with it, and is refused once the key has ended', async () => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  await page.goto('/account-settings/sessions')
  await page.getByRole('link', { name: 'Keys for programs' }).click()
  await page.getByText('You have no keys.').waitFor()
  await page.getByRole('button', { name: 'Make a key' }).click()
  const form = page.getByRole('form', { name: 'Make a key' })
  // the field of the name has the focus
  await page.keyboard.type('Scanner of the emergency room, second floor')
  await form.getByRole('checkbox', { name: 'Upload studies' }).check()
  await form.getByRole('combobox', { name: 'Ends after' }).selectOption('30 days')
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'own-keys-form')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  const made = page.getByRole('region', { name: /^Key “Scanner of the emergency room/ })
  const key = await made.getByRole('textbox', { name: 'The key' }).inputValue()
  expect(key).toMatch(/^hlm_/)
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'own-keys-made')
  const statusOf = async () => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${server().address}/api/v3/session/user`, { headers })).status
  }
  expect(await statusOf()).toBe(200)

  await page.reload()
  await page.getByRole('table', { name: 'Keys for programs' }).waitFor()
  expect(await page.content()).not.toContain(key)
  await takeShots(page, 'own-keys')
  await page.getByRole('button', { name: /^End the key/ }).press('Enter')
  await page.getByRole('group', { name: /^End the key/ }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'own-keys-asked')
  await page.keyboard.press('Enter')
  await page.getByText('The key has been ended.').waitFor()
  await page.getByText('You have no keys.').waitFor()
  expect(await statusOf()).toBe(401)
})

it('long after the sign-in a person shows anew who sits there before a key is made', async () => {
  const { page, faults } = await newPerson()
  await signIn(page, 'staff')
  await page.goto('/account-settings/keys')
  // as the server answers once the sign-in is too long ago, for which nobody waits here
  const refusal = { status: 'ERROR', error_type: 'PROOF_REQUIRED' }
  await page.route('**/api/v3/session/key/add', (route) => route.fulfill({ status: 412, json: refusal }), { times: 1 })
  await page.getByRole('button', { name: 'Make a key' }).click()
  const form = page.getByRole('form', { name: 'Make a key' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Archive')
  await form.getByRole('checkbox', { name: 'Upload studies' }).check()
  await form.getByRole('textbox', { name: 'Name' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  const field = dialog.getByLabel('Your password', { exact: true })
  await field.fill('not the password')
  await field.press('Enter')
  await dialog.getByText('The password is not right.').waitFor()
  for (const scheme of ['light', 'dark'] as const) {
    await setScheme(page, scheme)
    expect(await findBarriers(page)).toEqual([])
  }
  await takeShots(page, 'proof')
  await field.fill(password)
  await field.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Key “Archive”' }).waitFor()
  // the browser itself tells of both refusals, by a way of its own
  await expect.poll(() => faults.length).toBe(2)
  expect(faults.splice(0)).toEqual([
    expect.stringContaining('session/key/add'),
    expect.stringContaining('session/prove'),
  ])
})
