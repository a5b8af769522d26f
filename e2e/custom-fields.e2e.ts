import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()
const soon = { timeout: 30_000 }

let adminSid: string
let sid: string
let account: string
let fields: Record<string, string>
let ofGroup: ListedStudy
let ofLibrary: ListedStudy
let libraryId: string
beforeAll(async () => {
  const { address } = server()
  adminSid = await openSession(address, 'administrator')
  sid = await openSession(address, 'clinician')
  const { accounts } = await call('account/list', {}, adminSid)
  account = (accounts as { uuid: string }[])[0]?.uuid ?? ''
  fields = {}
  for (const definition of definitions) {
    const { uuid } = await call('customfield/add', { account_id: account, object: 'Study', ...definition }, adminSid)
    fields[definition.name] = String(uuid)
  }
  const studies = await listStudies(address, sid)
  const inPlace = (name: string) => studies.find((one) => one.phi_namespace_name === name) as ListedStudy // the demo has them
  ofGroup = inPlace('Emergency Department')
  ofLibrary = inPlace('Teaching Library')
  const { namespaces } = await call('user/namespace/list', {})
  libraryId =
    (namespaces as { name: string; type_uuid: string }[]).find(({ name }) => name === 'Teaching Library')?.type_uuid ??
    ''
})

const definitions = [
  { name: 'Ward', type: 'text', required: 1, display_order: 1, options: { max_length: 20 } },
  { name: 'Dose', type: 'number', display_order: 2, options: { field_label: 'Dose in mSv', hint: 'As on the sheet' } },
  { name: 'Asked on', type: 'date', display_order: 3, options: { forbid_future_dates: 1 } },
  {
    name: 'Urgency',
    type: 'select',
    display_order: 4,
    options: { values: ['r', 'u'], labels: ['Routine', 'Urgent'] },
    ui_json: { show_on_pages: ['exchange', 'summary'] },
  },
  { name: 'Teaching note', type: 'memo', display_order: 5, ui_json: { show_on_pages: ['exchange'] } },
] as const

function call(path: string, input: Record<string, unknown>, as = sid) {
  return callWell(server().address, path, { sid: as, ...input })
}
async function valuesOf(uuid: string): Promise<Record<string, string>> {
  const { customfields } = await call('study/get', { uuid })
  return Object.fromEntries((customfields as { name: string; value: string }[]).map(({ name, value }) => [name, value]))
}
/** The studies that a search by a custom field finds, as an outside client asks. */
async function findBy(field: string, condition: string, value: string): Promise<string[]> {
  const { studies } = await call('study/list', { [`filter.customfield-${fields[field]}.${condition}`]: value })
  return (studies as { uuid: string }[]).map(({ uuid }) => uuid)
}
const section = (page: Page) => page.getByRole('tabpanel', { name: 'Summary' })
const form = (page: Page) => page.getByRole('form', { name: 'Custom fields' })

it('[ENTITY-30] [SUMMARY-01] a clinician fills fields of every type; what is required or wrong is refused in words', async () => {
  const { page } = await newPerson()
  const other = await newPerson()
  await signIn(page, 'clinician')
  await signIn(other.page, 'staff')
  for (const one of [page, other.page]) await one.goto(`/group/list?study=${ofGroup.uuid}`)
  await page.getByRole('button', { name: 'Edit the fields' }).click()
  const filled = form(page)
  // Teaching note is for another page, and empty.
  expect(await filled.getByLabel(/Teaching note/).count()).toBe(0)
  await filled.getByText('As on the sheet').waitFor()
  await filled.getByLabel('Dose in mSv').fill('much')
  await filled.getByLabel('Asked on').fill('2999-01-01')
  await filled.getByRole('button', { name: 'Save' }).click()
  for (const words of [
    'This field is required.',
    'Please enter a number, such as 12.5.',
    'The date lies in the future.',
  ]) {
    await filled.getByText(words).waitFor()
  }
  expect(await filled.getByLabel(/^Ward/).evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'custom-fields-refused')
  expect(await valuesOf(ofGroup.uuid)).toMatchObject({ Ward: '', Dose: '' })

  await filled.getByLabel(/^Ward/).fill('West 3')
  await filled.getByLabel('Dose in mSv').fill('12.5')
  await filled.getByLabel('Asked on').fill('2024-03-01')
  await filled.getByLabel('Urgency').selectOption('Urgent')
  await filled.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The fields were saved.').waitFor()
  for (const text of ['West 3', '12.5', '03-01-2024', 'Urgent']) {
    await section(page).getByText(text, { exact: true }).first().waitFor()
    await section(other.page).getByText(text, { exact: true }).first().waitFor()
  }
  await page
    .getByRole('row', { name: /Daniel Reyes.*Edited.*West 3/ })
    .first()
    .waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'custom-fields-filled')
  expect(await valuesOf(ofGroup.uuid)).toMatchObject({
    Ward: 'West 3',
    Dose: '12.5',
    'Asked on': '2024-03-01',
    Urgency: 'u',
  })
})

it('[ENTITY-30] [SEARCH-05] what was filled is found by it and sorted by it, and clearing what is required is refused', async () => {
  expect(await findBy('Ward', 'equals', 'West 3')).toEqual([ofGroup.uuid])
  expect(await findBy('Ward', 'like', '%west%')).toEqual([ofGroup.uuid])
  expect(await findBy('Dose', 'gt', '12')).toEqual([ofGroup.uuid])
  expect(await findBy('Dose', 'gt', '13')).toEqual([])
  const { studies } = await call('study/list', { sort_by: `customfield-${fields['Dose']}-desc` })
  expect((studies as { uuid: string }[])[0]?.uuid).toBe(ofGroup.uuid)

  const { page } = await newPerson()
  await signIn(page, 'clinician')
  await page.goto(`/group/list?study=${ofGroup.uuid}`)
  await page.getByRole('button', { name: 'Edit the fields' }).click()
  await form(page).getByLabel(/^Ward/).fill('')
  await form(page).getByText('This field is required.').waitFor()
  await form(page).getByRole('button', { name: 'Save' }).click()
  expect(await valuesOf(ofGroup.uuid)).toMatchObject({ Ward: 'West 3' })
  await form(page).getByLabel(/^Ward/).fill('East 1')
  await form(page).getByLabel('Urgency').selectOption('')
  await form(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('The fields were saved.').waitFor()
  expect(await findBy('Ward', 'equals', 'West 3')).toEqual([])
  expect(await valuesOf(ofGroup.uuid)).toMatchObject({ Ward: 'East 1', Urgency: '' })
})

it('[EXCHANGE-01] the exchange page has the fields that name it, and nobody fills them who may not edit', async () => {
  const { page } = await newPerson()
  await signIn(page, 'clinician')
  await page.goto(`/group/${libraryId}/Inbox?study=${ofLibrary.uuid}&tab=exchange`)
  await page.getByRole('button', { name: 'Edit the fields' }).click()
  await form(page).getByLabel('Urgency').waitFor()
  const labels = await form(page).locator('label').allInnerTexts()
  expect(labels.map((label) => label.replace(/\W+$/, ''))).toEqual(['Urgency', 'Teaching note'])
  await form(page).getByLabel('Teaching note').fill('Look at the base\nof the left lung')
  await form(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('The fields were saved.').waitFor()
  await takeShots(page, 'custom-fields-exchange')
  const reader = await newPerson()
  await signIn(reader.page, 'viewer')
  await reader.page.goto(`/group/${libraryId}/Inbox?study=${ofLibrary.uuid}&tab=exchange`)
  await reader.page.getByText('Look at the base').waitFor()
  expect(await reader.page.getByRole('button', { name: 'Edit the fields' }).count()).toBe(0)
  await expect.poll(async () => (await valuesOf(ofLibrary.uuid))['Teaching note'], soon).toContain('left lung')
})

it('[ENTITY-30] an administrator makes a field, takes it to another place by keyboard, and deletes it knowing what is lost', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/administration')
  await page.getByRole('link', { name: 'Custom fields' }).click()
  const table = page.getByRole('grid', { name: 'Custom fields' })
  await table.getByRole('rowheader', { name: /^Ward/ }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'custom-field-definitions')

  await page.getByRole('button', { name: 'New custom field' }).click()
  const form = page.getByRole('form', { name: 'New custom field' })
  await form.getByLabel('Name', { exact: true }).fill('Side')
  await form.getByLabel('Type').selectOption('radio')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Please enter at least one choice.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'custom-field-form')
  await form.getByLabel('Choices').fill('l = Left\nr = Right')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Side has been saved.').waitFor()

  const names = () => table.getByRole('rowheader').allTextContents()
  const before = await names()
  expect(before.filter((name) => name.startsWith('Side'))).toHaveLength(1)
  const from = before.findIndex((name) => name.startsWith('Side'))
  await page.getByRole('button', { name: /^Move Side/ }).focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(async () => (await names()).findIndex((name) => name.startsWith('Side')), soon).toBe(from - 1)
  const { customfields: all } = await call(
    'customfield/list',
    { account_id: account, 'filter.object.equals': 'Study' },
    adminSid,
  )
  const place = `number ${from} of ${(all as unknown[]).length}`
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain(place)
  const definitionsOf = async () => {
    const { customfields } = await call('customfield/list', { account_id: account }, adminSid)
    return (customfields as { uuid: string; name: string; object: string; gate_key: string }[]).filter(
      ({ object, gate_key: gateKey }) => object === 'Study' && gateKey === '',
    )
  }
  await expect.poll(async () => (await definitionsOf()).findIndex(({ name }) => name === 'Side'), soon).toBe(from - 1)

  const side = (await definitionsOf()).find(({ name }) => name === 'Side')?.uuid ?? ''
  await call('study/set', { uuid: ofGroup.uuid, [`customfield-${side}`]: 'l' })
  await page.getByRole('button', { name: 'Delete Side' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete custom field?' })
  await dialog.getByText('1 exam has a value in it, which nobody sees any more.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'custom-field-delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Side has been deleted.').waitFor()
  expect(await valuesOf(ofGroup.uuid)).not.toHaveProperty('Side')
})
