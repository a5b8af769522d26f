/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core'
import type { LoneMeasurement, Report } from './measurement.ts'
import { openInboxAtBrowser } from './inbox-at-browser.ts'
import { milliseconds, percentile, spread } from './statistics.ts'

const STUDIES = 1000
const SLOWER = 4

/** Acts of daily work in the inbox, each from the press to the frame that answers. */
export const interfaceActs: LoneMeasurement = { name: 'interface', title: 'Acts in the inbox', run }

declare global {
  interface Window {
    /** The longest event of each interaction since the last reset, in milliseconds (what INP is made of). */
    interactions: Map<number, number>
  }
}

/** One act, and the time that its slowest event took to be painted. */
type Measured = { name: string; duration: number }

async function run(folder: string): Promise<Report> {
  await using stage = await openInboxAtBrowser(folder, STUDIES)
  const page = await stage.signIn(async (opened) => {
    await opened.addInitScript(watchInteractions)
  })
  await page.waitForLoadState('networkidle')
  // code and queries that only the first use fetches
  await measureActs(page)
  const normal = await measureActs(page)
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const slow = await measureActs(page)
  return {
    table: [
      ['', 'Hilum', 'goal'],
      [`${normal.length} acts, median / p95`, spread(times(normal)), 'p95 ≤ 100 ms'],
      [`the same with the processor ${SLOWER} times slower`, spread(times(slow)), 'p95 ≤ 250 ms'],
      ...byAct(normal, slow),
    ],
    notes: [
      `A group of ${STUDIES.toLocaleString('en')} made-up studies, Chromium at 1440×900 without a graphics card. Each act is pressed or typed as a person does, and counts as the browser’s Event Timing reports it: from the input to the frame after it, the longest event of the act. Events under 16 ms are not reported and count as 16 ms.`,
      `The slowest: ${slowest(normal)}. With the slower processor: ${slowest(slow)}.`,
    ],
  }
}

function watchInteractions(): void {
  window.interactions = new Map()
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      if (!entry.interactionId) continue
      const longest = Math.max(entry.duration, window.interactions.get(entry.interactionId) ?? 0)
      window.interactions.set(entry.interactionId, longest)
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/** Sixty acts: selecting, marking, starring, tabs, search, palette, menus, order and pages. */
async function measureActs(page: Page): Promise<Measured[]> {
  const measured: Measured[] = []
  const act = async (name: string, press: () => Promise<void>) => {
    await page.evaluate(() => window.interactions.clear())
    await press()
    measured.push({ name, duration: await longestNow(page) })
  }
  const click = (name: string, wanted: Locator) => act(name, () => wanted.click())
  const key = (name: string, pressed: string) => act(name, () => page.keyboard.press(pressed))
  const cards = page.locator('[data-card]')
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  for (let at = 0; at < 10; at++) await click('select a study', cards.nth(at))
  for (let turn = 0; turn < 5; turn++) await key('next study by key', 'ArrowDown')
  for (const name of ['Downloads', 'Attachments', 'Downloads', 'Summary']) {
    await click(`open ${name}`, page.getByRole('tab', { name }).first())
  }
  await click('close the panel', button('Close the details'))
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
  for (let at = 0; at < 6; at++) await click('mark a study', boxes.nth(at))
  await click('take the marks off', page.getByRole('button', { name: 'Clear', exact: true }))
  for (let at = 0; at < 4; at++) await click('star a study', button(/[Ss]tar/).nth(at))
  await click('open Advanced search', button(/^Advanced search/))
  const name = page.getByRole('textbox', { name: 'Patient name' })
  await act('put the cursor into a field', () => name.click())
  for (const letter of 'smith') await key('type in Advanced search', letter)
  await key('close Advanced search', 'Escape')
  const find = page.getByRole('textbox', { name: /^Name, MRN/ })
  await act('put the cursor into the search', () => find.click())
  for (const letter of 'smith') await key('type a name', letter)
  await key('search', 'Enter')
  await click('clear the search', button('Clear Search'))
  await cards.first().waitFor()
  await key('open Go to', 'Control+k')
  for (const letter of 'adm') await key('type in Go to', letter)
  await key('close Go to', 'Escape')
  await click('open the menu', button('Open the main menu'))
  await key('close the menu', 'Escape')
  await click('next page', button(/^Next page/))
  await cards.first().waitFor()
  await click('page before', button(/^Previous page/))
  await cards.first().waitFor()
  await key('next card by J', 'j')
  await key('mark by X', 'x')
  await key('take the mark off by X', 'x')
  await key('show the keys', '?')
  await key('hide the keys', 'Escape')
  return measured
}

/** The longest interaction of an act, once two frames have passed and reports are in. */
async function longestNow(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await new Promise((resolve) => setTimeout(resolve, 400))
    return Math.max(16, ...window.interactions.values())
  })
}

function times(acts: readonly Measured[]): number[] {
  return acts.map(({ duration }) => duration)
}

/** The longest time of each act, as people would name the act, with the usual processor and the slower one. */
function byAct(normal: readonly Measured[], slow: readonly Measured[]): string[][] {
  const longest = (acts: readonly Measured[], name: string) =>
    milliseconds(Math.max(...acts.filter((one) => one.name === name).map(({ duration }) => duration)))
  return [...new Set(normal.map(({ name }) => name))].map((name) => [
    name,
    `${longest(normal, name)}, slower ${longest(slow, name)}`,
    '',
  ])
}

function slowest(acts: readonly Measured[]): string {
  const limit = percentile(times(acts), 0.95)
  const most = acts
    .filter(({ duration }) => duration >= limit)
    .toSorted((a, b) => b.duration - a.duration)
    .slice(0, 3)
  return most.map(({ name, duration }) => `${name} ${milliseconds(duration)}`).join(', ')
}
