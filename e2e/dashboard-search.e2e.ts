import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, listStudies, openSession } from './support/call.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()

/** How long a loaded machine may take. */
const soon = { timeout: 30_000 }

const cards = (page: Page) => page.locator('[data-card]')
const cardTexts = (page: Page) => cards(page).allInnerTexts()
/** A study's line in the list, with its box and star. */
const lineOf = (page: Page, uuid: string) =>
  page.getByRole('listitem').filter({ has: page.locator(`[data-card="${uuid}"]`) })
/** Whether there are cards, and all of them are like that. */
async function allCards(page: Page, isLike: (text: string) => boolean): Promise<boolean> {
  const texts = await cardTexts(page)
  return texts.length > 0 && texts.every(isLike)
}
/** The status line of the list says how many there are. */
const found = (page: Page, count: number) =>
  page
    .getByRole('region', { name: 'Studies' })
    .getByText(count === 1 ? '1 study' : `${count} studies`)
    .waitFor()
const search = (page: Page) => page.getByRole('button', { name: 'Search', exact: true })
async function openAdvanced(page: Page) {
  await page.getByRole('button', { name: /^Advanced search/ }).click()
  const popup = page.getByRole('dialog', { name: 'Advanced search' })
  await popup.waitFor()
  return popup
}
/** Looks for breaches in light and dark, and takes the pictures that were asked for. */
async function look(page: Page, name: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findBarriers(page), `${name}, ${colorScheme}`).toEqual([])
  }
  await takeShots(page, name)
}

it.each([
  ['a part, in another case, without the accent', 'mull', 'MÜLLER'],
  ['LAST%FIRST', 'van%anna', 'VAN DER BERG'],
  ['the ideographs', '山田', 'YAMADA'],
])('[SEARCH-01] [SEARCH-13] finds a name by %s', async (_how, typed, name) => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  await cards(page).first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(typed)
  await page.keyboard.press('Enter')
  await expect.poll(() => allCards(page, (text) => text.includes(name)), soon).toBe(true)
  expect(page.url()).not.toContain(encodeURIComponent(typed))
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect.poll(async () => (await cardTexts(page)).some((text) => !text.includes(name)), soon).toBe(true)
})

it('[SEARCH-02] [SEARCH-05] [SEARCH-06] [SEARCH-15] searches by modality and date range, and tells before how many', async () => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  await cards(page).first().waitFor()
  await look(page, 'list')
  const popup = await openAdvanced(page)
  expect(await search(page).first().isDisabled()).toBe(true)
  await look(page, 'advanced-search')
  await page.getByRole('combobox', { name: /^Modality/ }).click()
  await page.getByRole('option', { name: /^CT/ }).click()
  await page.getByRole('option', { name: /^US/ }).click()
  await look(page, 'advanced-search-modalities')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Modality 2 Selected' }).waitFor()
  const { address } = server()
  const all = await listStudies(address, await openSession(address, 'staff'))
  const count = all.filter(({ modality }) => /\b(CT|US)\b/.test(modality)).length
  await popup.getByText(`${count} studies`).waitFor()
  await page.getByRole('button', { name: /^Study date/ }).click()
  await page.getByRole('button', { name: 'Custom date range' }).click()
  await page.getByRole('button', { name: 'Previous month' }).waitFor()
  await look(page, 'date-range')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await popup.getByRole('button', { name: 'Search', exact: true }).click()
  await popup.waitFor({ state: 'detached' })
  await found(page, count)
  await expect.poll(() => allCards(page, (text) => /\b(CT|US)\b/.test(text)), soon).toBe(true)
})

it('[SEARCH-08] saves a search, uses it after a reload, renames and deletes it', async () => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  let popup = await openAdvanced(page)
  await popup.getByLabel('Study description').fill('chest')
  await popup.getByRole('button', { name: 'Saved searches' }).click()
  await popup.getByLabel('Name of the search').fill('Chests')
  await popup.getByRole('button', { name: 'Save this search' }).click()
  await popup.getByRole('button', { name: 'Chests', exact: true }).waitFor()
  await look(page, 'saved-searches')
  await page.reload()
  await page.getByRole('region', { name: 'Saved searches' }).getByRole('button', { name: 'Saved searches' }).click()
  await popup.getByRole('button', { name: 'Chests', exact: true }).click()
  await expect.poll(() => allCards(page, (text) => /chest/i.test(text)), soon).toBe(true)
  popup = await openAdvanced(page)
  await expect.poll(() => popup.getByLabel('Study description').inputValue(), soon).toBe('chest')
  await popup.getByRole('button', { name: 'Saved searches' }).click()
  await popup.getByRole('button', { name: 'Rename Chests' }).click()
  await popup.getByLabel('New name').fill('All chests')
  await popup.getByRole('button', { name: 'Save', exact: true }).click()
  await popup.getByRole('button', { name: 'Delete All chests' }).click()
  await popup.getByRole('button', { name: 'Delete', exact: true }).click()
  await popup.getByText('No searches are saved yet.').waitFor()
})

it('finds by one field whatever is typed, takes chips off, and Back undoes a search', async () => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  const find = page.getByRole('textbox', { name: 'Name, MRN, accession number, UID or tag' })
  const names = async (part: string) => allCards(page, (text) => text.includes(part))
  await page.getByRole('button', { name: 'Advanced search' }).click()
  await page.getByRole('combobox', { name: 'Unread' }).selectOption('Yes')
  await page.getByRole('combobox', { name: 'Incomplete' }).selectOption('No')
  await page.getByRole('dialog').getByRole('button', { name: 'Search', exact: true }).click()
  await find.fill('siobhan oconnor')
  await page.getByText(/^Name(: Enter searches)?$/).waitFor()
  await search(page).click()
  await expect.poll(() => names("O'CONNOR"), soon).toBe(true)
  await look(page, 'search-chips')
  await page.getByRole('button', { name: 'Remove Unread: Yes' }).click()
  await page.getByRole('button', { name: 'Remove Incomplete: No' }).click()
  await find.fill('ns-1008')
  await search(page).click()
  await expect.poll(() => names('YAMADA'), soon).toBe(true)
  await page.goBack()
  await expect.poll(() => find.inputValue(), soon).toBe('siobhan oconnor')
  await expect.poll(() => names("O'CONNOR"), soon).toBe(true)
  await page.goForward()
  await expect.poll(() => names('YAMADA'), soon).toBe(true)
})

it('finds while somebody types, before Enter, and shows all again when the field is emptied', async () => {
  const { page } = await newPerson()
  // by this clock a slow machine's answers are quick as well
  await page.addInitScript(() => {
    const now = performance.now.bind(performance)
    performance.now = () => now() / 100
  })
  await signIn(page, 'staff')
  await cards(page).first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('mull')
  await expect.poll(() => allCards(page, (text) => text.includes('MÜLLER')), soon).toBe(true)
  const field = page.locator(':focus')
  expect(await field.inputValue()).toBe('mull')
  await field.fill('')
  await expect.poll(async () => (await cardTexts(page)).some((text) => !text.includes('MÜLLER')), soon).toBe(true)
})

it('offers the tag that a plain word begins, by keys alone, and the word stays a name for whoever presses Enter', async () => {
  const { address } = server()
  const sid = await openSession(address, 'staff')
  const [tagged] = await listStudies(address, sid)
  await callWell(address, 'tag/add', { sid, object: 'Study', object_id: tagged?.uuid, tag: 'Tumour board' })
  const { page } = await newPerson()
  await signIn(page, 'staff')
  const find = page.getByRole('textbox', { name: 'Name, MRN, accession number, UID or tag' })
  await find.pressSequentially('board')
  const offer = page.getByRole('button', { name: 'Tag Tumour board', exact: true })
  await offer.waitFor()
  // what the offer lies over is reached once the focus has left
  expect(await findBarriers(page, { part: 'search' })).toEqual([])
  await takeShots(page, 'search-tag-offer')
  await page.keyboard.press('Enter')
  await page.getByText('No study matches the search.').waitFor()
  await page.keyboard.press('Tab')
  expect(await offer.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Tag: Tumour board' }).waitFor()
  await page.locator(`[data-card="${tagged?.uuid}"]`).waitFor()
  expect(await find.inputValue()).toBe('')
})

it('copies a link without the patient in it, which opens by the rights of the reader', async () => {
  const { page } = await newPerson({ permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(page, 'staff')
  await page.getByRole('textbox', { name: 'Name, MRN, accession number, UID or tag' }).fill('yamada')
  await search(page).click()
  await expect.poll(() => allCards(page, (text) => text.includes('YAMADA')), soon).toBe(true)
  await page.getByRole('button', { name: 'Copy link to this search' }).click()
  await page.getByText(/^Link copied/).waitFor()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  expect(address.toLowerCase()).not.toContain('yamada')
  const reader = await newPerson()
  await signIn(reader.page, 'clinician')
  await reader.page.goto(address)
  await expect
    .poll(
      () => reader.page.getByRole('textbox', { name: 'Name, MRN, accession number, UID or tag' }).inputValue(),
      soon,
    )
    .toBe('yamada')
  await expect.poll(() => allCards(reader.page, (text) => text.includes('YAMADA')), soon).toBe(true)
  expect(reader.page.url()).not.toContain('filter=')
  reader.forgive(/status of 412/)
  await reader.page.goto('/group/list?filter=00000000-0000-4000-8000-000000000000')
  await reader.page.getByText('The search of this link is not available to you.').waitFor()
})

it('filters that name no patient stand in the address, through chips, Back, a reload and a copied link', async () => {
  const { page } = await newPerson({ permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(page, 'staff')
  await cards(page).first().waitFor()
  await page.goto('/group/list?modality=CT&starred=no&exam=sometime')
  await page.getByText('Study date “sometime”').waitFor()
  await page.getByRole('button', { name: 'Remove Modality: CT' }).waitFor()
  await expect.poll(() => allCards(page, (text) => /\bCT\b/.test(text)), soon).toBe(true)
  await look(page, 'address-notice')
  await page.getByRole('button', { name: 'Remove Starred: No' }).click()
  await page.waitForURL((url) => url.search === '?modality=CT')
  await page.getByText('Study date “sometime”').waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('button', { name: 'Remove Starred: No' }).waitFor()
  await page.goForward()
  await page.getByRole('button', { name: 'Remove Starred: No' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Remove Modality: CT' }).waitFor()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Not done')
  await page.waitForURL((url) => url.search === '?work=open&modality=CT' || url.search === '?modality=CT&work=open')
  await page.getByRole('button', { name: 'Emergency Department' }).click()
  await page.waitForURL(/\/group\/(?!list).*modality=CT/)
  await page.getByRole('button', { name: 'Copy link to this search' }).click()
  await page.getByText(/^Link copied/).waitFor()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  expect(address).toContain('modality=CT')
  expect(address).not.toContain('filter=')
  const reader = await newPerson()
  await signIn(reader.page, 'staff')
  await reader.page.goto(address)
  await expect.poll(() => reader.page.getByRole('combobox', { name: 'Status' }).inputValue(), soon).toBe('open')
  expect(await reader.page.getByRole('button', { name: 'Remove Status: Not done' }).count()).toBe(0)
  await reader.page.getByRole('button', { name: 'Remove Modality: CT' }).waitFor()
})

it('Ctrl K leads to groups, acts, settings and pages from every screen, and the help opens at the place where one is', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await cards(page).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Name of a study/ }).waitFor()
  await look(page, 'palette')
  await page.keyboard.type('webhooks')
  await page.getByRole('option', { name: 'Webhooks Administration' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/administration/webhooks')
  await page.getByRole('heading', { name: 'Administration' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Name of a study/ }).waitFor()
  await page.keyboard.type('emergency')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/group\//)
  const [help] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Help', exact: true }).click(),
  ])
  await help.waitForURL('**/help#find')
  await expect.poll(() => help.evaluate(() => document.activeElement?.id), soon).toBe('find')
  await help.getByRole('searchbox', { name: 'Search the help' }).fill('restore')
  await help.getByText('1 part has these words.').waitFor()
  await look(help, 'help-search')
  await help.getByRole('searchbox', { name: 'Search the help' }).fill('')
  await help
    .getByRole('navigation', { name: 'Parts of the help' })
    .getByRole('link', { name: 'Keys', exact: true })
    .click()
  await expect.poll(() => help.evaluate(() => document.activeElement?.id), soon).toBe('keys')
  await help.getByRole('link', { name: 'Go to the start page' }).waitFor()
})

it('goes through the main job by keys alone, and Search tips and keys say how', async () => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  await cards(page).first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.getByRole('tab', { selected: true }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-card')), soon).toBe(true)
  const uuid = (await page.evaluate(() => document.activeElement?.getAttribute('data-card'))) ?? ''
  const star = lineOf(page, uuid).getByRole('button', { name: /^Star / })
  const before = await star.getAttribute('aria-pressed')
  await page.keyboard.press('s')
  await expect.poll(() => star.getAttribute('aria-pressed'), soon).not.toBe(before)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')), soon).toBe('tab')
  const tab = await page.getByRole('tab', { selected: true }).innerText()
  await page.keyboard.press(']')
  await expect.poll(() => page.getByRole('tab', { selected: true }).innerText(), soon).not.toBe(tab)
  await page.keyboard.press('[')
  await page.keyboard.press('Escape')
  await page.getByText('Select a study to see its details').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-card')), soon).toBe(true)
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await look(page, 'keys')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search tips' }).click()
  await look(page, 'search-tips')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

it('keys that act by themselves are switched off for good in the account settings', async () => {
  const { page } = await newPerson()
  await signIn(page, 'viewer')
  await page.goto('/account-settings/appearance')
  await page.getByRole('checkbox', { name: 'Single keys act in the inbox' }).uncheck()
  await look(page, 'account-settings')
  await page.goto('/group/list')
  await cards(page).first().waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('j')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-card'))).toBe(false)
})

it('counts what is not done, sets a status, and another browser sees it', async () => {
  const { address } = server()
  const sid = await openSession(address, 'staff')
  const open = (await listStudies(address, sid)).filter((one) => one.phi_namespace_name === 'Emergency Department')
  for (const { uuid } of open) await callWell(address, 'study/set', { sid, uuid, work_status: 'new' })
  const uuid = open[1]?.uuid ?? ''
  const [first, second] = [await newPerson(), await newPerson()]
  for (const { page } of [first, second]) {
    await signIn(page, 'staff')
    await page.getByRole('button', { name: 'Emergency Department' }).click()
    await cards(page).first().waitFor()
  }
  const badge = (page: Page) => page.getByRole('link', { name: /^Inbox \d+ not done/ })
  await expect.poll(async () => badge(second.page).innerText(), soon).toContain(String(open.length))
  await lineOf(first.page, uuid)
    .getByRole('checkbox', { name: /^Select / })
    .check()
  await first.page.getByRole('combobox', { name: 'Set status' }).selectOption('Done')
  await lineOf(second.page, uuid).getByText(/^Done/).waitFor()
  await expect.poll(async () => badge(second.page).innerText(), soon).toContain(String(open.length - 1))
  await first.page.getByRole('combobox', { name: 'Status' }).selectOption('Done')
  await found(first.page, 1)
  await lineOf(first.page, uuid).waitFor()
  expect(first.page.url()).toContain('work=done')
  await look(first.page, 'status-done')
})

it('shows deleted studies and restores them', async () => {
  const { page } = await newPerson()
  const { address } = server()
  const sid = await openSession(address, 'staff')
  const [study] = (await listStudies(address, sid)).filter((one) => one.phi_namespace_name === 'Outpatient Imaging')
  await callWell(address, 'study/delete', { sid, uuid: study?.uuid })
  await signIn(page, 'staff')
  await page.getByRole('button', { name: 'Outpatient Imaging' }).click()
  await page.getByRole('link', { name: 'Deleted' }).click()
  const line = lineOf(page, study?.uuid ?? '')
  await line.waitFor()
  await look(page, 'deleted')
  await line.getByRole('button', { name: /^Restore / }).click()
  await page.getByText('1 study was restored.').waitFor()
  await line.waitFor({ state: 'detached' })
  expect((await listStudies(address, sid)).some(({ uuid }) => uuid === study?.uuid)).toBe(true)
})

it('[ROUTE-05] [ROUTE-06] [ROUTE-12] [PERM-07] [PERM-09] [ERROR-12] says who may not request or retrieve, and that a group is not there', async () => {
  const { page } = await newPerson()
  await signIn(page, 'viewer')
  await page
    .getByRole('button', { name: /Department|Imaging|Library/ })
    .first()
    .click()
  await page.waitForURL('**/Inbox')
  const group = new URL(page.url()).pathname.split('/')[2]
  await page.goto(`/study/request/${group}`)
  await page.getByText("You don't have enough permissions to request a study").waitFor()
  await page.goto(`/study/retrieve/${group}`)
  await page.getByText("You don't have enough permissions to retrieve a study").waitFor()
  await page.getByText(/Whoever administers .* can add this/).waitFor()
  await look(page, 'retrieve-refused')
  await page.getByRole('link', { name: /^Back to / }).click()
  await page.waitForURL(`**/group/${group}/Inbox`)
  await page.goto('/study/request/nowhere')
  await page.getByText('Cannot find the requested group: please check URL and try again').waitFor()
})

it('[SHELL-06] the worklist: columns as chosen, sorted by the server, panel beside', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.getByRole('button', { name: 'Open the main menu' }).click()
  await page.getByRole('menuitem', { name: 'Advanced UI' }).click()
  await page.getByRole('table').waitFor()
  expect(await page.getByRole('combobox', { name: 'Rows per page' }).inputValue()).toBe('25')
  await look(page, 'worklist')
  await page.getByRole('button', { name: 'Patient name' }).click()
  await page.locator('th[aria-sort=ascending]').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Sex' }).check()
  await page.getByRole('button', { name: 'Move MRN up' }).click()
  await look(page, 'worklist-columns')
  await page.keyboard.press('Escape')
  const heads = () => page.getByRole('columnheader').allInnerTexts()
  await expect.poll(async () => (await heads()).slice(1, 3), soon).toEqual(['MRN', 'Patient name'])
  await page.reload()
  await page.getByRole('table').waitFor()
  expect((await heads()).slice(1, 3)).toEqual(['MRN', 'Patient name'])
  expect(await heads()).toContain('Sex')
  await cards(page).first().click()
  await page.getByRole('tab', { selected: true }).waitFor()
  await look(page, 'worklist-panel')
})

it('below 1000 px the navigation is a drawer and one pane shows at a time', async () => {
  const { page } = await newPerson({ viewport: { width: 900, height: 700 } })
  await signInNarrow(page)
  await page.getByRole('button', { name: 'Show the navigation' }).click()
  await page.getByRole('button', { name: /Teaching Library/ }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('nav') !== null), soon).toBe(true)
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), soon).toBe('show-navigation')
  await cards(page).first().click()
  await page.getByRole('tab', { selected: true }).waitFor()
  await expect.poll(() => cards(page).first().isVisible(), soon).toBe(false)
  await page.getByRole('button', { name: 'Close the details' }).click()
  await cards(page).first().waitFor()
})

/** The groups are in the drawer, so the list is what tells that somebody is in. */
async function signInNarrow(page: Page) {
  await page.setViewportSize({ width: 1100, height: 700 })
  await signIn(page, 'staff')
  await page.setViewportSize({ width: 900, height: 700 })
  await cards(page).first().waitFor()
}
