import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { type DemoLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson } = useSystem()

const emergency = 'Emergency Department'
const outpatients = 'Outpatient Imaging'
const library = 'Teaching Library'
const gateway = 'Hospital PACS Gateway'

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Groups' })

/** A state of the open group; how many wait in it may stand beside its name. */
const stateLink = (page: Page, state: string) =>
  navigation(page).locator(`a[href$="/${encodeURIComponent(state)}"]:visible`)

async function openGroup(page: Page, name: string): Promise<void> {
  await navigation(page).getByRole('button', { name }).click()
  await page.waitForURL(/\/group\/[0-9a-f-]{36}\//)
}

async function listGroups(page: Page): Promise<string[]> {
  const names = await navigation(page).getByRole('heading').allInnerTexts()
  // How many studies wait in a group may stand behind its name.
  return names.map(
    (name) =>
      name
        .trim()
        .split('\n')[0]
        ?.replace(/\s*\d+\+?$/, '') ?? '',
  )
}

describe('the shell', () => {
  it.each<[DemoLogin, string[], boolean, boolean]>([
    ['administrator', [library, gateway, emergency, outpatients], true, true],
    ['clinician', [library, emergency, outpatients], true, false],
    ['staff', [library, emergency, outpatients], true, false],
    ['reviewer', [library, gateway], false, false],
    ['viewer', [library, emergency], false, false],
    ['uploader', [emergency], true, false],
  ])(
    '[SHELL-02] [SHELL-03] [SHELL-04] [SHELL-07] [SHELL-13] [PERM-02] [PERM-06] shows the %s what the role may use',
    async (login, groups, mayUpload, isAdministrator) => {
      const { page } = await newPerson()
      await signIn(page, login)
      const shown = await listGroups(page)
      expect(shown.filter((name) => groups.includes(name))).toEqual(groups)
      expect(shown.filter((name) => [emergency, outpatients, library, gateway].includes(name))).toEqual(groups)
      expect(await page.getByRole('link', { name: 'Upload', exact: true }).count()).toBe(mayUpload ? 1 : 0)
      await page.getByText('Welcome, ').waitFor()
      await page.getByRole('link', { name: 'Help' }).waitFor()
      await page.getByRole('button', { name: 'Open the main menu' }).click()
      await page.getByRole('menuitem', { name: 'Inbox' }).waitFor()
      await page.getByRole('menuitem', { name: 'Account settings' }).waitFor()
      await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Administration' }).count()).toBe(isAdministrator ? 1 : 0)
    },
  )

  it('[SHELL-11] [SHELL-12] [LIST-03] [LIST-05] each kind of group has its states, and each state its address', async () => {
    const { page } = await newPerson()
    await signIn(page, 'administrator')
    for (const [group, states] of [
      [emergency, ['Inbox', 'Shared', 'Shared w/ group', 'Deleted']],
      [library, ['Inbox', 'Shared w/ group', 'Deleted']],
      [gateway, ['Nominations', 'Queued', 'Rejected', 'Completed', 'Failed']],
    ] as const) {
      await openGroup(page, group)
      for (const state of states) {
        await stateLink(page, state).click()
        await page.waitForURL(`**/${encodeURIComponent(state)}`)
        await navigation(page)
          .locator(`[aria-current=page][href$="/${encodeURIComponent(state)}"]:visible`)
          .waitFor()
      }
    }
    await openGroup(page, emergency)
    await navigation(page).getByRole('button', { name: emergency }).click()
    await page.waitForURL('/group/list')
  })

  it('[SHELL-12] an address with "Shared w/ group" survives a reload and the way back and forth', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await openGroup(page, emergency)
    await stateLink(page, 'Shared w/ group').click()
    await page.waitForURL('**/Shared%20w%2F%20group')
    await page.reload()
    await page.getByText('No studies in this state.').waitFor()
    expect(page.url()).toMatch(/Shared%20w%2F%20group$/)
    await page.goBack()
    await page.waitForURL('**/Inbox')
    await page.locator('[data-card]').first().waitFor()
    await page.goForward()
    await page.waitForURL('**/Shared%20w%2F%20group')
    await page.getByText('No studies in this state.').waitFor()
  })
})

describe('addresses', () => {
  it.each([
    '/group/list',
    '/group',
    '/study/upload',
    '/account-settings',
    '/administration',
    '/administration/users',
    '/administration/groups',
    '/administration/locations',
    '/administration/routing-rules',
    '/inbox/group/list',
  ])('[ROUTE-02] [ROUTE-08] [ROUTE-11] %s without a session leads to the login', async (path) => {
    const { page } = await newPerson()
    await page.goto(path)
    await page.getByLabel('Username').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  it.each(['/nowhere', '/group/list/too/deep', '/404', '/study/other'])(
    '[ROUTE-10] %s is not found, for anybody',
    async (path) => {
      const { page, forgive } = await newPerson()
      // the server tells monitors and mistyped addresses the same as the page
      forgive(/status of 404/)
      await page.goto(path)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      await page.getByRole('link', { name: 'Go to the start page' }).click()
      await page.getByLabel('Username').waitFor()
    },
  )

  it('[ROUTE-03] [ROUTE-09] [ROUTE-15] aliases lead to the one address', async () => {
    const { page } = await newPerson()
    await signIn(page, 'administrator')
    await page.goto('/inbox/group/list')
    await page.waitForURL('/group/list')
    await page.goto('/group')
    await page.waitForURL(/\/group\/[0-9a-f-]{36}\/Inbox$/)
    await page.goto('/organization/users.html')
    await page.waitForURL('/administration/users')
    await page.getByRole('heading', { name: 'Administration' }).waitFor()
  })

  it('a group that is not there, or not the person’s, says so', async () => {
    const { page } = await newPerson()
    await signIn(page, 'administrator')
    await openGroup(page, outpatients)
    const { pathname } = new URL(page.url())
    const other = await newPerson()
    await signIn(other.page, 'viewer')
    for (const path of [pathname, '/group/11111111-1111-4111-8111-111111111111/Inbox']) {
      await other.page.goto(path)
      await other.page.getByText('Cannot find the requested group: please check URL and try again').waitFor()
    }
  })
})

describe('the list', () => {
  it('[LIST-01] [LIST-02] [LIST-12] counts, sorts, and keeps the order in the address', async () => {
    const { page } = await newPerson()
    await signIn(page, 'administrator')
    await page.getByText('6 studies').waitFor()
    // not innerText: what is not laid out yet has none
    const names = async () => page.locator('[data-card] [class*=name]').allTextContents()
    await page.locator('[data-card]').first().waitFor()
    const byUpload = await names()
    await page.getByLabel('Sort by').selectOption({ label: 'Name A to Z' })
    await page.waitForURL(/sort=name-asc/)
    await expect.poll(async () => (await names()).slice(0, 3)).toEqual(byUpload.toSorted().slice(0, 3))
    const sorted = await names()
    expect(sorted.toSorted()).toEqual(byUpload.toSorted())
    await page.reload()
    await expect.poll(names).toEqual(sorted)
    // Another group keeps the order that makes sense there (LIST-11).
    await page.getByRole('button', { name: /Teaching Library/ }).click()
    await page.waitForURL(/\/Inbox\?sort=name-asc$/)
    await page.getByRole('link', { name: 'All My Groups' }).click()
    await expect.poll(names).toEqual(sorted)
    await page.getByLabel('Sort by').selectOption({ label: 'Name Z to A' })
    await expect.poll(names).toEqual(sorted.toReversed())
  })

  it('[SEARCH-01] [SEARCH-03] finds by a part of the name, not in the address, and clears', async () => {
    const { page } = await newPerson()
    await signIn(page, 'administrator')
    await page.locator('[data-card]').first().waitFor()
    const name = ((await page.locator('[data-card] [class*=name]').first().textContent()) ?? '').slice(1, 5)
    await page.getByLabel('Name, MRN, accession number, UID or tag').fill(name)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect.poll(() => page.locator('[data-card]').count()).toBeLessThan(6)
    expect(decodeURIComponent(page.url()).toLowerCase()).not.toContain(name.toLowerCase())
    await page.getByLabel('Name, MRN, accession number, UID or tag').fill('Nobody of this name')
    await page.keyboard.press('Enter')
    await page.getByText('No study matches the search.').waitFor()
    await page.getByRole('button', { name: 'Clear Search' }).click()
    await expect.poll(() => page.locator('[data-card]').count()).toBe(6)
  })

  it('[LIST-14] [PANEL-01] several are marked in a cloud group, none in a gatekeeper group', async () => {
    const { page } = await newPerson()
    await signIn(page, 'administrator')
    await openGroup(page, emergency)
    const marks = page.getByRole('checkbox', { name: /^Select .*,/ })
    await marks.nth(0).check()
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
    await marks.nth(1).check()
    await page.getByText('2 studies selected').waitFor()
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Clear' }).first().click()
    await page.getByText('Select a study to see its details').waitFor()
    await openGroup(page, gateway)
    await page.getByText('No studies in this state.').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })
})

describe('the panel', () => {
  it('[PANEL-01] [PANEL-02] [PANEL-05] [PANEL-07] [SUMMARY-01] opens by mouse, and back, forward and reload keep the state', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await openGroup(page, outpatients)
    await page.locator('[data-card]').first().click()
    await page.getByRole('tab', { name: 'Summary', selected: true }).waitFor()
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Summary',
      'Viewer',
      'Downloads',
      'PACS',
      'Share',
      'Edit MRN',
      'Send exams',
      'Attachments',
    ])
    for (const title of ['Patient demographics', 'Exam information', 'Exam history'])
      await page.getByRole('heading', { name: title }).waitFor()
    const pictures = page.getByRole('list', { name: 'Series' }).locator('img')
    await expect
      .poll(() =>
        pictures.evaluateAll((all) => all.length > 0 && all.every((one) => (one as HTMLImageElement).naturalWidth > 0)),
      )
      .toBe(true)
    const place = page.url()
    expect(place).toContain('study=')
    await page.getByRole('tab', { name: 'Downloads' }).click()
    await page.waitForURL(/tab=download/)
    await page.reload()
    await page.getByRole('tab', { name: 'Downloads', selected: true }).waitFor()
    await page.goBack()
    await page.getByText('Select a study to see its details').waitFor()
    await page.goForward()
    await page.getByRole('tab', { name: 'Downloads', selected: true }).waitFor()
    await page.getByRole('button', { name: 'Close the details' }).click()
    await page.getByText('Select a study to see its details').waitFor()
  })

  it('is driven by keyboard alone', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await openGroup(page, emergency)
    const cards = page.locator('[data-card]')
    await cards.first().focus()
    await page.keyboard.press('Enter')
    await page.locator('[data-card][aria-current]').waitFor()
    const chosen = () => page.locator('[data-card][aria-current]').getAttribute('data-card')
    const ids = await cards.evaluateAll((all) => all.map((one) => one.getAttribute('data-card')))
    expect(await chosen()).toBe(ids[0])
    await page.keyboard.press('ArrowDown')
    await expect.poll(chosen).toBe(ids[1])
    await page.keyboard.press('j')
    await expect.poll(chosen).toBe(ids[2])
    await page.keyboard.press('k')
    await expect.poll(chosen).toBe(ids[1])
    await page.keyboard.press('Home')
    await expect.poll(chosen).toBe(ids[0])
    await page.getByRole('tab', { name: 'Summary' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { name: 'Viewer', selected: true }).waitFor()
  })

  it('tells of a study that is not there', async () => {
    const { page, forgive } = await newPerson()
    forgive(/status of 412 .*study\/get/)
    await signIn(page, 'clinician')
    await page.goto('/group/list?study=11111111-1111-4111-8111-111111111111')
    await page.getByText('This study is no longer here.').waitFor()
  })
})
