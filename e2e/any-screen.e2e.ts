import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { emailOf, sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson } = useSystem()

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

it('in high contrast what is chosen differs from what is not: tabs and radios', async () => {
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
})
