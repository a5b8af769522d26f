import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Frame, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ListedStudy, listStudies, openSession } from './support/call.ts'
import {
  hasCorpus,
  hashWithoutPreamble,
  listFiles,
  makeFolder,
  type PickFolder,
  pickFromCorpus,
} from './support/corpus.ts'
import { signIn } from './support/sign-in.ts'
import { useSystemOfTwo } from './support/system.ts'
import { browseFor, confirmUpload, openWizard } from './support/wizard.ts'

const group = 'Emergency Department'
const { newPerson, server } = useSystemOfTwo()

let disc: PickFolder
beforeAll(() => {
  if (!hasCorpus) return
  disc = pickFromCorpus([
    'studies/ct-head-phantom-visit1/series100',
    'studies/mr-multiseries-stc',
    'studies/mg-screening',
    'studies/cr-hip',
    'transfer-syntaxes/4.50_jpeg-baseline_SC-rgb.dcm',
    'transfer-syntaxes/4.80_jpeg-ls-lossless_CT1.dcm',
    'transfer-syntaxes/4.70_jpeg-lossless-sv1_CT1.dcm',
  ])
  const clips = pickFromCorpus(['studies/us-stress-echo'], 3)
  execFileSync('cp', ['-r', join(clips.path, 'studies/us-stress-echo'), join(disc.path, 'studies')])
  clips.remove()
})
afterAll(() => disc?.remove())

async function openStudy(page: Page, name: RegExp): Promise<void> {
  await page.locator('[data-card]').filter({ hasText: name }).first().click()
  await page.getByRole('tab', { name: 'Summary' }).waitFor()
}

/** How many of the picture's pixels are lit, as a person at the screen sees it. */
async function countLit(page: Page, frame: Frame): Promise<number> {
  const canvas = frame.locator('canvas.cornerstone-canvas, .cornerstone-canvas').first()
  const box = await canvas.boundingBox()
  if (!box) return 0
  const shot = await page.screenshot({ clip: box })
  const { data } = await sharp(shot)
    .greyscale()
    .resize(100, 100, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data.filter((value) => value > 60).length
}

async function frameOf(page: Page | Frame, selector: string): Promise<Frame> {
  const frame = await (await page.waitForSelector(selector)).contentFrame()
  if (!frame) throw new Error(`${selector} has no document`)
  return frame
}

describe.skipIf(!hasCorpus)('a folder of real studies', () => {
  it('[UPLOAD-01] [UPLOAD-02] [UPLOAD-03] [UPLOAD-05] [UPLOAD-07] [UPLOAD-09] [UPLOAD-12] [UPLOAD-16] is uploaded, and arrives in another browser without reload', async () => {
    const uploader = await newPerson({ loadsAhead: true })
    await signIn(uploader.page, 'clinician')
    const watcher = await newPerson({ loadsAhead: true })
    await signIn(watcher.page, 'viewer')
    await watcher.page.getByRole('button', { name: group }).click()
    await watcher.page.getByText(/^\d+ stud/).waitFor()
    const seen = await watchFor(watcher.page, /Receiving \d+ of \d+/)
    // On a fast machine all would be there before the other browser looks.
    await uploader.page.route('**/storage/namespace/*/image*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 250))
      await route.continue()
    })

    await openWizard(uploader.page, group)
    await browseFor(uploader.page, disc.path)
    await uploader.page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
    expect(await uploader.page.getByText('New', { exact: true }).count()).toBeGreaterThanOrEqual(7)
    await confirmUpload(uploader.page)
    const missing = uploader.page.getByText('Please enter a value')
    if ((await missing.count()) > 0) throw new Error('A patient of the corpus has no MRN')
    await uploader.page.getByText('Exams were uploaded').waitFor({ timeout: 120_000 })
    await expect.poll(() => seen.texts.size).toBeGreaterThan(0)

    const sid = await openSession(server().address, 'clinician')
    const files = listFiles(disc.path).length
    const uploaded = await listUploaded(sid)
    expect(uploaded.reduce((sum, study) => sum + study.image_count, 0)).toBe(files)
    expect(uploaded.map((study) => study.arrival)).toEqual(uploaded.map(() => 'complete'))
    await watcher.page.getByText('RUBO DEMO').or(watcher.page.locator('[data-card]')).first().waitFor()
    await expect.poll(() => watcher.page.getByText(/Receiving/).count()).toBe(0)
    await expect.poll(() => watcher.page.locator('[data-card]').count()).toBe(uploaded.length + 3)
  })

  it('[UPLOAD-05] the same folder again is known, and sends nothing', async () => {
    const { page, forgive } = await newPerson({ loadsAhead: true })
    // The server says so when nothing changed since the study was complete; the browser itself reports the status.
    forgive(/status of 412 .*study\/sync/)
    await signIn(page, 'clinician')
    const sent = countUploads(page)
    await openWizard(page, group)
    await browseFor(page, disc.path)
    await page.getByText('Already here').first().waitFor()
    await confirmUpload(page)
    await page.getByText('Exams were uploaded').waitFor({ timeout: 60_000 })
    await page.getByText(/\d+ files were there already/).waitFor()
    expect(sent.count).toBe(0)
  })

  it('[PANEL-08] [PANEL-09] every kind paints in the Viewer tab, and Close comes back by message', async () => {
    const { page } = await newPerson({ loadsAhead: true })
    await signIn(page, 'clinician')
    await page.getByRole('button', { name: group }).click()
    const sid = await openSession(server().address, 'clinician')
    for (const study of await listUploaded(sid)) {
      await page.goto(`${new URL(page.url()).pathname}?study=${study.uuid}&tab=viewer`)
      const frame = await frameOf(page, 'iframe[title^="Viewer of"]')
      await frame.waitForSelector('.screen[data-state=image]')
      await expect.poll(() => countLit(page, frame), { timeout: 30_000, message: study.modality }).toBeGreaterThan(100)
      expect(frame.url()).not.toContain('sid=')
    }
    const frame = await frameOf(page, 'iframe[title^="Viewer of"]')
    await frame.getByRole('button', { name: 'Close viewer' }).click()
    await page.getByRole('tab', { name: 'Summary', selected: true }).waitFor()
    await page
      .getByRole('row', { name: /Daniel Reyes.*View/ })
      .first()
      .waitFor()
  })

  it('[PANEL-08] the full viewer opens over the whole screen, and its Close leads back', async () => {
    const { page } = await newPerson({ loadsAhead: true })
    await signIn(page, 'clinician')
    await page.getByRole('button', { name: group }).click()
    await openStudy(page, /MG/)
    await page.getByRole('tab', { name: 'Viewer' }).click()
    const frame = await frameOf(page, 'iframe[title^="Viewer of"]')
    await frame.getByRole('button', { name: 'Full screen' }).click()
    const full = await frameOf(frame, '.full-frame')
    await full.waitForSelector('canvas', { timeout: 60_000 })
    await expect.poll(() => countLit(page, full), { timeout: 60_000 }).toBeGreaterThan(100)
    await full.getByRole('button', { name: 'Close', exact: true }).click()
    await frame.waitForSelector('.full-frame', { state: 'detached' })
    await frame.getByRole('button', { name: 'Close viewer' }).click()
    await page.getByRole('tab', { name: 'Summary', selected: true }).waitFor()
  })

  it('[DOWNLOAD-01] [DOWNLOAD-02] comes back as a ZIP with a DICOMDIR, every file byte for byte', async () => {
    const { page } = await newPerson({ loadsAhead: true })
    await signIn(page, 'clinician')
    const sid = await openSession(server().address, 'clinician')
    const sentHashes = new Set(listFiles(disc.path).map(hashWithoutPreamble))
    const gotHashes = new Set<string>()
    for (const study of await listUploaded(sid)) {
      await page.goto(`/group/list?study=${study.uuid}&tab=download`)
      const arriving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download Exam' }).click()
      const download = await arriving
      expect(download.suggestedFilename()).toMatch(/^[\w. -]+\.zip$/)
      expect(new URL(download.url()).searchParams.get('bundle')).toBe('dicom')
      const unpacked = makeFolder()
      const zip = join(unpacked.path, 'study.zip')
      await download.saveAs(zip)
      for (const file of unzip(zip, unpacked.path)) gotHashes.add(hashWithoutPreamble(file))
      const records = execFileSync('dcmdump', [join(unpacked.path, 'out', 'DICOMDIR')], { encoding: 'utf8' })
      expect(records.match(/\[IMAGE\]/g)?.length ?? 0).toBeGreaterThan(0)
      unpacked.remove()
    }
    expect(gotHashes).toEqual(sentHashes)
    await page.goto('/group/list')
  })

  async function listUploaded(sid: string): Promise<ListedStudy[]> {
    const all = await listStudies(server().address, sid)
    return all
      .filter((study) => study.phi_namespace_name === group && !/^NORTHSIDE|Hilum/.test(study.study_uid))
      .filter(isNotDemo)
  }
})

/** The demo's own studies have UIDs without a registered root. */
const isNotDemo = (study: ListedStudy) => !study.study_uid.startsWith('2.25.')

/** Unpacks and gives the DICOM files; names must be those of a disc. */
function unzip(zip: string, into: string): string[] {
  const out = join(into, 'out')
  execFileSync('unzip', ['-q', zip, '-d', out])
  const files = listFiles(out)
  for (const file of files) expect(relative(out, file)).toMatch(/^[A-Z0-9_]{1,8}(\/[A-Z0-9_]{1,8})*$|^[\w.]+$/)
  for (const file of files) expect(statSync(file).size).toBeGreaterThan(0)
  return files.filter((file) => basename(file) !== 'DICOMDIR' && !/\.(txt|html?)$/i.test(file))
}

function countUploads(page: Page): { count: number } {
  const sent = { count: 0 }
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/storage\/namespace\/[^/]+\/image/.test(request.url())) sent.count += 1
  })
  return sent
}

/** Collects every text of this form that the screen ever shows from now on. */
async function watchFor(page: Page, pattern: RegExp): Promise<{ texts: Set<string> }> {
  const texts = new Set<string>()
  await page.exposeFunction('hilumSeen', (text: string) => texts.add(text))
  await page.evaluate((source) => {
    const wanted = new RegExp(source)
    const look = () => {
      const found = wanted.exec(document.body.innerText)?.[0]
      if (found) (window as unknown as { hilumSeen: (text: string) => void }).hilumSeen(found)
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
  }, pattern.source)
  return { texts }
}
