/// <reference lib="dom" />
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { type InboxAtBrowser, openInboxAtBrowser } from './inbox-at-browser.ts'
import type { LoneMeasurement, Report } from './measurement.ts'
import { measureViewers } from './measure-viewer.ts'
import { milliseconds, percentile, spread } from './statistics.ts'

const STUDIES = 3000
const LOADS = 7
const SELECTIONS = 25
const SCROLLS = 60

/** Waits of a person at a browser, over a group of some thousand studies. */
export const browser: LoneMeasurement = { name: 'browser', title: 'At the browser', run }

async function run(folder: string): Promise<Report> {
  await using stage = await openInboxAtBrowser(folder, STUDIES)
  return await measure(stage)
}

async function measure({ chrome, hilum, signIn }: InboxAtBrowser): Promise<Report> {
  const page = await signIn(noteWaits)
  // files fetched ahead wait for a moment after the page began: a slow opening counts them as needed
  const scripts = [await scriptBytes(page), await scriptBytes(page), await scriptBytes(page)].toSorted(
    (a, b) => a.first - b.first,
  )[0] ?? { first: Number.NaN, ahead: Number.NaN }
  const cold = await load(page, true)
  const warm: number[] = []
  for (let round = 0; round < LOADS; round++) warm.push(await load(page, false))
  const scrolling = await longTasksOf(page, () => scroll(page))
  const painted: number[] = []
  const selecting = await longTasksOf(page, async () => {
    painted.push(...(await selectEach(page)))
  })
  const viewers = await measureViewers(page, hilum)
  return {
    table: [
      ['', 'Hilum', 'goal'],
      ['script before the cards, gzip', `${(scripts.first / 1000).toFixed(0)} KB`, '≤ 220 KB'],
      ['script fetched ahead after them', `${(scripts.ahead / 1000).toFixed(0)} KB`, ''],
      ['cards there after opening, nothing cached', milliseconds(cold), '≤ 1 s'],
      ['cards there after opening, median / p95', spread(warm), '≤ 1 s'],
      ['select → panel painted, median / p95', spread(painted), '≤ 100 ms'],
      ['tasks over 50 ms while scrolling', describeTasks(scrolling), 'none'],
      ['tasks over 50 ms while selecting', describeTasks(selecting), 'none'],
      ...viewers,
    ],
    notes: [
      `Chromium ${chrome.version()} at 1440×900 on the same machine, drawing without a graphics card; a group of ${STUDIES.toLocaleString('en')} made-up studies, 50 cards a page. ${LOADS} openings, ${SELECTIONS} selections, ${SCROLLS} turns of the wheel.`,
      'Times count from the start of the navigation or the click to the frame after the change. Tasks are what the browser’s own PerformanceObserver reports.',
    ],
  }
}

declare global {
  interface Window {
    /** When the first card could be used, in milliseconds since the navigation began. */
    cardsAt?: number
    longTasks: number[]
  }
}

/** Lets a page note by itself when cards are there and which tasks were long. */
async function noteWaits(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.longTasks = []
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map((entry) => entry.duration))
    }).observe({ type: 'longtask', buffered: false })
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector('[data-card]')) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => (window.cardsAt = performance.now())))
    }).observe(document, { childList: true, subtree: true })
  })
}

/** Bytes of scripts as gzip sends them: those that the cards needed, and those fetched ahead after them. */
async function scriptBytes(page: Page): Promise<{ first: number; ahead: number }> {
  await load(page, true)
  await page.waitForLoadState('networkidle')
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      // the viewers' code comes at the lowest priority, and once
      .filter(({ name }) => /^(?!\/(pro)?viewer\/).*\.js$/.test(new URL(name).pathname))
      .map(({ name, startTime }) => ({ name, isFirst: startTime < (window.cardsAt ?? 0) })),
  )
  const total = { first: 0, ahead: 0 }
  for (const { name, isFirst } of scripts) {
    const body = await (await page.request.get(name)).body()
    total[isFirst ? 'first' : 'ahead'] += gzipSync(body, { level: 9 }).length
  }
  return total
}

/** Opens the page anew. @returns milliseconds until the cards could be used */
async function load(page: Page, isCold: boolean): Promise<number> {
  if (isCold) {
    const tools = await page.context().newCDPSession(page)
    await tools.send('Network.clearBrowserCache')
    await tools.detach()
  }
  await page.reload({ waitUntil: 'commit' })
  const found = await page.waitForFunction(() => window.cardsAt)
  return (await found.jsonValue()) ?? Number.NaN
}

/** The tasks over 50 ms that the browser reports meanwhile. */
async function longTasksOf(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    window.longTasks = []
  })
  await act()
  return page.evaluate(async () => {
    // reports come after the task that they are about
    await new Promise((resolve) => setTimeout(resolve, 200))
    return window.longTasks
  })
}

async function scroll(page: Page): Promise<void> {
  await page.locator('[data-card]').first().hover()
  for (let turn = 0; turn < SCROLLS; turn++) {
    await page.mouse.wheel(0, turn < SCROLLS / 2 ? 120 : -120)
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

/** Clicks one card after the other. @returns milliseconds from each click to the frame that shows its exam */
async function selectEach(page: Page): Promise<number[]> {
  return page.evaluate(async (count) => {
    const exam = () => [...document.querySelectorAll('[role=tablist]')].map((tabs) => tabs.closest('section'))[0]
    const times: number[] = []
    for (const card of [...document.querySelectorAll<HTMLElement>('[data-card]')].slice(0, count)) {
      const before = exam()?.querySelector('h2')?.parentElement?.textContent
      const start = performance.now()
      card.click()
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(look)
        function look() {
          const shown = exam()?.querySelector('h2')?.parentElement?.textContent
          if (!shown || shown === before) return
          observer.disconnect()
          requestAnimationFrame(() => setTimeout(resolve))
        }
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        look()
      })
      times.push(performance.now() - start)
      // people look at what they selected; pictures and history arrive meanwhile
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    return times
  }, SELECTIONS)
}

function describeTasks(tasks: readonly number[]): string {
  return tasks.length === 0 ? 'none' : `${tasks.length}, the longest ${milliseconds(percentile(tasks, 1))}`
}
