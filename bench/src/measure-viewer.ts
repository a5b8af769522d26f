/// <reference lib="dom" />
import { setTimeout as delay } from 'node:timers/promises'
import type { Frame, Page } from 'playwright-core'
import { makeCtSet } from './ct-set.ts'
import type { HilumServer } from './hilum-server.ts'
import { loadOf, postToHilum } from './send-images.ts'
import { spread } from './statistics.ts'

const READY_MS = 120_000
const LOOK_MS = 500
const IMAGES = 60
/** A person reads the summary first; the viewer's page is opened ahead meanwhile. */
const READING_MS = 4000
/** A person looks at the picture first; the full viewer starts unseen meanwhile. */
const LOOKING_MS = 3000
const OPENINGS = 7
const STEPS = 40
const SLOW = 4
/** Drawing code that a browser has not compiled yet is no part of a warm opening. */
const WARM_UP = 2

/** Waits of a person before both viewers: rows of a table, as they are and with a processor four times slower. */
export async function measureViewers(page: Page, hilum: HilumServer): Promise<string[][]> {
  const set = await makeCtSet('viewers', IMAGES)
  await postToHilum(hilum, loadOf(set))
  await waitForFullViewer(hilum.address)
  const { studies } = await hilum.call('study/list', {
    sid: hilum.sid,
    'filter.study_uid.equals': set.studyUid,
    'page.rows': 1,
  })
  const uuid = (studies as { uuid: string }[])[0]?.uuid ?? ''
  const rows: string[][] = []
  for (const [rate, how] of [
    [1, ''],
    [SLOW, ', processor four times slower'],
  ] as const) {
    const tools = await page.context().newCDPSession(page)
    await tools.send('Emulation.setCPUThrottlingRate', { rate })
    const first: number[] = []
    const steps: number[] = []
    const full: number[] = []
    for (let round = 0; round < OPENINGS + WARM_UP; round++) {
      const times = await openOnce(page, uuid)
      if (round < WARM_UP) continue
      first.push(times.first)
      steps.push(...times.steps)
      full.push(times.full)
    }
    await tools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await tools.detach()
    rows.push(
      [`Viewer → first image in the quick viewer, median / p95${how}`, spread(first), '≤ 300 ms'],
      [`next slice once there, median / p95${how}`, spread(steps), '≤ 16 ms'],
      [`Full screen → first image of the full viewer, median / p95${how}`, spread(full), '≤ 1.5 s'],
    )
  }
  return rows
}

/** A server that has just started makes the full viewer ready meanwhile. */
async function waitForFullViewer(address: string): Promise<void> {
  for (let waited = 0; waited < READY_MS; waited += LOOK_MS) {
    if ((await fetch(`${address}/viewer/app-config.js`, { method: 'HEAD' })).ok) return
    await delay(LOOK_MS)
  }
  throw new Error('The full viewer is not ready')
}

async function openOnce(page: Page, uuid: string): Promise<{ first: number; steps: number[]; full: number }> {
  await page.goto(`/group/list?study=${uuid}&tab=summary`)
  await page.getByRole('tab', { name: 'Viewer' }).waitFor()
  await page.waitForLoadState('networkidle')
  await delay(READING_MS)
  // the viewer's page is there before its exam; a script of the browser's own start would have run in what stood there first
  for (const one of page.frames()) await one.evaluate(noteFirstPicture)
  await page.getByRole('tab', { name: 'Viewer' }).click()
  const frame = await (await page.waitForSelector('iframe[title^="Viewer of"]')).contentFrame()
  if (!frame) throw new Error('The viewer has no frame')
  await page.waitForFunction(() => window.pictureAt)
  const first = await page.evaluate(() => (window.pictureAt ?? Number.NaN) - (window.clickedAt ?? Number.NaN))
  await settle(frame)
  const steps = await walk(frame)
  await delay(LOOKING_MS)
  const opened = performance.now()
  await frame.getByRole('button', { name: 'Full screen' }).click()
  const inner = await (await frame.waitForSelector('.full-frame')).contentFrame()
  if (!inner) throw new Error('The full viewer has no frame')
  await inner.waitForFunction(isPainted, undefined, { polling: 'raf' })
  const full = performance.now() - opened
  await inner.getByRole('button', { name: 'Close', exact: true }).click()
  return { first, steps, full }
}

declare global {
  interface Window {
    /** When the page was clicked, and when the viewer's page had drawn its first picture, in milliseconds since 1970. */
    clickedAt?: number
    pictureAt?: number
  }
}

/** The page notes the times itself: looking from outside takes a tenth of a second by itself. */
function noteFirstPicture(): void {
  const now = () => performance.timeOrigin + performance.now()
  const isDrawn = (frame: HTMLIFrameElement) =>
    frame.checkVisibility() && !!frame.contentDocument?.querySelector('.screen[data-state=image]')
  const look = () => {
    const frames = document.querySelectorAll<HTMLIFrameElement>('iframe[title^="Viewer of"]')
    if ([...frames].some(isDrawn)) setTimeout(() => (window.pictureAt = now()))
    else requestAnimationFrame(look)
  }
  const begin = () => {
    window.clickedAt = now()
    look()
  }
  addEventListener('click', begin, { capture: true, once: true })
}

/** Waits until the frame has fetched nothing for a second: steps are measured once all slices are there. */
async function settle(frame: Frame): Promise<void> {
  const fetched = () => frame.evaluate(() => performance.getEntriesByType('resource').length)
  for (let before = -1, now = await fetched(); now !== before; ) {
    await delay(1000)
    before = now
    now = await fetched()
  }
}

/** @returns milliseconds from each press of a key to the frame that says the next place */
function walk(frame: Frame): Promise<number[]> {
  return frame.evaluate(async (count) => {
    const picture = document.querySelector<HTMLElement>('.picture-area')
    const place = document.querySelector('.place')
    const times: number[] = []
    for (let step = 0; step < count; step++) {
      const before = place?.textContent
      const start = performance.now()
      picture?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
      await new Promise<void>((resolve) => {
        const look = () => (place?.textContent === before ? requestAnimationFrame(look) : resolve())
        look()
      })
      times.push(performance.now() - start)
    }
    return times
  }, STEPS)
}

/** Whether the first place of the full viewer has something to see. */
function isPainted(): boolean {
  const shown = document.querySelector<HTMLCanvasElement>('canvas.cornerstone-canvas')
  const small = document.createElement('canvas')
  small.width = small.height = 32
  const paint = small.getContext('2d')
  if (!shown || !paint) return false
  paint.drawImage(shown, 0, 0, 32, 32)
  return paint.getImageData(0, 0, 32, 32).data.some((value, at) => at % 4 < 3 && value > 60)
}
