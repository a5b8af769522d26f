import type { Page, Route } from 'playwright-core'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { call, openSession } from './support/call.ts'
import { findHarm } from './support/find-harm.ts'
import { fillWithHostileTexts, type HostileStudies } from './support/hostile-studies.ts'
import { brokenLines, hostileTexts } from './support/hostile-texts.ts'
import type { Person } from './support/open-browser.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()
const texts = hostileTexts()
const group = 'Outpatient Imaging'
/** How long a loaded machine may take. */
const soon = { timeout: 60_000 }

let sid: string
let held: HostileStudies
beforeAll(async () => {
  const { address } = server()
  sid = await openSession(address, 'staff')
  held = await fillWithHostileTexts({
    address,
    sid,
    adminSid: await openSession(address, 'administrator'),
    texts,
    group,
  })
})

const readers: Page[] = []
// An answer that is being altered while its page closes would fail for that alone.
afterEach(() => Promise.all(readers.splice(0).map((page) => page.unrouteAll({ behavior: 'wait' }))))

/** A person before whom no question of the browser's own may appear. */
async function newReader(): Promise<Person> {
  const person = await newPerson()
  readers.push(person.page)
  person.page.on('dialog', (dialog) => {
    person.faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await renameGroups(person)
  await signIn(person.page, 'staff')
  return person
}

/** Groups come with their names from administrators, for whom there is no call yet: here the answer is changed. */
async function renameGroups({ page, faults }: Person): Promise<void> {
  const rename = async (route: Route) => {
    const reply = await route.fetch()
    const body = (await reply.json()) as { namespaces: { name: string }[] }
    for (const [at, one] of body.namespaces.entries()) {
      one.name = one.name === group ? `${group} ${texts[4]}` : (texts[at * 7] ?? one.name)
    }
    await route.fulfill({ response: reply, json: body })
  }
  await page.route('**/api/v3/user/namespace/list', (route) =>
    rename(route).catch((failure) => void faults.push(`groups kept their names: ${failure}`)),
  )
}

const cards = (page: Page) => page.locator('[data-card]')
/** An MRN of three lines, and tags of two. */
const boxes = { minHeight: 20, maxHeight: 160 }
/** Cards and rows keep their size, whatever they hold. */
async function findOddCards(page: Page): Promise<number[]> {
  const heights = await cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height))
  return heights.filter((height) => height < boxes.minHeight || height > boxes.maxHeight)
}

it('what is looked for is found where it is planted', async () => {
  const { page, forgive } = await newPerson()
  forgive(/./)
  await page.setContent(
    '<main><p>calm words</p><p><b>\u202Ename</b> plain words</p><img src=x onerror="window.ran=1"><a href="javascript:1">x</a><div style="width:9999px">wide</div></main>',
  )
  await expect.poll(() => page.evaluate(() => 'ran' in window), soon).toBe(true)
  const harms = (await findHarm(page)).join('\n')
  for (const words of ['something ran', 'onerror', 'href="javascript', 'too wide', 'drawn backwards: plain words'])
    expect(harms.replaceAll(':  ', ': ')).toContain(words)
  expect(harms).not.toContain('calm')
})

it('a line that holds the end of a line, or of a text, is refused in words', async () => {
  const uuid = held.edited[0]?.uuid
  for (const text of brokenLines) {
    for (const field of [
      'patient_name',
      'patientid',
      'study_description',
      'accession_number',
      String(held.fields[0]),
    ]) {
      const { status, body } = await call(server().address, 'study/set', { sid, study_id: uuid, [field]: text })
      expect([status, body['error_type']], `${field} ${JSON.stringify(text)}`).toEqual([
        412,
        field.startsWith('customfield') ? 'INVALID_CUSTOMFIELD' : 'INVALID_FIELD',
      ])
    }
  }
})

it('texts in every field of a file are text in the list and in the worklist, and break neither', async () => {
  expect(held.sent).toHaveLength(texts.length)
  const { page } = await newReader()
  await page.getByRole('button', { name: group }).click()
  const pages = Math.ceil((texts.length + 2) / 50)
  for (let at = 1; at <= pages; at++) {
    await page.getByText(`Page ${at} of ${pages}`).waitFor()
    await expect.poll(() => page.locator('[aria-busy=true]').count(), soon).toBe(0)
    expect(await findHarm(page), `page ${at}`).toEqual([])
    expect(await findOddCards(page), `page ${at}`).toEqual([])
    if (at === 1) await takeShots(page, 'hostile-list')
    if (at < pages) await page.getByRole('button', { name: 'Next page' }).click()
  }
  await page.goto('/worklist?rows=100')
  await page.getByRole('table').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  for (const name of ['Referring physician', 'Tags']) await columns.getByRole('checkbox', { name }).check()
  await page.keyboard.press('Escape')
  const leaves = Math.ceil((texts.length + 6) / 100)
  for (let at = 1; at <= leaves; at++) {
    await page.getByText(`Page ${at} of ${leaves}`).waitFor()
    await expect.poll(() => page.locator('[aria-busy=true]').count(), soon).toBe(0)
    expect(await findHarm(page), `rows ${at}`).toEqual([])
    expect(await findOddCards(page), `rows ${at}`).toEqual([])
    if (at === 1) await takeShots(page, 'hostile-worklist')
    if (at < leaves) await page.getByRole('button', { name: 'Next page' }).click()
  }
})

it('texts in every field are text in every tab of the panel', async () => {
  const { page } = await newReader()
  await page.goto('/group/list')
  for (const [at, { uuid }] of held.edited.entries()) {
    await page.locator(`[data-card="${uuid}"]`).click()
    const details = page.getByRole('region', { name: 'Exam details' })
    await expect
      .poll(async () => (await details.innerText()).includes(held.chunks[at]?.[0]?.trim() ?? ''), soon)
      .toBe(true)
    for (const tab of ['Attachments', 'Edit MRN', 'Share', 'Downloads', 'Summary']) {
      await page.getByRole('tab', { name: tab }).click()
      const panel = page.getByRole('tabpanel', { name: tab })
      await panel.waitFor()
      await expect.poll(() => panel.getByRole('status', { name: 'Loading' }).count(), soon).toBe(0)
      expect(await findHarm(page), `${tab} ${at}`).toEqual([])
      const { height = 0 } = (await panel.boundingBox()) ?? {}
      expect(height, `${tab} ${at}`).toBeGreaterThan(300)
      if (at === 0) await takeShots(page, `hostile-${tab.toLowerCase().replace(' ', '-')}`)
    }
  }
})

it('texts are text in the lists, questions and messages around them, and harmless as names of files', async () => {
  const { page } = await newReader()
  const [study] = held.edited
  await page.goto(`/group/list?study=${study?.uuid}&tab=attachments`)
  const table = page.getByRole('tabpanel', { name: 'Attachments' })
  await table
    .getByRole('link', { name: /^Download/ })
    .first()
    .waitFor()
  const arriving = page.waitForEvent('download')
  await table
    .getByRole('link', { name: /^Download/ })
    .first()
    .click()
  expect((await arriving).suggestedFilename()).toMatch(/^[^\\/\p{Cc}\p{Cf}<>:"|?*]+$/u)
  await table
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  expect(await findHarm(page), 'removing an attachment').toEqual([])
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('textbox', { name: 'Add a tag' }).fill('script')
  await page.locator('[role=option]').first().waitFor()
  expect(await findHarm(page), 'tags').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit the fields' }).click()
  await page.getByRole('form', { name: 'Custom fields' }).getByRole('button', { name: 'Save' }).waitFor()
  expect(await findHarm(page), 'fields').toEqual([])
  await takeShots(page, 'hostile-fields')
  await page.getByRole('form', { name: 'Custom fields' }).getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('tab', { name: 'Downloads' }).click()
  const zip = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Exam' }).click()
  expect((await zip).suggestedFilename()).toMatch(/^[\w.-]+\.zip$/)

  await page.getByRole('button', { name: /^Advanced search/ }).click()
  await page.getByRole('dialog', { name: 'Advanced search' }).getByRole('button', { name: 'Saved searches' }).click()
  await page
    .getByRole('button', { name: /^Share / })
    .nth(200)
    .waitFor()
  expect(await findHarm(page), 'saved searches').toEqual([])
  const act = async (name: RegExp) => {
    await page.getByRole('button', { name }).first().click()
    expect(await findHarm(page), String(name)).toEqual([])
  }
  for (const name of [/^Share .*script/, /^Rename .*script/, /^Delete .*script/]) await act(name)
  await takeShots(page, 'hostile-searches')
  await page.getByRole('textbox', { name: 'Patient name' }).last().press('Escape')

  for (const at of [0, 1])
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .nth(at)
      .check()
  await page.getByRole('tab', { name: 'Delete exams' }).click()
  await page.getByRole('button', { name: 'Delete 2 exams' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 exams' }).waitFor()
  expect(await findHarm(page), 'deleting').toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 exams' }).click()
  await page.getByText('2 exams were deleted').waitFor()
  expect(await findHarm(page), 'deleted').toEqual([])
})

it('texts are text in the viewer, in the panel and by itself', async () => {
  const { page } = await newReader()
  for (const [at, study] of [1, 30].map((back) => [back, held.sent.at(-back)] as const)) {
    await page.goto(`/group/list?study=${study?.uuid}&tab=viewer`)
    const frame = page.frameLocator('iframe[title^="Viewer of"]')
    await frame.locator('.screen[data-state=image]').waitFor()
    expect(await frame.locator('.banner').filter({ visible: true }).count()).toBe(0)
    expect(await findHarm(page), `viewer of ${at}`).toEqual([])
    const address = (await page.locator('iframe[title^="Viewer of"]').getAttribute('src')) ?? ''
    await page.goto(address.replace('&patient=shown', ''))
    await page.locator('.screen[data-state=image]').waitFor()
    expect((await page.locator('.banner').innerText()).length).toBeGreaterThan(10)
    expect(await findHarm(page), `viewer alone of ${at}`).toEqual([])
  }
})
