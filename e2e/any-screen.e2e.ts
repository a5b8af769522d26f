import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoStudies } from '@hilum/dicom/synthetic/demo'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFolder, type PickFolder } from './support/corpus.ts'
import { takeShots } from './support/shots.ts'
import { emailOf, sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, openWizard } from './support/wizard.ts'

const { newPerson } = useSystem()

let disc: PickFolder
beforeAll(() => {
  disc = makeFolder()
  for (const study of demoStudies('a third seed').slice(0, 1)) {
    for (const { path, bytes } of study.files()) {
      mkdirSync(join(disc.path, path, '..'), { recursive: true })
      writeFileSync(join(disc.path, path), bytes)
    }
  }
})
afterAll(() => disc.remove())

const heights = (rows: Locator) => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
const panes = async (page: Page) => ({
  list: await page.locator('[data-card]').first().isVisible(),
  panel: await page.getByRole('tab', { name: 'Summary' }).isVisible(),
})

it('[CONST-08] the left navigation is 179 px wide, list and panel stand beside each other up to 4K', async () => {
  for (const viewport of [
    { width: 1024, height: 768 },
    { width: 3840, height: 2160 },
  ]) {
    const { page } = await newPerson({ viewport })
    await signIn(page, 'viewer')
    const nav = await page.getByRole('navigation', { name: 'Groups' }).boundingBox()
    expect(Math.round(nav?.width ?? 0)).toBe(179)
    await page.locator('[data-card]').first().click()
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
    expect(await panes(page)).toEqual({ list: true, panel: true })
    expect(await overflow(page)).toBe(0)
  }
})

it('[CONST-05] tables of exams have their sizes where there is room', async () => {
  const { page } = await newPerson({ viewport: { width: 3840, height: 2160 } })
  await signIn(page, 'staff')
  await page.locator('[data-card]').first().click()
  await page.getByRole('tab', { name: 'Summary' }).waitFor()
  const [study] = /study=[^&]+/.exec(page.url()) ?? []
  await page.goto(`/group/list?${study}&tab=deleteExams`)
  const table = page.getByRole('region', { name: 'Exam', exact: true })
  await table.waitFor()
  expect(await heights(table.locator('tr'))).toEqual([50, 45])
  expect(await table.evaluate((element) => getComputedStyle(element).maxHeight)).toBe('455px')

  await openWizard(page, 'Emergency Department')
  await browseFor(page, disc.path)
  const found = page.getByRole('table').first()
  await found.waitFor()
  expect((await found.boundingBox())?.width).toBe(1190)
})

it('below 1024 px one pane shows at a time, and nothing is wider than the screen', async () => {
  for (const viewport of [
    { width: 800, height: 600 },
    { width: 390, height: 844 },
  ]) {
    const { page } = await newPerson({ viewport })
    await page.goto('/')
    await sendLogin(page, emailOf('viewer'))
    await page.locator('[data-card]').first().waitFor()
    expect(await overflow(page)).toBe(0)
    await page.locator('[data-card]').first().click()
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
    expect(await panes(page)).toEqual({ list: false, panel: true })
    expect(await overflow(page)).toBe(0)
    await page.getByRole('button', { name: 'Close the details' }).click()
    await page.locator('[data-card]').first().waitFor()
    expect(await panes(page)).toEqual({ list: true, panel: false })
  }
})

it('in high contrast what is chosen differs from what is not: tabs, radios, tools and series of the viewer', async () => {
  const { page } = await newPerson({ forcedColors: 'active' })
  await signIn(page, 'clinician')
  await page.locator('[data-card]').first().waitFor()
  await page.locator('[data-card]').first().click()
  await page.getByRole('tab', { name: 'Downloads' }).click()
  const radios = page.getByRole('radio')
  const ring = (at: number) => radios.nth(at).evaluate((radio) => getComputedStyle(radio).backgroundColor)
  await radios.first().waitFor()
  expect(await ring(0)).not.toBe(await ring(1))
  const line = (name: string) =>
    page.getByRole('tab', { name }).evaluate((tab) => getComputedStyle(tab).borderBottomWidth)
  expect(await line('Downloads')).not.toBe(await line('Summary'))
  await page.getByRole('tab', { name: 'Viewer' }).click()
  const viewer = page.frameLocator('iframe[title^="Viewer of"]')
  await viewer.locator('.screen[data-state=image]').waitFor()
  const fill = (part: string) =>
    viewer
      .locator(part)
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor)
  expect(await fill('.tool[aria-pressed=true]')).not.toBe(await fill('.tool[aria-pressed=false]'))
  expect(await fill('.tile[aria-current=true]')).not.toBe(await fill('.side'))
  await takeShots(page, 'high-contrast-viewer')
})
