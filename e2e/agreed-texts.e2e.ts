import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { takeShots } from './support/shots.ts'
import { sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson } = useSystem()

it('[ENTITY-03] people accept the terms of their organisation before they go on, once for each version', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/administration/organisation')
  await page.getByRole('button', { name: 'Write Terms of use' }).click()
  const form = page.getByRole('form', { name: 'Terms of use' })
  await form.getByLabel('Text').fill('Hilum is for review and exchange.\n\nKeep your password to yourself.')
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'texts-form')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Terms of use has been saved.').waitFor()
  const part = page.getByRole('group', { name: 'Terms of use' })
  await part.getByText(/^Accepted by 0 of \d+,/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'texts-to-accept')

  const other = await newPerson()
  await other.page.goto('/')
  await sendLogin(other.page, 'clinician@northside.example')
  await other.page.getByRole('heading', { name: 'Before you go on' }).waitFor()
  await other.page.getByText('Keep your password to yourself.').waitFor()
  expect(await other.page.getByText('Welcome,').count()).toBe(0)
  expect(await findBarriers(other.page)).toEqual([])
  await takeShots(other.page, 'texts-agreement')
  await other.page.goto('/account-settings')
  await other.page.getByRole('heading', { name: 'Before you go on' }).waitFor()
  await other.page.getByRole('button', { name: 'I accept' }).click()
  await other.page.getByText('Welcome,').waitFor()
  await other.page.reload()
  await other.page.getByText('Welcome,').waitFor()

  await page.reload()
  await page.getByRole('heading', { name: 'Before you go on' }).waitFor() // the administrator has not accepted either
  await page.getByRole('button', { name: 'I accept' }).click()
  await part.getByText(/^Accepted by 2 of \d+,/).waitFor()
})
