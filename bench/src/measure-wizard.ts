/// <reference lib="dom" />
import { spawn } from 'node:child_process'
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { indexInstance } from '@hilum/dicom/instance-index'
import { FIRST_READ_AT_BROWSER_BYTES as READ_BYTES } from '@hilum/dicom/limits'
import { readHeader } from '@hilum/dicom/read'
import { errors, type Page, type Request } from 'playwright-core'
import { uploadAddress } from './addresses.ts'
import { makeCtSet, writeCtSet } from './ct-set.ts'
import type { HilumServer } from './hilum-server.ts'
import { openInboxAtBrowser } from './inbox-at-browser.ts'
import type { LoneMeasurement, Report } from './measurement.ts'
import { childrenOf, programOf, residentBytesOfTree } from './process-use.ts'
import { megabytes, median, milliseconds, seconds, times } from './statistics.ts'

const STUDIES = Number(process.env['HILUM_BENCH_WIZARD_STUDIES'] ?? 5)
const IMAGES = 1000
const STREAMS = 4
const READINGS = 3
/** Files that the plain script reads at a time, as a worker of the wizard does. */
const READ_AT_ONCE = 8
const LOOK_EVERY_MS = 1000
const UPLOAD_MS = 900_000
/** A list of groups shows at once; on a busy machine it may take this long. */
const LIST_MS = 5000

const words = {
  select: 'Select the exams to upload',
  confirm: 'Confirm what is uploaded',
  done: 'Exams were uploaded',
} as const

/** A folder of some thousand files through the wizard, beside a script that reads its heads and curl that sends as much. */
export const wizard: LoneMeasurement = { name: 'wizard', title: 'A folder through the wizard', run }

declare global {
  interface Window {
    /** When a folder was dropped, and when the words of the wizard's steps stood on the page first. */
    noted: Record<string, number>
    /** The longest time between two frames since the last reset, in milliseconds. */
    longestGap: number
  }
}

interface Folder {
  path: string
  files: readonly string[]
  bytes: number
}

async function run(folder: string): Promise<Report> {
  await using stage = await openInboxAtBrowser(folder, 100)
  const { hilum } = stage
  const forCurl = await writeStudies(join(folder, 'curl'), 'curl')
  const forWizard = await writeStudies(join(folder, 'wizard'), 'wizard')
  const page = await stage.signIn(noteSteps)
  const browser = childrenOf(process.pid).find((one) => /^(chrom|headless)/.test(programOf(one)))
  if (!browser) throw new Error('The browser is none of our own processes')

  const curlSeconds = await sendByCurl(hilum, forCurl, join(folder, 'curl-lists'))
  await rm(forCurl.path, { recursive: true, force: true })

  const script: number[] = []
  const table: number[] = []
  const gaps = { reading: 0, sending: 0 }
  for (let round = 0; round < READINGS; round++) {
    script.push(await readHeads(forWizard))
    await openFind(page)
    table.push(await readFolder(page, forWizard))
    gaps.reading = Math.max(gaps.reading, await longestGap(page))
  }

  await openFind(page)
  const before = residentBytesOfTree(browser)
  const memory = watchMemory(browser)
  await readFolder(page, forWizard)
  const wizardSeconds = await upload(page)
  gaps.sending = await longestGap(page)
  const most = memory.stop()

  await openFind(page)
  const again = countSentBytes(page)
  await readFolder(page, forWizard)
  const againSeconds = await upload(page)
  const sentAgain = await again.stop()

  const files = forWizard.files.length.toLocaleString('en')
  const rate = (folderSent: Folder, wall: number) => `${wall.toFixed(1)} s, ${megabytes(folderSent.bytes / wall)}/s`
  return {
    table: [
      ['', 'wizard', 'beside', 'wizard to it', 'goal'],
      [
        `table of ${files} files`,
        seconds(table),
        seconds(script),
        `${times(median(table) / median(script))} as long`,
        '≤ 1.5 ×',
      ],
      ['longest gap between two frames, reading', milliseconds(gaps.reading), '', '', '≤ 120 ms'],
      ['longest gap between two frames, sending', milliseconds(gaps.sending), '', '', '≤ 120 ms'],
      [
        'upload',
        rate(forWizard, wizardSeconds),
        rate(forCurl, curlSeconds),
        `${((curlSeconds / wizardSeconds) * 100).toFixed(0)} % of its rate`,
        '≥ 60 %',
      ],
      [
        'the same folder again',
        `${againSeconds.toFixed(1)} s, ${megabytes(sentAgain)}`,
        '',
        `${((sentAgain / forWizard.bytes) * 100).toFixed(2)} % of its bytes`,
        '< 1 %',
      ],
      ['browser’s memory above its start, most', megabytes(most - before), '', '', '< 300 MB'],
    ],
    notes: [
      `${STUDIES} studies of ${IMAGES} CT images of 530 kB, ${megabytes(forWizard.bytes)}; Chromium ${stage.chrome.version()} without a graphics card over loopback, on the same cores as server and PostgreSQL. The table counts from the drop of the folder to the frame that shows its studies, median of ${READINGS}; the script is one process of Node that reads the first ${READ_BYTES / 1024} KB of each file, ${READ_AT_ONCE} at a time, and parses them with the same parser, in turns with the wizard. All files are in the memory of the system by then.`,
      `${STREAMS} programs curl send as many files of other studies to the same server, each its part over one connection, before the wizard does. The wizard asks first what is there, by the SHA-256 of each file, and compares the lists at the end. Bytes of the second time are those of all request bodies. Memory is that of all processes of the browser, shared pages counted once, looked at each second from the drop of the folder to the end of the upload.`,
    ],
  }
}

async function writeStudies(path: string, seed: string): Promise<Folder> {
  let bytes = 0
  for (let study = 1; study <= STUDIES; study++) {
    const set = await makeCtSet(`${seed}/${study}`, IMAGES)
    await writeCtSet(set, join(path, `study${study}`))
    bytes += set.bytes
  }
  const files = await readdir(path, { recursive: true })
  return { path, bytes, files: files.filter((one) => one.endsWith('.dcm')).map((one) => join(path, one)) }
}

/** Sends all files by curl processes at the same time. @returns seconds that this took */
async function sendByCurl(hilum: HilumServer, { files }: Folder, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const lists = await Promise.all(
    Array.from({ length: STREAMS }, async (_, stream) => {
      const own = files.filter((_file, at) => at % STREAMS === stream)
      const requests = own.map((file) =>
        [
          `url = "${uploadAddress(hilum)}"`,
          `data-binary = "@${file}"`,
          'header = "Content-Type: application/dicom"',
          'output = "/dev/null"',
        ].join('\n'),
      )
      const list = join(folder, `stream${stream}`)
      await writeFile(list, `silent\nshow-error\nfail\n${requests.join('\nnext\nsilent\nshow-error\nfail\n')}\n`)
      return list
    }),
  )
  const start = performance.now()
  await Promise.all(lists.map(curl))
  return (performance.now() - start) / 1000
}

function curl(list: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('curl', ['--config', list], { stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`curl ended with ${code}`))))
  })
}

/** Reads and parses the head of every file, as a plain script does. @returns seconds that this took */
async function readHeads({ files }: Folder): Promise<number> {
  const start = performance.now()
  const rest = files.values()
  const read = async () => {
    for (const path of rest) {
      const file = await open(path)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0)
      const { size } = await file.stat()
      await file.close()
      const found = readHeader(buffer.subarray(0, bytesRead), { size })
      if (found.kind !== 'header' || indexInstance(found.header).sopInstanceUid === '')
        throw new Error('A head is missing')
    }
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, read))
  return (performance.now() - start) / 1000
}

/** Lets a page note its steps by itself, and the time between its frames. */
async function noteSteps(page: Page): Promise<void> {
  await page.addInitScript((known) => {
    window.noted = {}
    window.longestGap = 0
    addEventListener('drop', () => (window.noted['chosen'] = performance.now()), { capture: true })
    // the nodes that were added alone: to look through the page would hold up what is measured
    const look = (changes: readonly MutationRecord[]) => {
      const texts = changes.flatMap(({ addedNodes }) => [...addedNodes].map(({ textContent }) => textContent ?? ''))
      for (const [name, text] of Object.entries(known)) {
        const isThere = window.noted[name] === undefined && texts.some((one) => one.includes(text))
        if (isThere) requestAnimationFrame(() => (window.noted[name] ??= performance.now()))
      }
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
    let last = performance.now()
    const tick = (now: number) => {
      window.longestGap = Math.max(window.longestGap, now - last)
      last = now
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  }, words)
}

/** Opens the wizard anew, up to the step that takes a folder. */
async function openFind(page: Page): Promise<void> {
  await page.goto('/')
  await page.locator('[data-card]').first().waitFor()
  await page.getByRole('link', { name: 'Upload' }).click()
  const field = page.getByRole('combobox', { name: 'Group' }).or(page.getByRole('textbox', { name: 'Group' }))
  const option = page.getByRole('option').first()
  const choose = () => option.click({ timeout: LIST_MS }).then(() => true, isTimeout)
  // a list that closes because the page around it is drawn anew is opened once more, as a person would
  do await field.click()
  while (!(await choose()))
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Find the exams to upload' }).waitFor()
}

/** False for a wait that was over. @throws any other failure */
function isTimeout(error: unknown): false {
  if (!(error instanceof errors.TimeoutError)) throw error
  return false
}

/**
 * Drops the folder and waits for its table. A folder from a field of files is listed by the browser before the page hears
 * of it; a drop hands the page entries and files as the dialog for folders of a page on https does.
 * @returns seconds from the drop to the table
 */
async function readFolder(page: Page, { path }: Folder): Promise<number> {
  await page.evaluate(() => {
    window.noted = {}
    window.longestGap = 0
  })
  await drop(page, path)
  return secondsBetween(page, 'chosen', 'select')
}

async function drop(page: Page, path: string): Promise<void> {
  const zone = await page.locator('[data-over]').boundingBox()
  if (!zone) throw new Error('There is no place to drop a folder')
  const at = { x: zone.x + zone.width / 2, y: zone.y + zone.height / 2 }
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  const session = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  await session.detach()
}

/** Uploads all that was found. @returns seconds from the press of the button to the word that all is there */
async function upload(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: words.confirm }).waitFor()
  await page.evaluate(() => {
    window.longestGap = 0
    addEventListener('click', () => (window.noted['pressed'] = performance.now()), { capture: true, once: true })
  })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  return secondsBetween(page, 'pressed', 'done')
}

async function secondsBetween(page: Page, from: string, to: keyof typeof words): Promise<number> {
  const noted = await page.waitForFunction((name) => window.noted[name], to, { timeout: UPLOAD_MS, polling: 250 })
  const end = (await noted.jsonValue()) ?? Number.NaN
  const start = await page.evaluate((name) => window.noted[name] ?? Number.NaN, from)
  return (end - start) / 1000
}

const longestGap = (page: Page) => page.evaluate(() => window.longestGap)

/** Looks at the memory of a program and its children again and again. */
function watchMemory(pid: number): { stop: () => number } {
  let most = 0
  const look = () => (most = Math.max(most, residentBytesOfTree(pid)))
  const timer = setInterval(look, LOOK_EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      return most
    },
  }
}

/** Counts the bytes of the bodies of all requests of a page. */
function countSentBytes(page: Page): { stop: () => Promise<number> } {
  const sizes: Promise<number>[] = []
  const note = (request: Request) => sizes.push(request.sizes().then((size) => size.requestBodySize))
  page.on('requestfinished', note)
  return {
    stop: async () => {
      page.off('requestfinished', note)
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    },
  }
}
