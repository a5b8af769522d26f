import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson } = useSystem()

/** How long a loaded machine may take. */
const soon = { timeout: 30_000 }

it('[LIST-15] [DELETE-02] [PANEL-01] [PANEL-06] in the worklist several are marked by key, deleted, told of and brought back', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/worklist')
  const rows = page.locator('[data-card]')
  await rows.nth(1).waitFor()
  const before = await rows.count()
  await page.keyboard.press('j')
  await page.getByRole('tab', { selected: true }).waitFor()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('heading', { name: '2 studies selected' }).waitFor()
  await page.getByRole('tab', { name: 'Delete exams' }).click()
  await page.getByRole('button', { name: 'Delete 2 exams' }).click()
  const question = page.getByRole('dialog', { name: 'Delete these 2 exams?' })
  await question.getByRole('button', { name: 'Delete 2 exams' }).click()
  await page.getByText('2 exams were deleted').waitFor()
  await expect.poll(() => rows.count(), soon).toBe(before - 2)
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'worklist-messages')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('2 exams were restored').waitFor()
  await expect.poll(() => rows.count(), soon).toBe(before)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
})
