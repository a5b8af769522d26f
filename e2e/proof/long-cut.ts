import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { writePart10 } from '@hilum/dicom/write-part10'
import type { Page } from 'playwright-core'
import { listStudies, openSession } from '../support/call.ts'
import { openLine } from '../support/cut-line.ts'
import { openBrowser, openPerson } from '../support/open-browser.ts'
import { signIn } from '../support/sign-in.ts'
import { startServer } from '../support/start-server.ts'
import type { Outcome, ProofPart, Stage } from './proof.ts'

const files = 80
const fileBytes = 400_000
/** Minutes that the line is down; HILUM_PROOF_MINUTES sets others. */
const usualMinutes = 10

/** An upload from a browser whose network is gone for ten minutes. */
export const longCut: ProofPart = {
  name: 'long-cut',
  title: 'A network that is gone for ten minutes',
  method: `Two people at once upload ${files} images of ${fileBytes / 1000} KB by the wizard, through a line that is cut in the middle: for one
person the line is silent (nothing passes and nobody is told), for another severed (connections break and new ones are refused).
Nobody touches the browser meanwhile. Afterwards the upload must end by itself, with every image on the server and no more
sent twice than what was under way when the line broke.`,
  run,
}

async function run(stage: Stage): Promise<Outcome> {
  const minutes = stage.numberOf('HILUM_PROOF_MINUTES', usualMinutes)
  const server = await startServer({ HILUM_DATA: stage.folder })
  const browser = await openBrowser()
  try {
    const both = (['silent', 'severed'] as const).map((how) =>
      runOnce(stage, { browser, address: server.address, how, minutes }),
    )
    const runs = await Promise.all(both)
    return {
      table: [
        [
          'Line',
          'Minutes',
          'What the page said at the end of the cut',
          'Seconds to the end afterwards',
          'Images',
          'Sent besides',
        ],
        ...runs.map((one) => one.row),
      ],
      notes: [],
      faults: runs.flatMap((one) => one.faults),
    }
  } finally {
    await browser.close()
    await server.close()
  }
}

const words = {
  silent: 'The server does not answer. The upload waits, and goes on by itself',
  severed: 'The connection is lost. The upload goes on by itself when it is back.',
} as const

/** The words by which the page says that it waits: a silent line is taken for a lost one after some minutes. */
async function saidOf(page: Page): Promise<string | undefined> {
  for (const one of Object.values(words)) if ((await page.getByText(one).count()) > 0) return one
  return undefined
}

async function runOnce(
  stage: Stage,
  cut: {
    browser: Awaited<ReturnType<typeof openBrowser>>
    address: string
    how: 'silent' | 'severed'
    minutes: number
  },
): Promise<{ row: string[]; faults: string[] }> {
  const faults: string[] = []
  const line = await openLine(cut.address)
  const { page, context } = await openPerson(cut.browser, line.address)
  try {
    const studyUid = newUid()
    const folder = join(stage.folder, `images-${cut.how}`)
    writeImages(folder, studyUid)
    await signIn(page, 'clinician')
    await startUpload(page, folder)
    const before = line.sentBytes()
    const some = taken(page, 10)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await some
    if (cut.how === 'silent') line.silence()
    else line.sever()
    const ends = Date.now() + cut.minutes * 60_000
    await page.getByText(words[cut.how]).waitFor()
    while (Date.now() < ends) {
      await delay(Math.min(30_000, Math.max(0, ends - Date.now())))
      if ((await page.getByText('Failed to upload exams').count()) > 0) faults.push('the page gave up')
      if ((await page.getByText('Exams were uploaded').count()) > 0) faults.push('the page said that it was done')
    }
    const said = await saidOf(page)
    if (said === undefined) faults.push(`after the time the page of the ${cut.how} line did not say that it waits`)
    if (cut.how === 'silent') line.forget()
    else line.mend()
    const mended = Date.now()
    await page.getByText('Exams were uploaded').waitFor({ timeout: 180_000 })
    const seconds = Math.round((Date.now() - mended) / 1000)
    const besides = line.sentBytes() - before - files * fileBytes
    const sid = await openSession(cut.address, 'staff')
    const found = (await listStudies(cut.address, sid)).find((one) => one.study_uid === studyUid)
    if (found?.image_count !== files) faults.push(`${found?.image_count ?? 0} of ${files} images are there`)
    if (besides > 8 * fileBytes) faults.push(`${besides} bytes were sent twice`)
    const sent = `${(besides / 1_000_000).toFixed(1)} MB`
    return {
      row: [
        cut.how,
        String(cut.minutes),
        said ?? 'nothing',
        String(seconds),
        `${found?.image_count ?? 0} of ${files}`,
        sent,
      ],
      faults,
    }
  } finally {
    await context.close()
    await line.close()
  }
}

/** Opens the wizard and goes through it up to the question whether this is to be uploaded. */
async function startUpload(page: Page, folder: string): Promise<void> {
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  const field = page.getByRole('combobox', { name: 'Group' }).or(page.getByRole('textbox', { name: 'Group' }))
  await field.click()
  await page.getByRole('option', { name: 'Outpatient Imaging' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Find the exams to upload' }).waitFor()
  await page.locator('input[type=file][webkitdirectory]').setInputFiles(folder)
  await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
}

/** Waits until so many images were taken. */
async function taken(page: Page, most: number): Promise<void> {
  let count = 0
  await page.waitForResponse(
    (response) =>
      /\/storage\/namespace\/[^/]+\/image/.test(response.url()) && response.status() === 202 && (count += 1) >= most,
  )
}

function writeImages(folder: string, studyUid: string): void {
  mkdirSync(folder, { recursive: true })
  const seriesUid = newUid()
  for (let number = 1; number <= files; number += 1) {
    const image = writePart10([
      { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
      { tag: Tag.StudyDate, vr: 'DA', value: '20260102' },
      { tag: Tag.Modality, vr: 'CS', value: 'OT' },
      { tag: Tag.PatientName, vr: 'PN', value: 'Long^Cut' },
      { tag: Tag.PatientID, vr: 'LO', value: `CUT${studyUid.slice(-6)}` },
      { tag: Tag.PatientBirthDate, vr: 'DA', value: '19700101' },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
      { tag: Tag.InstanceNumber, vr: 'IS', value: String(number) },
      ...pixelElements({ rows: 1, columns: fileBytes }, new Uint8Array(fileBytes).fill(number % 251)),
    ])
    writeFileSync(join(folder, `IM${number}`), image)
  }
}
