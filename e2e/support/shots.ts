import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'

/** Where pictures go; ignored by git. */
export const shotFolder = resolve(import.meta.dirname, '..', 'shots')
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
]

/** Takes pictures of the screen in two sizes, light and dark, into e2e/shots, when HILUM_SHOTS asks for them. */
export async function takeShots(page: Page, name: string): Promise<void> {
  if (!process.env['HILUM_SHOTS']) return
  mkdirSync(shotFolder, { recursive: true })
  const before = page.viewportSize()
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme)
      await page.screenshot({ path: join(shotFolder, `${name}-${size.width}-${scheme}.png`) })
    }
  }
  await setScheme(page, 'light')
  if (before) await page.setViewportSize(before)
}

/** Takes a picture of a whole page as a phone shows it, when HILUM_SHOTS asks for it. */
export async function takePhoneShot(page: Page, name: string): Promise<void> {
  if (!process.env['HILUM_SHOTS']) return
  mkdirSync(shotFolder, { recursive: true })
  await page.screenshot({ path: join(shotFolder, `${name}-phone.png`), fullPage: true })
}

/** Takes a picture of the screen as it is, when HILUM_SHOTS asks for it. */
export async function takeShot(page: Page, name: string): Promise<void> {
  if (!process.env['HILUM_SHOTS']) return
  mkdirSync(shotFolder, { recursive: true })
  await page.screenshot({ path: join(shotFolder, `${name}.png`) })
}

/** Takes the page's own colours away for as long as `look` lasts, as high contrast does. */
export async function withForcedColours(page: Page, look: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
  await look()
  await page.emulateMedia({ forcedColors: 'none' })
}

/** Shows the page in light or dark, as a person whose system asks for it sees it. */
export async function setScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
}
