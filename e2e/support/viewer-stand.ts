/// <reference lib="dom" />
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { prepareViewer } from '../../viewer/src/prepare-viewer.ts'
import { findCorpus } from '../../viewer/test/corpus.ts'
import { startViewerPeer, type ViewerPeer } from '../../viewer/test/viewer-peer.ts'
import { openBrowser, saveData } from './open-browser.ts'

const repository = resolve(import.meta.dirname, '..', '..')
const SID = 'test.derived-sid'

/** Undefined where the corpus is not; the tests of the viewer then cannot run. */
export const corpus = findCorpus()

/** A loaded machine without a graphics card draws slowly. */
export const SOON = { timeout: 45_000, interval: 20 }

interface Way {
  mode?: 'full'
  sid?: string
  /** How the person reads dates. */
  dates?: string
  withoutFullViewer?: boolean
  /** Another exam of the corpus, as one of the patient's others. */
  prior?: string
}

/** The viewers as one test sees them: anew before each. */
export interface ViewerStand {
  readonly page: Page
  /** Faults of the viewer: requests outside, broken policy, unseen failures. */
  readonly faults: readonly string[]
  /** Requests of the viewer with the sid in the address. */
  readonly asksWithSid: readonly string[]
  readonly sid: string
  /** Opens a study of the corpus as the web app's panel does: framed by a page of the same origin. */
  open: (place: string, way?: Way) => Promise<Frame>
  /** The address of the other exam, inside the viewer. */
  priorAddress: () => string
  /** Messages to the page around the viewer, but for the first, which asks for other exams. */
  hostMessages: () => Promise<unknown[]>
}

/** The built page and the full viewer before a server of their own, in a browser, for the tests of a file. */
export function useViewer(): ViewerStand {
  let browser: Browser
  let viewerDir: string
  let context: BrowserContext
  let page: Page
  let peer: ViewerPeer | undefined
  let faults: string[]

  beforeAll(async () => {
    if (corpus === undefined) return
    await build({ configFile: join(repository, 'viewer', 'page', 'vite.config.ts'), logLevel: 'error' })
    viewerDir = (await prepareViewer({ cacheDir: join(repository, '.cache') })).dir
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  beforeEach(async () => {
    if (corpus === undefined) return
    faults = []
    context = await browser.newContext({ viewport: { width: 1024, height: 768 } })
    await saveData(context)
    page = await context.newPage()
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (/Content Security Policy|EvalError/.test(message.text())) faults.push(message.text())
    })
    page.on('request', (request) => {
      const address = request.url()
      if (!/^(blob|data):/.test(address) && peer !== undefined && !address.startsWith(peer.origin)) faults.push(address)
    })
  })
  afterEach(async () => {
    await context?.close()
    await peer?.close()
    peer = undefined
  })

  async function open(place: string, way: Way = {}): Promise<Frame> {
    await peer?.close()
    peer = await startViewerPeer({
      places: [place, ...(way.prior ? [way.prior] : [])].map((one) => join(corpus ?? '', one)),
      sid: SID,
      pageDir: join(repository, 'viewer', 'page', 'dist'),
      viewerDir: way.withoutFullViewer ? undefined : viewerDir,
    })
    const query = `sid=${way.sid ?? SID}${way.mode === undefined ? '' : `&mode=${way.mode}`}${way.dates === undefined ? '' : `&dates=${encodeURIComponent(way.dates)}`}`
    const address = `/proviewer/?${query}#study/stor-1/${peer.studyUids[0]}/phi-1`
    await page.goto(`${peer.origin}/host#${encodeURIComponent(address)}`)
    const handle = await page.waitForSelector('#frame')
    const frame = await handle.contentFrame()
    if (frame === null) throw new Error('the host page has no frame')
    await frame.waitForURL(/\/proviewer\//)
    return frame
  }

  return {
    get page() {
      return page
    },
    get faults() {
      return faults
    },
    get asksWithSid() {
      return peer?.requests.filter((request) => request.includes(SID)) ?? []
    },
    sid: SID,
    open,
    priorAddress: () => `/proviewer/?sid=${SID}&prior=1#study/stor-1/${peer?.studyUids[1]}/phi-1`,
    hostMessages: async () => {
      const all = await page.evaluate(() => (window as unknown as { messages: unknown[] }).messages) // set by the host page
      return all.filter((message) => message !== '{"action":"list-priors"}')
    },
  }
}

interface Painted {
  lit: number
  glaring: number
  coloured: number
  print: string
}

/** Measures the picture as drawn: how much of it is lit, white, coloured, and a print to tell pictures apart. */
export function readPicture(frame: Frame): Promise<Painted> {
  return frame.evaluate(() => {
    const small = document.createElement('canvas')
    small.width = small.height = 64
    const drawing = small.getContext('2d')
    const shown = document.querySelector<HTMLCanvasElement>('canvas.cornerstone-canvas')
    if (drawing === null || shown === null) return { lit: 0, glaring: 0, coloured: 0, print: '' }
    drawing.drawImage(shown, 0, 0, 64, 64)
    const { data } = drawing.getImageData(0, 0, 64, 64)
    let lit = 0
    let glaring = 0
    let coloured = 0
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
      if (Math.max(red, green, blue) > 40) lit++
      if (Math.min(red, green, blue) > 250) glaring++
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 40) coloured++
    }
    return { lit, glaring, coloured, print: data.join() }
  })
}

/** Waits until there is something to see. */
export async function waitForPicture(frame: Frame): Promise<Painted> {
  await frame.waitForSelector('.screen[data-state=image]')
  await expect.poll(async () => (await readPicture(frame)).lit, SOON).toBeGreaterThan(20)
  return readPicture(frame)
}

/** Width and height of the part of the screen that is lit. */
export function readShape(frame: Frame): Promise<{ width: number; height: number }> {
  return frame.evaluate(() => {
    const shown = document.querySelector<HTMLCanvasElement>('canvas.cornerstone-canvas')
    const { data = [], width = 0 } = shown?.getContext('2d')?.getImageData(0, 0, shown.width, shown.height) ?? {}
    const [columns, rows] = [new Set<number>(), new Set<number>()]
    for (let at = 0; at < data.length; at += 4) {
      if (Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) < 40) continue
      columns.add((at / 4) % width)
      rows.add(Math.floor(at / 4 / width))
    }
    return { width: columns.size, height: rows.size }
  })
}

/** Mean greys, 0 to 255, of a square picture that fits the screen, row by row in `side` × `side` fields. */
export function readGreys(frame: Frame, side: number): Promise<number[]> {
  return frame.evaluate((fields) => {
    const shown = document.querySelector<HTMLCanvasElement>('canvas.cornerstone-canvas')
    const small = document.createElement('canvas')
    small.width = small.height = fields
    const drawing = small.getContext('2d')
    if (drawing === null || shown === null) return []
    const size = Math.min(shown.width, shown.height)
    drawing.imageSmoothingQuality = 'high'
    drawing.drawImage(shown, (shown.width - size) / 2, (shown.height - size) / 2, size, size, 0, 0, fields, fields)
    const { data } = drawing.getImageData(0, 0, fields, fields)
    return Array.from({ length: fields * fields }, (_, at) => data[at * 4] ?? 0)
  }, side)
}
