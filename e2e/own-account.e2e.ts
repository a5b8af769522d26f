import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { takeShots } from './support/shots.ts'
import { emailOf, logOut, sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson } = useSystem()

async function look(page: Page, name: string): Promise<void> {
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, name)
}

it('[ROUTE-07] a person keeps profile and notifications, sets up a second factor, and signs in with it', async () => {
  const { page, forgive } = await newPerson()
  forgive(/the server responded with a status of 412/)
  await signIn(page, 'clinician')
  await page.goto('/account-settings')
  await page.getByLabel('Mobile phone').fill('0123')
  await page.getByText('Please enter a valid phone number e.g. +12025550123').waitFor()
  await look(page, 'own-profile-fault')
  await page.getByLabel('Mobile phone').fill('+4930123456')
  await page.getByLabel('Date format').selectOption('DD/MM/YYYY')
  await page.getByRole('link', { name: 'Password' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  await look(page, 'own-profile-unsaved')
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your profile has been saved.').waitFor()
  await page.reload()
  expect(await page.getByLabel('Mobile phone').inputValue()).toBe('+4930123456')
  expect(await page.getByLabel('Date format').inputValue()).toBe('DD/MM/YYYY')

  await page.getByRole('link', { name: 'Password' }).click()
  await page.getByLabel('New password', { exact: true }).fill('short')
  await look(page, 'own-password')
  await page.getByRole('button', { name: 'Clear' }).click()

  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByLabel('Harvested from a gateway').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your notifications have been saved.').waitFor()
  await look(page, 'own-notifications')

  await page.getByRole('link', { name: 'Appearance' }).click()
  await page.getByLabel('Density').selectOption('Comfortable')
  await look(page, 'own-appearance')

  await page.getByRole('link', { name: 'Two-factor sign-in' }).click()
  await page.getByRole('button', { name: 'Set up' }).click()
  const secret = (await page.getByLabel('Key').inputValue()).replaceAll(' ', '')
  const code = (steps = 0) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
  await look(page, 'own-two-factor-set-up')
  await page.getByLabel('Code', { exact: true }).fill(code())
  await page.keyboard.press('Enter')
  const recovery = await page.getByRole('listitem').first().textContent()
  await look(page, 'own-two-factor-codes')
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('10 recovery codes are left.').waitFor()
  await look(page, 'own-two-factor-on')

  await page.goto('/group/list')
  await logOut(page)
  await sendLogin(page, emailOf('clinician'))
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('The code is not right').waitFor()
  await look(page, 'sign-in-code')
  // the code of the set-up was taken; the next one counts
  await page.getByLabel('Code', { exact: true }).fill(code(1))
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Groups' }).waitFor()
  await logOut(page)
  await sendLogin(page, emailOf('clinician'))
  await page.getByLabel('Code', { exact: true }).fill(recovery ?? '')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Groups' }).waitFor()
})
