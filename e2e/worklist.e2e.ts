import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, listStudies, openSession } from './support/call.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()

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

it('widths of columns stay as the person drew them, by mouse or by keys, until a double press gives them back', async () => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  await page.goto('/worklist')
  const head = page.getByRole('columnheader', { name: 'Patient name' })
  const edge = head.getByRole('separator', { name: /Patient name/ })
  const width = async () => Math.round((await head.boundingBox())?.width ?? 0)
  await page.locator('[data-card]').first().waitFor()
  const ofContent = await width()
  const box = await edge.boundingBox()
  if (!box) throw new Error('The column has no edge')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 90, y, { steps: 5 })
  await page.mouse.up()
  await expect.poll(width, soon).toBe(ofContent + 90)
  await edge.press('ArrowRight')
  await expect.poll(width, soon).toBe(ofContent + 106)
  await page.reload()
  await page.locator('[data-card]').first().waitFor()
  await expect.poll(width, soon).toBe(ofContent + 106)
  await edge.dblclick()
  await expect.poll(width, soon).toBe(ofContent)
})

it('a press of a date shortcut narrows the worklist to the exams of those days, in the address too', async () => {
  const sid = await openSession(server().address, 'staff')
  const [exam] = await listStudies(server().address, sid)
  if (!exam) throw new Error('The demo has no exam')
  await callWell(server().address, 'study/set', { sid, study_id: exam.uuid, study_date: today() })
  const { page } = await newPerson()
  await signIn(page, 'staff')
  await page.goto('/worklist')
  const rows = page.locator('[data-card]')
  await expect.poll(() => rows.count(), soon).toBeGreaterThan(2)
  const all = await rows.count()
  await page.getByRole('combobox', { name: 'Exam date' }).selectOption('Last 7 days')
  await expect.poll(() => rows.count(), soon).toBe(1)
  await page.reload()
  await rows.first().waitFor()
  expect(await rows.count()).toBe(1)
  await page.getByRole('combobox', { name: 'Exam date' }).selectOption('Any exam date')
  await expect.poll(() => rows.count(), soon).toBe(all)
})

const today = () => new Date().toISOString().slice(0, 10).replaceAll('-', '')
