import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { server, newPerson } = useSystem()
const emergency = useStudiesOf('Emergency Department', server)

/** How long a loaded machine may take. */
const soon = { timeout: 30_000 }

/** Finds somebody by a part of the name, and takes the first who fits, by keys alone. */
async function choose(page: Page, list: 'People' | 'Groups', typed: string, name: string) {
  await page.getByRole('combobox', { name: list, exact: true }).fill(typed)
  const option = page.getByRole('option', { name })
  await expect.poll(() => option.getAttribute('data-combobox-selected'), soon).toBe('true')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Leave ${name} out` }).waitFor()
  await page.keyboard.press('Escape')
}

it('[SHARE-01][SHARE-02][SHARE-04][PANEL-02] shares an exam with a person who sees it arrive, opens it, and loses it the moment sharing is stopped', async () => {
  const [sender, reader] = [await newPerson(), await newPerson()]
  const study = emergency.study(0)
  // the reviewer belongs to no group that holds the exam
  await signIn(reader.page, 'reviewer')
  await reader.page
    .getByRole('navigation', { name: 'Groups' })
    .getByRole('button', { name: /My studies/ })
    .click()
  const cards = reader.page.locator('[data-card]')
  await expect.poll(() => cards.count(), soon).toBe(0)

  await signIn(sender.page, 'staff')
  await openTab(sender.page, study.uuid, 'share')
  const form = sender.page.getByRole('form', { name: 'Share' })
  const button = form.getByRole('button', { name: 'Share exam' })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  await takeShots(sender.page, 'share-empty')
  await choose(sender.page, 'People', 'lindq', 'Sofia Lindqvist')
  await form.getByLabel('Message').fill('  Please have a look before the meeting at noon.  ')
  await form.getByLabel('Access ends').selectOption('After 7 days')
  expect(await findBarriers(sender.page)).toEqual([])
  await takeShots(sender.page, 'share-filled')
  await button.focus()
  await sender.page.keyboard.press('Enter')
  await form.getByText('Shared with 1 recipient.').waitFor()
  const access = sender.page.getByRole('list', { name: 'People with access' })
  await access.getByText('sofia', { exact: false }).first().waitFor()
  await access.getByText(/^Access ends on/).waitFor()
  await takeShots(sender.page, 'share-access')

  // without a reload
  await expect.poll(() => cards.count(), soon).toBe(1)
  await reader.page.getByText(/shared an exam with you/).waitFor()
  await takeShots(reader.page, 'share-received')
  await cards.first().click()
  await reader.page.getByRole('tab', { name: 'Viewer' }).click()
  await reader.page.frameLocator('iframe').locator('canvas').first().waitFor()

  // what the viewer still asks for is refused from now on
  reader.forgive(/status of (403|404|412)/, /^page error: $/)
  const stop = access.getByRole('button', { name: 'Stop sharing with Sofia Lindqvist' })
  await stop.focus()
  await sender.page.keyboard.press('Enter')
  await sender.page.getByText('Sharing with Sofia Lindqvist was stopped. It is gone there.').waitFor()
  await takeShots(sender.page, 'share-stopped')
  await reader.page.getByText('This study is no longer here', { exact: false }).waitFor()
  await expect.poll(() => cards.count(), soon).toBe(0)

  await sender.page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => cards.count(), soon).toBe(1)
  await access.getByText('Please have a look before the meeting at noon.').waitFor()
})
