import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson } = useSystem()

/** How long a loaded machine may take. */
const soon = { timeout: 30_000 }

async function openSaved(page: Page) {
  await page.getByRole('button', { name: /^Advanced search/ }).click()
  const popup = page.getByRole('dialog', { name: 'Advanced search' })
  await popup.getByRole('button', { name: 'Saved searches' }).click()
  return popup
}

it('[SEARCH-08] shares a search with a group by keys, shows with whom, and takes it back', async () => {
  const [owner, reader] = [await newPerson(), await newPerson()]
  await signIn(owner.page, 'administrator')
  const mine = await openSaved(owner.page)
  await mine.getByLabel('Study description').fill('chest')
  await mine.getByLabel('Name of the search').fill('Chests')
  await mine.getByRole('button', { name: 'Save this search' }).click()
  await mine.getByRole('button', { name: 'Share Chests' }).focus()
  await owner.page.keyboard.press('Enter')
  const shares = mine.getByRole('region', { name: 'With whom Chests is shared' })
  await shares.getByText('This search is shared with nobody.').waitFor()
  expect(await findBarriers(owner.page)).toEqual([])
  await shares.getByLabel('Share with').selectOption('Emergency Department')
  await shares.getByRole('button', { name: 'Share', exact: true }).focus()
  await owner.page.keyboard.press('Enter')
  await shares.getByText('Shared with Emergency Department.').waitFor()
  const stop = shares.getByRole('button', { name: 'Stop sharing with Emergency Department' })
  await stop.waitFor()
  await takeShots(owner.page, 'search-shares')

  await signIn(reader.page, 'clinician')
  let theirs = await openSaved(reader.page)
  await theirs.getByText('From Amara Okafor').waitFor()
  expect(await theirs.getByRole('button', { name: /^(Share|Rename|Delete) Chests/ }).count()).toBe(0)
  await takeShots(reader.page, 'search-shared-with-me')
  await theirs.getByRole('button', { name: 'Chests', exact: true }).click()
  const cards = reader.page.locator('[data-card]')
  await expect
    .poll(async () => {
      const texts = await cards.allInnerTexts()
      return texts.length > 0 && texts.every((text) => /chest/i.test(text))
    }, soon)
    .toBe(true)

  await stop.focus()
  await owner.page.keyboard.press('Enter')
  await shares.getByText('No longer shared with Emergency Department.').waitFor()
  await shares.getByText('This search is shared with nobody.').waitFor()
  // the button that had the focus is gone; what is around it takes the focus, where Escape is heard
  await expect.poll(() => shares.evaluate((region) => region.contains(document.activeElement)), soon).toBe(true)
  await owner.page.keyboard.press('Escape')
  await shares.waitFor({ state: 'detached' })
  await expect
    .poll(() => owner.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), soon)
    .toBe('Share Chests')
  await reader.page.reload()
  theirs = await openSaved(reader.page)
  await theirs.getByText('No searches are saved yet.').waitFor()
})

it('a copied link without a network offers to try again, and opens its search then', async () => {
  const { page, forgive, context } = await newPerson({ permissions: ['clipboard-read', 'clipboard-write'] })
  forgive(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  await signIn(page, 'clinician')
  await page.getByRole('textbox', { name: 'Name, MRN, accession number, UID or tag' }).fill('yamada')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('button', { name: 'Copy link to this search' }).click()
  await page.getByText(/^Link copied/).waitFor()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await context.route('**/api/v3/filter/get', (route) => route.abort())
  for (const place of [address, address.replace('/group/list', '/worklist')]) {
    await page.goto(place)
    await page.getByText('The search of this link could not be loaded, so no studies are shown.').waitFor()
    expect(await page.locator('[data-card]').count()).toBe(0)
    expect(page.url()).toBe(place)
  }
  await page.goto(address)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await takeShots(page, 'link-unread')
  await context.unroute('**/api/v3/filter/get')
  await again.click()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Name, MRN, accession number, UID or tag' }).inputValue(), soon)
    .toBe('yamada')
  await page.locator('[data-card]').first().waitFor()
  expect(page.url()).not.toContain('filter=')
})
