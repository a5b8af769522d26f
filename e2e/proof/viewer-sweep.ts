/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { callWell, type ListedStudy, listStudies, openSession } from '../support/call.ts'
import { hasCorpus, listFiles } from '../support/corpus.ts'
import { openBrowser } from '../support/open-browser.ts'
import { startServer } from '../support/start-server.ts'
import { makeHardStudy } from '../support/viewer-objects.ts'
import type { Outcome, ProofPart, Stage } from './proof.ts'
import { NotRunnable } from './small-disk.ts'

/** After so long a picture or its reason must be there. */
const LIMIT_MS = 10_000

/** Every study of the corpus and the objects that are hard to draw, in the quick viewer. */
export const viewerSweep: ProofPart = {
  name: 'viewer-sweep',
  title: 'A picture or a reason, for every kind of object',
  method: `Every file of the corpus that the server takes, broken ones among them, and a study of objects that viewers find
hard (palette colour, no modality, floating point, overlays, padding, pixels that are not square) is sent to a server. Each
study is opened in the quick viewer and each of its series chosen. Ten seconds after the choice at the latest a picture
stands there, or words that say why there is none; nothing may wait for ever, and no series may keep another waiting.`,
  run,
}

async function run(stage: Stage): Promise<Outcome> {
  if (!hasCorpus) throw new NotRunnable('There is no DICOM corpus (HILUM_TEST_DICOM)')
  const server = await startServer({ HILUM_DATA: stage.folder })
  const browser = await openBrowser()
  try {
    const sid = await openSession(server.address, 'staff')
    const sent = await sendAll(server.address, sid, stage)
    const studies = (await listStudies(server.address, sid)).filter(({ image_count: count }) => count > 0)
    const kinds = new Map<string, number>()
    const faults: string[] = []
    let slowestMs = 0
    for (const study of studies) {
      for (const { series, what, tookMs } of await sweep(browser, server.address, sid, study)) {
        kinds.set(what, (kinds.get(what) ?? 0) + 1)
        slowestMs = Math.max(slowestMs, tookMs)
        if (what === 'nothing') faults.push(`study ${study.study_uid}, series ${series}: nothing after ${LIMIT_MS} ms`)
      }
      stage.say(`${study.modality} ${study.study_uid}`)
    }
    return {
      table: [
        ['What was there', 'Series'],
        ['Files taken', String(sent.taken)],
        ['Files refused', String(sent.refused)],
        ['Studies', String(studies.length)],
        ...[...kinds].toSorted(([, a], [, b]) => b - a).map(([what, count]) => [what, String(count)]),
        ['Longest wait', `${Math.round(slowestMs)} ms`],
      ],
      notes: [],
      faults,
    }
  } finally {
    await browser.close()
    await server.close()
  }
}

async function sendAll(address: string, sid: string, stage: Stage): Promise<{ taken: number; refused: number }> {
  const [first] = await listStudies(address, sid)
  const corpus = process.env['HILUM_TEST_DICOM'] ?? '../shared/dicom'
  const files = ['studies', 'transfer-syntaxes', 'charsets', 'malformed', 'media'].flatMap((place) =>
    listFiles(join(corpus, place)),
  )
  const bodies = [
    ...files.map((file) => () => new Uint8Array(readFileSync(file))),
    ...makeHardStudy('HARD^STUDY').map((file) => () => file),
  ]
  const count = { taken: 0, refused: 0 }
  for (const read of bodies) {
    const reply = await fetch(`${address}/api/v3/storage/namespace/${first?.phi_namespace}/image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sid}` },
      body: read(),
    })
    count[reply.ok ? 'taken' : 'refused'] += 1
    await reply.arrayBuffer()
  }
  stage.say(`${count.taken} files taken, ${count.refused} refused`)
  for (const { uuid, image_count } of await listStudies(address, sid))
    await callWell(address, 'study/sync', { sid, uuid, image_count }).catch(() => undefined) // the demo's are complete
  return count
}

interface Seen {
  series: string
  what: string
  tookMs: number
}

async function sweep(browser: Browser, address: string, sid: string, study: ListedStudy): Promise<Seen[]> {
  const page = await browser.newPage({ viewport: { width: 1024, height: 768 } })
  try {
    const place = [study.storage_namespace, study.study_uid, study.phi_namespace].map(encodeURIComponent).join('/')
    const began = performance.now()
    await page.goto(`${address}/proviewer/?sid=${encodeURIComponent(sid)}#study/${place}`)
    const first = await settle(page)
    const tiles = page.locator('.tile')
    const seen: Seen[] = [{ series: 'first', what: first, tookMs: performance.now() - began }]
    for (let at = 0; at < (await tiles.count()); at++) {
      const chosen = performance.now()
      await tiles.nth(at).click()
      const what = await settle(page)
      seen.push({ series: `${at + 1}`, what, tookMs: performance.now() - chosen })
    }
    return seen
  } finally {
    await page.close()
  }
}

/** @returns `a picture`, the words instead of one, or `nothing` after the limit */
function settle(page: Page): Promise<string> {
  return page
    .waitForFunction(
      () => {
        const screen = document.querySelector<HTMLElement>('.screen')
        if (screen?.dataset['state'] === 'image') return 'a picture'
        const words = (screen ?? document).querySelector<HTMLElement>('.words:not([data-busy])')
        return words && !words.hidden && words.innerText.trim() !== '' ? words.innerText.trim() : undefined
      },
      undefined,
      { timeout: LIMIT_MS },
    )
    .then(
      async (handle) => String(await handle.jsonValue()),
      () => 'nothing',
    )
}
