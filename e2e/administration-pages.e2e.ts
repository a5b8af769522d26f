import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, listStudies, openSession } from './support/call.ts'
import { setScheme, takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()

/** No barrier in light and dark; pictures when asked for. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await setScheme(page, scheme)
    expect({ name, scheme, barriers: await findBarriers(page) }).toEqual({ name, scheme, barriers: [] })
  }
  await setScheme(page, 'light')
  await takeShots(page, name)
}

it('a deleted exam is kept by a hold and by a rule, and let go again, with the reason on record', async () => {
  const { address } = server()
  const sid = await openSession(address, 'administrator')
  const [study] = await listStudies(address, sid)
  if (!study) throw new Error('The demo has no exam')
  await callWell(address, 'study/delete', { sid, uuid: study.uuid })
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/administration')
  await page.getByRole('link', { name: 'Keeping and purging' }).click()
  await page.getByRole('table', { name: 'Rules of retention' }).waitFor()
  await inspect(page, 'retention-rules')
  await page.getByRole('button', { name: 'Change the rule: The whole organisation' }).click()
  await page.getByLabel('Days from arrival').fill('3653')
  await page.getByRole('button', { name: 'Look at the effect' }).click()
  await page.getByText('1 deleted exam will be kept that nothing keeps now.').waitFor()
  await inspect(page, 'retention-rule')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /The whole organisation 3,?653 days/ }).waitFor()

  await page.getByRole('button', { name: 'What goes when' }).click()
  const row = page.getByRole('grid', { name: 'Deleted exams' }).getByRole('row').nth(1)
  await row.getByText('a rule of retention').waitFor()
  await inspect(page, 'retention-bin')
  await row.getByRole('button', { name: /^Hold / }).click()
  await page.getByLabel('Reason').fill('Court, file 12/26')
  await inspect(page, 'retention-hold')
  await page.getByRole('dialog').getByRole('button', { name: 'Hold', exact: true }).click()
  await row.getByText('a hold on the exam').waitFor()
  const csv = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const saved = await csv
  expect(saved.suggestedFilename()).toBe('deleted-exams.csv')
  const lines = readFileSync(await saved.path(), 'utf8')
    .split('\r\n')
    .filter(Boolean)
  expect(lines).toEqual([expect.stringMatching(/,Kept by$/), expect.stringMatching(/,a hold on the exam$/)])
  expect(lines[1]?.split(',')).toEqual(expect.arrayContaining([study.patientid, study.study_uid]))

  await page.getByRole('button', { name: 'Holds and dates' }).click()
  const held = page.getByRole('grid', { name: 'Holds and dates' }).getByRole('row').nth(1)
  await held.getByText('Court, file 12/26').waitFor()
  await page.getByRole('textbox', { name: 'MRN' }).fill(study.patientid)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('button', { name: 'Hold the patient' }).waitFor()
  await inspect(page, 'retention-kept')
  await held.getByRole('button', { name: /^End the hold on / }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Closed')
  await page.getByRole('dialog').getByRole('button', { name: 'End the hold' }).click()
  await page.getByText('No exam and no patient is kept by a hold or a date.').waitFor()

  await page.getByRole('button', { name: 'What was purged' }).click()
  await page.getByText('No exam has been removed for good.').waitFor()
  await inspect(page, 'retention-purged')
  await page.goto('/administration/audit')
  const told = (act: string) => page.getByRole('grid').getByRole('row').filter({ hasText: act })
  await told('Hold ended').getByText('Reason: Closed').waitFor()
  await told('Hold set').getByText('Reason: Court, file 12/26').waitFor()
})

it('every page of the administration is without barriers, in light and dark', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/administration')
  const pages = page.getByRole('navigation', { name: 'Administration pages' })
  await pages.getByRole('link').first().waitFor()
  const names = await pages.getByRole('link').allTextContents()
  expect(names.length).toBeGreaterThan(12)
  for (const name of names) {
    await pages.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'hidden' })
    await inspect(page, `administration-${name.toLowerCase().replaceAll(' ', '-')}`)
  }
})

it('the seals of the audit are checked as work, and the page shows what came of it', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/administration/audit')
  await page.getByRole('button', { name: 'Seals' }).click()
  await page.getByText('The seals have not been checked yet.').waitFor()
  await page.getByRole('button', { name: 'Check the seals' }).click()
  await page.getByText('Every seal is whole: nothing was changed, removed or put in.').waitFor()
  await inspect(page, 'audit-seals-checked')
})

it('an organisation is not closed while it has exams, though its name is typed', async () => {
  const { page, faults } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/administration/organisation')
  await page.getByRole('button', { name: 'Close the organisation …' }).click()
  const dialog = page.getByRole('dialog')
  const name = await dialog.getByRole('heading').first().textContent()
  await dialog.getByRole('button', { name: 'Close for good' }).click()
  await dialog.getByText('Type the name exactly as it stands above the field.').waitFor()
  await inspect(page, 'organisation-close')
  await dialog.getByLabel('Type the name of the organisation').fill(/^Close (.+)\?$/.exec(name ?? '')?.[1] ?? '')
  await dialog.getByRole('button', { name: 'Close for good' }).click()
  await dialog.getByText(/^There are exams left/).waitFor()
  // the browser itself tells of the refusal
  expect(faults.splice(0)).toEqual([expect.stringContaining('account/delete')])
})

it('a location is made, gets a person, and goes', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/administration/locations')
  await page.getByRole('button', { name: 'Add location' }).click()
  const form = page.getByRole('form', { name: 'Add location' })
  await form.getByLabel('Location name').fill('Harbour clinic')
  await inspect(page, 'locations-form')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Harbour clinic has been saved.').waitFor()
  await page.getByRole('button', { name: 'People of Harbour clinic' }).click()
  await page.getByRole('button', { name: 'Add people' }).click()
  await page.getByRole('checkbox', { name: /Priya Raman/ }).check()
  await inspect(page, 'locations-add-people')
  await page.getByRole('button', { name: 'Add to the location' }).click()
  await page.getByRole('row', { name: /Priya Raman/ }).waitFor()
  await inspect(page, 'locations-people')
  await page.goBack()
  await page.getByRole('button', { name: 'Delete Harbour clinic' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row', { name: /Harbour clinic/ }).waitFor({ state: 'detached' })
})

it('an AE title that we call others by is added and changed, one that is taken is refused, and it goes', async () => {
  const { page, forgive } = await newPerson()
  forgive(/status of 412 .*\/node\/set/)
  await signIn(page, 'administrator')
  await page.goto(`${server().address}/administration/destinations`)
  const own = page.getByRole('region', { name: 'Our own nodes' })
  const dialog = page.getByRole('dialog')
  for (const title of ['NIGHT_GATE', 'DAY_GATE']) {
    await own.getByRole('button', { name: 'Add AE title' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Gateway')
    await dialog.getByRole('textbox', { name: 'AE title' }).fill(title)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await own.getByRole('row', { name: new RegExp(`^${title}`) }).waitFor()
  }
  await own.getByRole('button', { name: 'Edit NIGHT_GATE' }).click()
  await dialog.getByRole('textbox', { name: 'AE title' }).fill('DAY_GATE')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('A group, a location or another node has this AE title already.').waitFor()
  await takeShots(page, 'own-node-form')
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'AE title' }).fill('LATE_GATE')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await own.getByRole('row', { name: /^LATE_GATE/ }).waitFor()
  await takeShots(page, 'own-nodes')
  expect(await findBarriers(page)).toEqual([])
  await own.getByRole('button', { name: 'Delete LATE_GATE' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await own.getByRole('row', { name: /^LATE_GATE/ }).waitFor({ state: 'detached' })
})

it('what a leaver holds is handed over to a colleague', async () => {
  const { address } = server()
  const [sid, staff] = [await openSession(address, 'administrator'), await openSession(address, 'staff')]
  const search = { name: 'Night shift CT', type: 'Study', configuration: { 'modality.in': ['CT'] } }
  await callWell(address, 'filter/add', { sid: staff, ...search })
  const { uuid } = await callWell(address, 'user/get', { sid: staff })
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await callWell(address, 'user/enable', { sid, uuid, disable: 1 })
  try {
    await page.goto('/administration/users')
    await page.getByRole('heading', { name: 'Left behind' }).waitFor()
    await inspect(page, 'leavers-list')
    await page.getByRole('button', { name: /^Hand over what / }).click()
    await page.getByRole('table').waitFor()
    await inspect(page, 'leavers-things')
    await page.getByLabel('Find the person who takes over').fill('Raman')
    await page.getByRole('option', { name: 'Priya Raman · uploader@northside.example' }).waitFor({ state: 'attached' })
    await page.getByLabel('Receiver').selectOption({ label: 'Priya Raman · uploader@northside.example' })
    await page.getByRole('button', { name: 'Hand over: 1 saved search' }).click()
    await page.getByText('1 handed over or ended.').waitFor()
  } finally {
    await callWell(address, 'user/enable', { sid, uuid })
  }
})

it('[GRID-01] [GRID-03] webhooks, destinations and custom fields stand in grids that the server pages', async () => {
  const { address } = server()
  const sid = await openSession(address, 'administrator')
  const { accounts } = await callWell(address, 'account/list', { sid })
  const accountId = (accounts as { uuid: string }[])[0]?.uuid ?? ''
  const made = { sid, account_id: accountId }
  for (let at = 10; at < 22; at += 1) {
    const url = `https://ris.example.org/in/${at}`
    const hook = { name: `Hook ${at}`, event: 'STUDY_SYNC', method: 'POST_JSON', url, suspended: at % 2 }
    await callWell(address, 'webhook/add', { ...made, ...hook })
    const node = { name: `Node ${at}`, aetitle: `NODE${at}`, address: '127.0.0.1', port: 1, can_push: 1, can_search: 1 }
    await callWell(address, 'destination/add', { ...made, ...node })
    const field = { name: `Field ${at}`, object: at % 2 ? 'Study' : 'Order', type: 'select' }
    await callWell(address, 'customfield/add', { ...made, ...field, options: { values: ['left', 'right', 'both'] } })
  }
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  for (const [path, name, last] of [
    ['webhooks', 'Webhooks', 'Hook 21'],
    ['destinations', 'Destinations', 'Node 21'],
    ['custom-fields', 'Custom fields', 'Field 21'],
  ] as const) {
    await page.goto(`/administration/${path}`)
    const rows = page.getByRole('grid', { name, exact: true }).getByRole('rowheader')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(10)
    await inspect(page, `grid-${path}`)
    await page.getByRole('button', { name: 'Next page' }).click()
    await rows.filter({ hasText: last }).waitFor()
    await page.getByRole('textbox', { name: 'Find by name' }).fill(last)
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('textbox', { name: 'Find by name' }).fill('zz')
    await page.getByText(/^No (webhook|destination) has this name\.$|^No custom field is found\.$/).waitFor()
  }
})
