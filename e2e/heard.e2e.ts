import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PickFolder } from './support/corpus.ts'
import { makeDisc } from './support/made-disc.ts'
import { shotFolder } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, openWizard } from './support/wizard.ts'

/* Chromium's accessibility tree, from which screen readers read: names, roles, order and live regions. */

const group = 'Emergency Department'
const { newPerson } = useSystem()

let disc: PickFolder
beforeAll(() => {
  disc = makeDisc(
    { name: 'HEARD^FIRST', mrn: 'HE-1', birthDate: '19600101', sex: 'F', description: 'Chest' },
    { name: 'HEARD^SECOND', mrn: '', birthDate: '19700202', sex: 'M', description: 'Knee' },
  )
})
afterAll(() => disc.remove())

interface Heard {
  role: string
  name: string
  /** States and properties by Chromium's names, e.g. level, live, checked, selected, expanded. */
  is: Record<string, unknown>
}

/** The tree of a page as it is read from top to bottom, without what carries nothing. */
async function listen(devtools: CDPSession): Promise<Heard[]> {
  interface Node {
    nodeId: string
    ignored: boolean
    role?: { value: string }
    name?: { value: string }
    properties?: { name: string; value: { value?: unknown } }[]
    childIds?: string[]
  }
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as unknown as { nodes: Node[] }
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const heard: Heard[] = []
  const walk = (node: Node | undefined): void => {
    if (!node) return
    const role = node.role?.value ?? ''
    if (!node.ignored && !['none', 'generic', 'InlineTextBox'].includes(role)) {
      const is = Object.fromEntries((node.properties ?? []).map((one) => [one.name, one.value.value]))
      heard.push({ role, name: node.name?.value ?? '', is })
    }
    for (const id of node.childIds ?? []) walk(byId.get(id))
  }
  walk(nodes[0])
  return heard
}

const operable = new Set([
  'button',
  'link',
  'checkbox',
  'radio',
  'textbox',
  'searchbox',
  'combobox',
  'tab',
  'menuitem',
  'option',
  'slider',
  'switch',
  'spinbutton',
])
const landmarks = new Set(['banner', 'navigation', 'main', 'region', 'search', 'complementary', 'contentinfo', 'form'])

const nameless = (heard: readonly Heard[]) =>
  heard.filter(({ role, name }) => (operable.has(role) || role === 'Iframe') && name.trim() === '')
const headingLevels = (heard: readonly Heard[]) =>
  heard.filter(({ role }) => role === 'heading').map(({ is }) => Number(is['level']))
const placeOf = (heard: readonly Heard[], role: string, name: RegExp) =>
  heard.findIndex((one) => one.role === role && name.test(one.name))

/** Everything that acts has a name, one main part and one first heading, and no level of headings is jumped over. */
function expectReadable(heard: readonly Heard[]): void {
  expect(nameless(heard)).toEqual([])
  expect(heard.filter(({ role }) => role === 'main')).toHaveLength(1)
  const levels = headingLevels(heard)
  expect(levels.filter((level) => level === 1)).toHaveLength(1)
  const jumps = levels.filter((level, at) => level > Math.max(1, ...levels.slice(0, at)) + 1)
  expect(jumps).toEqual([])
  const twins = heard.filter(({ role }) => landmarks.has(role)).map(({ role, name }) => `${role} ${name}`)
  expect(twins.filter((one, at) => twins.indexOf(one) !== at)).toEqual([])
}

async function open(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Accessibility.enable')
  return devtools
}

/** Writes the tree down beside the pictures, when HILUM_SHOTS asks for them. */
function writeDown(heard: readonly Heard[], name: string): void {
  if (!process.env['HILUM_SHOTS']) return
  mkdirSync(shotFolder, { recursive: true })
  const lines = heard.map(({ role, name: words, is }) => `${role}: ${words} ${JSON.stringify(is)}`)
  writeFileSync(join(shotFolder, `heard-${name}.txt`), lines.join('\n'))
}

/** The tree once the page stands still: what is being read is replaced at any moment. */
async function hear(page: Page, devtools: CDPSession, name: string): Promise<Heard[]> {
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  const heard = await listen(devtools)
  writeDown(heard, name)
  return heard
}

/** Names and roles that a screen reader meets in this order. */
function expectOrder(heard: readonly Heard[], wanted: readonly (readonly [role: string, name: RegExp])[]): void {
  const places = wanted.map(([role, name]) => `${role} ${name}: ${placeOf(heard, role, name)}`)
  expect(places.filter((one) => one.endsWith(': -1'))).toEqual([])
  expect(wanted.map(([role, name]) => placeOf(heard, role, name))).toEqual(
    wanted.map(([role, name]) => placeOf(heard, role, name)).toSorted((a, b) => a - b),
  )
}

describe('a screen reader', () => {
  it('is given the list: where one is, how many there are, and each exam by its patient', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await page.locator('[data-card]').first().waitFor()
    const heard = await hear(page, await open(page), 'list')
    expectReadable(heard)
    expectOrder(heard, [
      ['banner', /.*/],
      ['navigation', /Groups/],
      ['main', /.*/],
      ['heading', /^Studies$/],
      ['search', /.*/],
      ['textbox', /Name, MRN, accession number, UID or tag/],
      ['region', /^Studies$/],
    ])
    await page
      .getByRole('status')
      .filter({ hasText: /\d+ stud/ })
      .first()
      .waitFor()
  })

  it('is given the panel of an exam: its head, its tabs with the chosen one, and the part that belongs to it', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await page.locator('[data-card]').first().click()
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
    await page.getByRole('list', { name: 'Series' }).locator('img').first().waitFor()
    const devtools = await open(page)
    const heard = await hear(page, devtools, 'panel')
    expectReadable(heard)
    expectOrder(heard, [
      ['tablist', /.+/],
      ['tab', /Summary/],
      ['tabpanel', /Summary/],
    ])
    const chosen = heard.filter(({ role, is }) => role === 'tab' && is['selected'] === true)
    expect(chosen.map(({ name }) => name)).toEqual(['Summary'])
    await page.getByRole('tab', { name: 'Downloads' }).click()
    await page.getByRole('button', { name: 'Download Exam' }).waitFor()
    const after = await hear(page, devtools, 'downloads')
    expectReadable(after)
    expect(placeOf(after, 'tabpanel', /Downloads/)).toBeGreaterThan(-1)
  })

  it('is given the wizard: the step one is at, each patient with the exams, and what is wrong beside its field', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const devtools = await open(page)
    await openWizard(page, group)
    expectReadable(await hear(page, devtools, 'wizard-find'))
    await browseFor(page, disc.path)
    await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
    const select = await hear(page, devtools, 'wizard-select')
    expectReadable(select)
    expect(select.findLast(({ is }) => is['focused'] === true)).toMatchObject({ role: 'heading' })
    expectOrder(select, [
      ['list', /Steps of the upload/],
      ['heading', /Select the exams to upload/],
      ['checkbox', /^Select all exams$/],
      ['table', /Exams that were found/],
      ['columnheader', /Study date/],
      ['rowgroup', /Studies of HEARD, FIRST/],
      ['checkbox', /Select all exams of HEARD, FIRST/],
      ['checkbox', /Select the study Chest/],
      ['rowgroup', /Studies of HEARD, SECOND/],
      ['button', /^Next$/],
    ])
    await page.getByRole('status').filter({ hasText: '2 of 2 studies selected' }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Please enter a value').waitFor()
    const confirm = await hear(page, devtools, 'wizard-confirm')
    expectReadable(confirm)
    const field = confirm.find(({ role, name }) => role === 'textbox' && name === 'MRN of HEARD, SECOND')
    expect(field?.is).toMatchObject({ invalid: 'true', focused: true })
  })
})
