import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { english } from '../web/src/labels/english.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson } = useSystem()

/**
 * Bytes, as gzip sends them, with room for what comes by and by; the goal is 220 KB. Parts that only a later screen needs
 * belong into files of their own.
 */
const mostOfFirstView = 275_000

it('the scripts that every visit loads first stay small', async () => {
  const { page } = await newPerson()
  await page.goto('/')
  const scripts = await page.locator('script[type=module], link[rel=modulepreload]').evaluateAll((elements) =>
    // the page adds others for what comes later
    elements.map((element) => element.getAttribute('src') ?? element.getAttribute('href') ?? ''),
  )
  const html = await (await page.request.get('/')).text()
  const bodies = await Promise.all(
    [...new Set(scripts)]
      .filter((script) => html.includes(script))
      .map(async (script) => (await page.request.get(script)).body()),
  )
  const sent = bodies.reduce((total, body) => total + gzipSync(body, { level: 9 }).length, 0)
  expect(bodies.length).toBeGreaterThan(1)
  expect(sent).toBeLessThan(mostOfFirstView)
})

it('the inbox has all its texts while those of other screens are on their way', async () => {
  const { page } = await newPerson({ loadsAhead: true })
  await signIn(page, 'viewer')
  const release = Promise.withResolvers<void>()
  onTestFinished(() => release.resolve())
  let held = 0
  await page.route('**/assets/texts-*.js', async (route) => {
    held += 1
    await release.promise
    await route.continue()
  })
  // what is held back would keep a reload from its end
  await page.reload({ waitUntil: 'commit' })
  await page.locator('[data-card]').first().waitFor()
  // code that is fetched ahead asks for the other texts
  await expect.poll(() => held).toBeGreaterThan(0)
  expect(await keysShown(page)).toEqual([])
  release.resolve()
  await page.locator('[data-card]').first().click()
  await page.getByRole('tab', { name: 'Summary' }).waitFor()
  expect(await keysShown(page)).toEqual([])
})

it('a later screen brings its texts along', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/administration/routing-rules')
  await page.getByText(english['routing.lead']).waitFor()
  expect(await keysShown(page)).toEqual([])
})

/** Keys of texts that stand on the page in place of their texts, also where a screen reader alone finds them. */
async function keysShown(page: Page): Promise<string[]> {
  const html = await page.locator('body').evaluate((body) => body.innerHTML)
  const keys = new Set(Object.keys(english).map((key) => key.replace(/_(one|other)$/, '')))
  return (html.match(/[\w-]+(?:\.[\w-]+)+/g) ?? []).filter((word) => keys.has(word))
}
