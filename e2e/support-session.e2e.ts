import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { hilum } from './support/hilum-command.ts'
import { setScheme, takeShots } from './support/shots.ts'
import { emailOf, sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()

async function look(page: Page, name: string): Promise<void> {
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, name)
}

async function switchTo(page: Page, organisation: string): Promise<void> {
  await page.getByRole('button', { name: 'Open the main menu' }).click()
  await page.getByRole('menuitem', { name: `Switch to ${organisation}` }).click()
}

it('[PERM-02] a system administrator makes an organisation, and signs in for support where that is let in', async () => {
  for (const flag of ['system-administrator', 'supporter']) {
    expect(await hilum(server().dataFolder, 'users', flag, emailOf('viewer'))).toMatchObject({ code: 0 })
  }
  const administrator = await newPerson()
  await signIn(administrator.page, 'administrator')
  await administrator.page.goto('/administration/security')
  await administrator.page.getByText('Support is not let in.').waitFor()
  await administrator.page.getByRole('button', { name: 'Let in' }).click()
  await administrator.page.getByText(/Support is let in until/).waitFor()
  await look(administrator.page, 'security-support')

  const { page, forgive } = await newPerson()
  forgive(/the server responded with a status of 401/)
  await signIn(page, 'viewer')
  await page.goto('/administration/system')
  await page.getByRole('button', { name: 'Sign in as a person of Northside' }).waitFor()
  await look(page, 'system-organisations')
  await page.getByRole('button', { name: 'New organisation' }).click()
  await page.getByRole('button', { name: 'Create organisation' }).click()
  await page.getByText('Type an e-mail address.').waitFor()
  await look(page, 'system-new-organisation')
  await page.getByLabel('Name', { exact: true }).fill('Southside Hospital')
  await page.getByLabel('E-mail address', { exact: true }).fill('head@southside.example')
  await page.getByLabel('First name').fill('Sol')
  await page.getByRole('button', { name: 'Create organisation' }).click()
  await page.getByRole('row', { name: /Southside Hospital/ }).waitFor()

  // an organisation of one's own, into which and back out of which one switches
  await page.getByRole('button', { name: 'New organisation' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Westside Clinic')
  await page.getByRole('radio', { name: 'I do' }).check()
  await page.getByRole('button', { name: 'Create organisation' }).click()
  await page.getByRole('row', { name: /Westside Clinic/ }).waitFor()
  // at the next sign-in, once, the person is asked where to begin
  for (const isAsked of [true, false]) {
    const again = await newPerson()
    await again.page.goto('/')
    await sendLogin(again.page, emailOf('viewer'))
    if (isAsked) {
      await again.page.getByRole('heading', { name: 'Where do you begin?' }).waitFor()
      await look(again.page, 'choose-organisation')
      await again.page.getByRole('button', { name: 'Westside Clinic' }).click()
    }
    await again.page.getByText('(Westside Clinic)').waitFor()
    await again.page.context().close()
  }

  const cards = page.locator('[data-card]')
  const northside = page
    .getByRole('navigation', { name: 'Groups' })
    .getByRole('button', { name: 'Emergency Department' })
  await page.goto('/group/list')
  await cards.first().waitFor()
  await northside.waitFor()
  await switchTo(page, 'Westside Clinic')
  await northside.waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Groups' }).waitFor()
  await expect.poll(() => cards.count()).toBe(0)
  await page.reload()
  await page.getByRole('navigation', { name: 'Groups' }).waitFor()
  expect([await cards.count(), await northside.count()]).toEqual([0, 0])
  await takeShots(page, 'switched-organisation')
  await switchTo(page, 'Northside')
  await cards.first().waitFor()
  await page.goto('/administration/system')

  await page.getByRole('button', { name: 'Close Southside Hospital' }).click()
  await page.getByLabel('Type the name of the organisation').fill('Southside Hospital')
  await page.getByRole('button', { name: 'Close for good' }).click()
  await page.getByRole('row', { name: /Southside Hospital/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Closed organisations' }).click()
  await page.getByRole('row', { name: /Southside Hospital/ }).waitFor()
  await setScheme(page, 'dark')
  await look(page, 'system-closed-dark')
  await setScheme(page, 'light')
  await look(page, 'system-closed')
  await page.getByRole('button', { name: 'Audit of Southside Hospital' }).click()
  await page.getByRole('grid').getByRole('row').nth(1).waitFor()
  await look(page, 'system-closed-audit')
  await page.goto('/administration/system')

  await page.getByRole('button', { name: 'Sign in as a person of Northside' }).click()
  await page.getByLabel('Name or e-mail address').fill(emailOf('clinician'))
  const option = page.getByRole('option', { name: new RegExp(emailOf('clinician')) })
  await option.waitFor({ state: 'attached' })
  await page.getByLabel('Person', { exact: true }).selectOption((await option.getAttribute('value')) ?? '')
  await look(page, 'system-sign-in-as')
  await page.getByLabel('Reason').fill('Ticket 17: the list stays empty')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  const mark = page.getByText(/^Support: .+ as .+ \(Northside/)
  await page.getByRole('navigation', { name: 'Groups' }).waitFor()
  await mark.waitFor()
  await look(page, 'support-inbox')
  await page.goto('/account-settings/sessions')
  await mark.waitFor()
  await page.getByText('by a supporter of the installation').waitFor()
  await look(page, 'support-sessions')
  await page.getByRole('button', { name: 'End the support session' }).click()
  await page.getByLabel('Username').waitFor()

  await administrator.page.goto('/administration/audit')
  await administrator.page
    .getByText(/signed in for support/)
    .first()
    .waitFor()
  await look(administrator.page, 'support-audit')
})
