import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { callWell, listStudies, openSession } from './support/call.ts'
import { openTab } from './support/panel.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()

const soon = { timeout: 30_000 }

it('the head of the panel has one height whatever the exam, so that the tabs below stay where they are', async () => {
  const { address } = server()
  const sid = await openSession(address, 'staff')
  const studies = (await listStudies(address, sid)).filter((one) => one.phi_namespace_name.startsWith('Emergency'))
  const [long, bare] = studies
  if (!long || !bare) throw new Error('The demo has too few exams')
  const fields = { study_description: 'CT '.repeat(21).trim(), patient_name: `${'LONG'.repeat(7)}^${'NAME'.repeat(7)}` }
  await callWell(address, 'study/set', { sid, study_id: long.uuid, ...fields })
  await callWell(address, 'study/set', { sid, study_id: bare.uuid, study_description: '', patient_sex: '' })
  const { page } = await newPerson()
  await signIn(page, 'staff')
  const topOfTabs = async () => (await page.getByRole('tablist').first().boundingBox())?.y
  const tops: unknown[] = []
  for (const { uuid } of studies) {
    await openTab(page, uuid, 'summary')
    await page.locator(`[data-study="${uuid}"]`).waitFor()
    tops.push(await topOfTabs())
  }
  expect(tops.length).toBeGreaterThan(2)
  expect(tops[0]).toEqual(expect.any(Number))
  expect(new Set(tops).size).toBe(1)
})

it('a group that is chosen stays under the pointer, and its acts stand below the groups', async () => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  const nav = page.getByRole('navigation', { name: 'Groups' })
  const moved: [string, number][] = []
  for (const group of ['Emergency Department', 'Outpatient Imaging', 'Teaching Library']) {
    await page.goto('/group/list')
    const button = nav.getByRole('button', { name: group })
    const top = async () => (await button.boundingBox())?.y ?? Number.NaN
    await page.locator('[data-card]').first().waitFor()
    const before = await top()
    await button.click()
    await nav.getByRole('region', { name: group }).waitFor()
    moved.push([group, (await top()) - before])
  }
  expect(moved.map(([, by]) => by)).toEqual([0, 0, 0])
})

it('dates stand in the form that the person chose, on every screen', async () => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  await page.goto('/account-settings/appearance')
  await page.getByRole('combobox', { name: 'Date format' }).selectOption('YYYY/MM/DD')
  await page
    .getByText(/\b\d{4}\/\d{2}\/\d{2}\b/)
    .first()
    .waitFor()
  const sid = await openSession(server().address, 'staff')
  const exam = (await listStudies(server().address, sid)).find((one) => one.phi_namespace_name.startsWith('Emergency'))
  const inPanel = ['summary', 'share', 'editMRN', 'sendExams', 'deleteExams'].map(
    (tab) => `/group/list?study=${exam?.uuid}&tab=${tab}`,
  )
  const faults: string[] = []
  for (const at of [...inPanel, '/worklist', '/account-settings/sessions']) {
    await page.goto(at)
    await page
      .getByText(/\b\d{4}\/\d{2}\/\d{2}\b/)
      .first()
      .waitFor(soon)
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count(), soon).toBe(0)
    faults.push(...(await otherDates(page)).map((text) => `${at}: ${text}`))
  }
  expect(faults).toEqual([])
})

it('exams without a date stand last, whether the newest or the oldest come first', async () => {
  const { address } = server()
  const sid = await openSession(address, 'viewer')
  const staff = await openSession(address, 'staff')
  const [undated] = await listStudies(address, sid)
  if (!undated) throw new Error('The demo has no exam')
  const setDate = (date: string) =>
    callWell(address, 'study/set', { sid: staff, study_id: undated.uuid, study_date: date })
  const before = String((await callWell(address, 'study/get', { sid: staff, uuid: undated.uuid }))['study_date'])
  await setDate('')
  const { page } = await newPerson()
  await signIn(page, 'viewer')
  const cards = page.locator('[data-card]')
  const order = page.getByRole('combobox', { name: 'Sort by' })
  for (const name of ['Newest exam date', 'Oldest exam date']) {
    await order.selectOption(name)
    await expect.poll(async () => (await cards.last().getAttribute('data-card')) ?? '', soon).toContain(undated.uuid)
  }
  await setDate(before)
})

it('the history tells what one person viewed at several sign-ins in one line, with the number of times', async () => {
  const { address } = server()
  const sids = [
    await openSession(address, 'staff'),
    await openSession(address, 'staff'),
    await openSession(address, 'staff'),
  ]
  const [exam] = (await listStudies(address, String(sids[0]))).filter((one) =>
    one.phi_namespace_name.startsWith('Teaching'),
  )
  if (!exam) throw new Error('The demo has no such exam')
  for (const sid of sids) await callWell(address, 'study/audit', { sid, uuid: exam.uuid, action: 'STUDY_VIEW' })
  const { page } = await newPerson()
  await signIn(page, 'staff')
  await openTab(page, exam.uuid, 'summary')
  const lines = page.getByRole('row').filter({ has: page.getByRole('cell', { name: /^View\b/ }) })
  await lines.getByText(/^\d times since /).waitFor(soon)
  expect(await lines.count()).toBe(1)
})

/** Dates on the page in another of the forms that people may choose. */
async function otherDates(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText()
  return text.match(/\b(?:\d{4}-\d{2}-\d{2}|\d{2}[-/]\d{2}[-/]\d{4})\b/g) ?? []
}

it('[SEARCH-08] saved searches stand in the navigation with their counts, in the order that the person gives them, and one is where the person begins', async () => {
  const { page } = await newPerson()
  await signIn(page, 'viewer')
  await page.getByRole('button', { name: /^Advanced search/ }).click()
  const popup = page.getByRole('dialog', { name: 'Advanced search' })
  await popup.getByRole('button', { name: 'Saved searches' }).click()
  for (const [name, description] of [
    ['Chests', 'chest'],
    ['Hearts', 'cardio'],
  ] as const) {
    await popup.getByLabel('Study description').fill(description)
    await popup.getByLabel('Name of the search').fill(name)
    await popup.getByRole('button', { name: 'Save this search' }).click()
    await popup.getByRole('button', { name, exact: true }).waitFor()
  }
  const searches = page.getByRole('navigation', { name: 'Groups' }).getByRole('region', { name: 'Saved searches' })
  const texts = async () => (await searches.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s/)[0])
  await expect.poll(texts, soon).toEqual(['Chests', 'Hearts'])
  const sid = await openSession(server().address, 'viewer')
  const isChest = (text: string) => /chest/i.test(text)
  const found = await callWell(server().address, 'study/list', { sid, 'filter.study_description.like': '%chest%' })
  const chests = (found['studies'] as unknown[]).length
  await searches
    .getByRole('listitem')
    .filter({ hasText: 'Chests' })
    .getByTitle(RegExp(`^${chests} stud(y|ies)$`))
    .waitFor()
  await popup.getByRole('button', { name: 'Move Hearts up' }).click()
  await expect.poll(texts, soon).toEqual(['Hearts', 'Chests'])
  await popup.getByRole('button', { name: 'Begin with Chests after signing in' }).click()
  await popup.getByRole('button', { name: 'Begin with Chests after signing in', pressed: true }).waitFor()
  const other = await newPerson()
  await signIn(other.page, 'viewer')
  const cards = other.page.locator('[data-card]')
  const shown = async () => (await cards.allInnerTexts()).filter(isChest).length
  await expect.poll(() => cards.count(), soon).toBe(chests)
  expect(await shown()).toBe(chests)
})
