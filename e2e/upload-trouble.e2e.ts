import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readCorpusFile } from '@hilum/dicom/node/corpus'
import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { writePart10 } from '@hilum/dicom/write-part10'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { callWell, listStudies, openSession } from './support/call.ts'
import { hasCorpus, makeFolder, type PickFolder, pickFromCorpus } from './support/corpus.ts'
import { openLine } from './support/cut-line.ts'
import { makePdf } from './support/made-pdf.ts'
import { shotFolder, takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, confirmUpload, openWizard } from './support/wizard.ts'

const group = 'Outpatient Imaging'
const { newPerson, server } = useSystem()

let folders: PickFolder[] = []
afterEach(() => {
  for (const one of folders) one.remove()
  folders = []
})

function keep(folder: PickFolder): PickFolder {
  folders.push(folder)
  return folder
}

interface MadePatient {
  name: string
  id: string
  studyUid: string
}

/** Small secondary captures of a patient, so many that sending them takes a moment. */
function writeImages(folder: PickFolder, patient: MadePatient, count: number, pixelBytes = 2000): void {
  const seriesUid = newUid()
  for (let number = 1; number <= count; number += 1) {
    const path = join(folder.path, patient.id, `IM${number}`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, makeImage(patient, seriesUid, number, pixelBytes))
  }
}

function makeImage({ name, id, studyUid }: MadePatient, seriesUid: string, number: number, pixelBytes: number) {
  return writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.StudyDate, vr: 'DA', value: '20260102' },
    { tag: Tag.Modality, vr: 'CS', value: 'OT' },
    { tag: Tag.PatientName, vr: 'PN', value: name },
    { tag: Tag.PatientID, vr: 'LO', value: id },
    { tag: Tag.PatientBirthDate, vr: 'DA', value: '19700101' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
    { tag: Tag.InstanceNumber, vr: 'IS', value: String(number) },
    ...pixelElements({ rows: 1, columns: pixelBytes }, new Uint8Array(pixelBytes).fill(number % 251)),
  ])
}

const imageAddress = /\/storage\/namespace\/[^/]+\/image/

function countUploads(
  page: Page,
  onTaken: (taken: number) => unknown = () => undefined,
): { asked: number; taken: number } {
  const count = { asked: 0, taken: 0 }
  page.on('request', (request) => {
    if (request.method() === 'POST' && imageAddress.test(request.url())) count.asked += 1
  })
  page.on('response', (response) => {
    if (imageAddress.test(response.url()) && response.status() === 202) onTaken((count.taken += 1))
  })
  return count
}

async function findStudy(studyUid: string) {
  const sid = await openSession(server().address, 'clinician')
  const study = (await listStudies(server().address, sid)).find((one) => one.study_uid === studyUid)
  return study && { images: study.image_count, arrival: study.arrival }
}

describe('files that are no DICOM', () => {
  it('[UPLOAD-01] [UPLOAD-04] [UPLOAD-06] become a study with the values of the form', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c03' } })
      .jpeg()
      .toBuffer()
    await openWizard(page, group)
    await page.getByRole('button', { name: 'Browse for files' }).waitFor()
    await page.locator('input[aria-label="Browse for files"]').setInputFiles([
      { name: 'wound.jpg', mimeType: 'image/jpeg', buffer: photo },
      { name: 'letter.pdf', mimeType: 'application/pdf', buffer: makePdf('Referral') },
      { name: 'values.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') },
    ])
    await page.getByRole('heading', { name: 'Whose pictures and documents are these?' }).waitFor()
    const name = `Wrap${Date.now()}`
    await page.getByRole('textbox', { name: 'Last name' }).fill(name)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Please complete all the mandatory fields.').waitFor()
    await takeShots(page, 'wizard-other-files')
    await page.getByRole('textbox', { name: 'First name' }).fill('Pat')
    await page.getByRole('textbox', { name: 'Date of birth' }).fill('05-21-1980')
    await page.getByRole('combobox', { name: 'Gender' }).selectOption('female')
    await page.getByRole('textbox', { name: 'MRN' }).fill(name)
    await page.getByRole('textbox', { name: 'Study date' }).fill('11-20-2025')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
    await takeShots(page, 'wizard-other-confirm')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Exams were uploaded').waitFor()
    const sid = await openSession(server().address, 'clinician')
    const study = (await listStudies(server().address, sid)).find((one) => one.patient_name === `${name}^Pat`)
    expect(study).toMatchObject({ patientid: name, image_count: 2, attachment_count: 1, study_date: '20251120' })
  })
})

describe('a share code', () => {
  it.skipIf(!hasCorpus)('opens an upload to somebody without a login, who sends a ZIP file from a phone', async () => {
    const { address } = server()
    const sid = await openSession(address, 'administrator')
    const { namespaces } = await callWell(address, 'user/namespace/list', { sid })
    const place = (namespaces as { name: string; type_uuid: string }[]).find(({ name }) => name === group)
    const share_settings = JSON.stringify({ takes_uploads: 1, confirm_before_upload: 1 })
    await callWell(address, 'group/set', { sid, uuid: place?.type_uuid, share_code: 'TROUBLE1', share_settings })
    const { page } = await newPerson({ viewport: { width: 390, height: 780 } })
    await page.goto(`${address}/share-code/trouble1`)
    await page.getByText(group).waitFor()
    await takeShots(page, 'share-code-door')
    await page.getByRole('button', { name: 'Send exams' }).click()
    await page.getByRole('textbox', { name: 'Your name or institution' }).fill('Clinic West')
    const buffer = Buffer.from(readCorpusFile('media/zip/study-5-files.zip'))
    await page
      .locator('input[aria-label="Browse for files"]')
      .setInputFiles([{ name: 'disc.zip', mimeType: 'application/zip', buffer }])
    await page.getByText('5 files').first().waitFor()
    await page.getByRole('button', { name: 'Send 1 exam' }).click()
    await page.getByText('Say that you have looked at them.').waitFor()
    await takeShots(page, 'share-code-confirm')
    if (process.env['HILUM_SHOTS'])
      await page.screenshot({ path: join(shotFolder, 'share-code-phone.png'), fullPage: true })
    await page.getByRole('checkbox', { name: /I have looked at these exams/ }).check()
    await page.getByRole('button', { name: 'Send 1 exam' }).click()
    await page.getByText('Thank you: everything has arrived').waitFor()
  })
})

describe('a folder', () => {
  it('[UPLOAD-25] that is empty, or holds junk, says so and names every file with its reason', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const junk = keep(makeFolder())
    writeFileSync(join(junk.path, 'README.TXT'), 'A disc of images')
    writeFileSync(join(junk.path, 'empty.dcm'), '')
    writeFileSync(join(junk.path, 'liar.dcm'), Buffer.concat([Buffer.alloc(128), Buffer.from('DICM, but no more')]))
    await openWizard(page, group)
    await browseFor(page, junk.path)
    await page.getByText('No exams were found in the selected media').waitFor()
    await page.getByText('3 files are not part of the upload').waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    const reasons = page.getByRole('list', { name: 'Files that are not part of the upload' })
    await reasons.getByText('Empty file').waitFor()
    await reasons.getByText('Not a DICOM file').first().waitFor()
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)

    const empty = keep(makeFolder())
    await browseFor(page, empty.path)
    await page.getByText('There are no files in it.').waitFor()
  })

  it.skipIf(!hasCorpus)('[UPLOAD-25] of files that are no DICOM finds none of them', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const junk = keep(pickFromCorpus(['non-dicom']))
    await openWizard(page, group)
    await browseFor(page, junk.path)
    await page.getByText('No exams were found in the selected media').waitFor()
    await page.getByText(/^\d+ files are not part of the upload/).waitFor()
  })

  it('[UPLOAD-05] [UPLOAD-08] of 20 patients lists each, and asks for the MRN of the one without', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const folder = keep(makeFolder())
    const patients = Array.from({ length: 20 }, (_none, k) => ({
      name: `Twenty${String.fromCodePoint(65 + k)}^Pat`,
      id: k === 7 ? '' : `TW-${k}`,
      studyUid: newUid(),
    }))
    for (const patient of patients) writeImages(folder, patient, 2)
    await openWizard(page, group)
    await browseFor(page, folder.path)
    await page.getByText('20 of 20 studies selected').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Multiple studies: these are of 20 patients. Please ensure MRN is accurate').waitFor()
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Please enter a value').waitFor()
    await page.getByLabel('MRN of TWENTYH, Pat').fill('TW-TYPED')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Exams were uploaded').waitFor({ timeout: 60_000 })
    const sid = await openSession(server().address, 'clinician')
    const listed = (await listStudies(server().address, sid)).filter((one) => one.patient_name.startsWith('Twenty'))
    expect(listed.map((one) => [one.patientid, one.image_count, one.arrival]).toSorted()).toEqual(
      patients.map(({ id }) => [id || 'TW-TYPED', 2, 'complete']).toSorted(),
    )
  })

  it('of 5,000 files with one that cannot be read loses only that one, and the page stays usable', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const folder = keep(makeFolder())
    const patient = { name: 'Many^Files', id: 'MANY', studyUid: newUid() }
    writeImages(folder, patient, 4999, 16)
    writeFileSync(join(folder.path, 'MANY', 'BROKEN'), makeImage(patient, newUid(), 5000, 3000).subarray(0, 1500))
    await openWizard(page, group)
    await browseFor(page, folder.path)
    await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor({ timeout: 90_000 })
    await page.getByText('1 file is not part of the upload').waitFor()
    await page.getByText('1 of 1 study selected: 4,999 files').waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByText('Cut off: the file ends too early').first().waitFor()
    await confirmUpload(page)
    await page.getByText('Exams were uploaded').waitFor({ timeout: 240_000 })
    expect(await findStudy(patient.studyUid)).toEqual({ images: 4999, arrival: 'complete' })
  })

  it('of many small files goes several in a request, and all of them are there', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const folder = keep(makeFolder())
    const patient = { name: 'Several^Together', id: 'SEVERAL', studyUid: newUid() }
    const files = 260
    writeImages(folder, patient, files, 3000)
    const requests = { together: 0, alone: 0 }
    page.on('request', (one) => {
      const { pathname } = new URL(one.url())
      if (one.method() !== 'POST') return
      if (/\/storage\/namespace\/[^/]+\/image$/.test(pathname)) requests.alone += 1
      if (/\/dicomweb\/[^/]+\/studies\b/.test(pathname)) requests.together += 1
    })
    await openWizard(page, group)
    await browseFor(page, folder.path)
    await confirmUpload(page)
    await page.getByText('Exams were uploaded').waitFor({ timeout: 120_000 })
    expect(await findStudy(patient.studyUid)).toEqual({ images: files, arrival: 'complete' })
    // on a slow line fewer go together; one by one would be as many requests as files
    expect(requests.together).toBeGreaterThan(0)
    expect(requests.together + requests.alone).toBeLessThan(files)
  })

  it('a second folder is added to the first, and Start over forgets both', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const [first, second] = [keep(makeFolder()), keep(makeFolder())]
    const one = { name: 'First^Folder', id: 'FIRST', studyUid: newUid() }
    const other = { name: 'Second^Folder', id: 'SECOND', studyUid: newUid() }
    writeImages(first, one, 3)
    writeImages(second, other, 2)
    await openWizard(page, group)
    await browseFor(page, first.path)
    await page.getByText('1 of 1 study selected: 3 files').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByText('What you choose now is added to them.').waitFor()
    await browseFor(page, second.path)
    await page.getByText('2 of 2 studies selected: 5 files').waitFor()
    await takeShots(page, 'upload-second-folder')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Start over' }).click()
    await browseFor(page, second.path)
    await page.getByText('1 of 1 study selected: 2 files').waitFor()
    await confirmUpload(page)
    await page.getByText('Exams were uploaded').waitFor({ timeout: 60_000 })
    expect(await findStudy(other.studyUid)).toEqual({ images: 2, arrival: 'complete' })
  })

  it('[UPLOAD-03] dropped on the page is read like one that was browsed for', async () => {
    const { page, context } = await newPerson()
    await signIn(page, 'clinician')
    const folder = keep(makeFolder())
    writeImages(folder, { name: 'Dropped^Disc', id: 'DROP', studyUid: newUid() }, 3)
    await openWizard(page, group)
    const zone = await page.getByText('Drop a disc, a folder or files here').boundingBox()
    if (!zone) throw new Error('There is nowhere to drop')
    const devtools = await context.newCDPSession(page)
    const drag = { x: zone.x + 20, y: zone.y + 5, data: { items: [], files: [folder.path], dragOperationsMask: 1 } }
    await devtools.send('Input.dispatchDragEvent', { type: 'dragEnter', ...drag })
    await devtools.send('Input.dispatchDragEvent', { type: 'dragOver', ...drag })
    await page.getByText('Let go to read it').waitFor()
    // Only once the page has answered that it takes the drag does the browser deliver the drop.
    await devtools.send('Input.dispatchDragEvent', { type: 'dragOver', ...drag })
    await devtools.send('Input.dispatchDragEvent', { type: 'drop', ...drag })
    await page.getByText('1 of 1 study selected: 3 files').waitFor()
  })
})

it('two people who upload one study at once both end with all of it, and each image is there once', async () => {
  const people = [await newPerson(), await newPerson()]
  // the server says so to the second who ends, when nothing changed since the study was complete
  for (const { forgive } of people) forgive(/status of 412 .*\/study\/sync/)
  const [clinician, staff] = people.map(({ page }) => page) as [Page, Page] // two were made
  await signIn(clinician, 'clinician')
  await signIn(staff, 'staff')
  const folder = keep(makeFolder())
  const patient = { name: 'Twice^Sent', id: 'TWICE', studyUid: newUid() }
  const files = 40
  writeImages(folder, patient, files, 200_000)
  // neither sends before both have been told that everything is missing
  const both = Promise.withResolvers<void>()
  const waiting = new Set<Page>()
  const counts = [clinician, staff].map((page) => countUploads(page))
  for (const page of [clinician, staff]) {
    await page.route(imageAddress, async (route) => {
      if (waiting.add(page).size === 2) both.resolve()
      await both.promise
      await route.continue()
    })
    await openWizard(page, group)
    await browseFor(page, folder.path)
  }
  await Promise.all([confirmUpload(clinician), confirmUpload(staff)])
  for (const page of [clinician, staff]) {
    await page.getByText('Exams were uploaded').waitFor({ timeout: 60_000 })
    await page.getByText(`${files} files of 1 study arrived, and the list of the server agrees with yours.`).waitFor()
  }
  await takeShots(staff, 'wizard-uploaded-twice')
  expect(counts.map(({ asked }) => asked)).toEqual([files, files])
  expect(await findStudy(patient.studyUid)).toEqual({ images: files, arrival: 'complete' })
  for (const login of ['clinician', 'staff'] as const) {
    const seen = await listStudies(server().address, await openSession(server().address, login))
    expect(seen.filter(({ study_uid }) => study_uid === patient.studyUid)).toHaveLength(1)
  }
})

describe('an upload that is broken off', () => {
  it.each([6, 30, 54])(
    'by a tab that is closed after %i of 60 files goes on when the folder is chosen again, and sends only what is missing',
    async (taken) => {
      const line = await openLine(server().address)
      onTestFinished(() => line.close())
      const { page, context } = await newPerson({ baseURL: line.address })
      await signIn(page, 'clinician')
      const folder = keep(makeFolder())
      const patient = { name: `Closed${taken}^Tab`, id: `CLOSED${taken}`, studyUid: newUid() }
      const files = 60
      writeImages(folder, patient, files, 200_000)
      // so many images leave the tab, however slow the test is in noticing that they arrived
      let left = 0
      await page.route(imageAddress, async (route) => {
        if (route.request().method() !== 'POST' || ++left <= taken) await route.continue()
      })
      // nothing passes once so many have arrived, so that the tab closes in the midst of it
      const first = countUploads(page, (count) => count >= taken && line.silence())
      await openWizard(page, group)
      await browseFor(page, folder.path)
      await confirmUpload(page)
      await expect.poll(() => first.taken, { interval: 10 }).toBeGreaterThanOrEqual(taken)
      await page.close()
      line.mend()
      const half = await findStudy(patient.studyUid)
      expect(half?.images).toBeGreaterThanOrEqual(taken)
      expect(half?.images).toBeLessThan(files)
      expect(half?.arrival).toBe('receiving')

      const again = await context.newPage()
      await again.goto('/group/list')
      const second = countUploads(again)
      await openWizard(again, group)
      await browseFor(again, folder.path)
      await again.getByText(/\d+ of 60 already here/).waitFor()
      const there = (await findStudy(patient.studyUid))?.images ?? 0
      await confirmUpload(again)
      await again.getByText('Exams were uploaded').waitFor({ timeout: 60_000 })
      expect(second.asked).toBe(files - there)
      expect(await findStudy(patient.studyUid)).toEqual({ images: files, arrival: 'complete' })
    },
  )

  it('[UPLOAD-13] by a network that is silent for half a minute and then broken goes on by itself, and sends little twice', async () => {
    const line = await openLine(server().address)
    onTestFinished(() => line.close())
    const { page, forgive } = await newPerson({ baseURL: line.address })
    forgive(/ERR_CONNECTION|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|WebSocket/)
    await signIn(page, 'clinician')
    const folder = keep(makeFolder())
    const patient = { name: 'Cut^Network', id: 'CUT', studyUid: newUid() }
    const [files, size] = [60, 400_000]
    writeImages(folder, patient, files, size)
    const sent = countUploads(page)
    await openWizard(page, group)
    await browseFor(page, folder.path)
    const before = line.sentBytes()
    await confirmUpload(page)
    await expect.poll(() => sent.taken, { interval: 10 }).toBeGreaterThan(5)
    line.silence()
    await page.getByText('The server does not answer. The upload waits, and goes on by itself').waitFor()
    await page.getByText('Waiting for the server').waitFor()
    await takeShots(page, 'upload-line-silent')
    await delay(20_000)
    line.sever()
    await page.getByText('The connection is lost. The upload goes on by itself when it is back.').waitFor()
    await takeShots(page, 'upload-line-lost')
    expect(await page.getByText('Failed to upload exams').count()).toBe(0)
    line.mend()
    await page.getByText('Exams were uploaded').waitFor({ timeout: 90_000 })
    expect(await findStudy(patient.studyUid)).toEqual({ images: files, arrival: 'complete' })
    // no more than what was under way when it broke, and what is asked besides
    expect(line.sentBytes() - before).toBeLessThan((files + 8) * size)
  })

  it('[UPLOAD-13] by a network that forgets its connections says that it waits, and goes on over new ones', async () => {
    const line = await openLine(server().address)
    onTestFinished(() => line.close())
    const { page, forgive } = await newPerson({ baseURL: line.address })
    forgive(/ERR_CONNECTION|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|WebSocket/)
    await signIn(page, 'clinician')
    const folder = keep(makeFolder())
    const patient = { name: 'Forgotten^Line', id: 'FORGOTTEN', studyUid: newUid() }
    const files = 40
    writeImages(folder, patient, files, 400_000)
    const sent = countUploads(page)
    await openWizard(page, group)
    await browseFor(page, folder.path)
    await confirmUpload(page)
    await expect.poll(() => sent.taken, { interval: 10 }).toBeGreaterThan(5)
    line.silence()
    await page.getByText('The server does not answer. The upload waits, and goes on by itself').waitFor()
    line.forget()
    // long before the time is over after which a request that stands still is given up
    await page.getByText('Exams were uploaded').waitFor({ timeout: 60_000 })
    expect(await findStudy(patient.studyUid)).toEqual({ images: files, arrival: 'complete' })
  })

  it('[UPLOAD-13] by a server that is gone goes on when it is back, and nothing acknowledged is lost', async () => {
    const { page, forgive } = await newPerson()
    forgive(/ERR_CONNECTION|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|WebSocket|status of 50/)
    await signIn(page, 'clinician')
    const folder = keep(makeFolder())
    const patient = { name: 'Gone^Server', id: 'GONE', studyUid: newUid() }
    const files = 60
    writeImages(folder, patient, files, 200_000)
    const sent = countUploads(page)
    await openWizard(page, group)
    await browseFor(page, folder.path)
    await confirmUpload(page)
    await expect.poll(() => sent.taken, { interval: 10 }).toBeGreaterThan(5)
    await server().kill()
    const taken = sent.taken
    await server().start()
    const held = await findStudy(patient.studyUid)
    expect(held?.images).toBeGreaterThanOrEqual(taken)
    await page.getByText('Exams were uploaded').waitFor({ timeout: 90_000 })
    expect(await findStudy(patient.studyUid)).toEqual({ images: files, arrival: 'complete' })
  })

  it('by its own person leaves what arrived, and asks before', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const folder = keep(makeFolder())
    const patient = { name: 'Stopped^Early', id: 'STOPPED', studyUid: newUid() }
    writeImages(folder, patient, 80, 200_000)
    const sent = countUploads(page)
    await openWizard(page, group)
    await browseFor(page, folder.path)
    await confirmUpload(page)
    await expect.poll(() => sent.taken, { interval: 10 }).toBeGreaterThan(3)
    await page.getByRole('button', { name: 'Cancel the upload' }).click()
    await page.getByText('Stop the upload? What has arrived stays').waitFor()
    await page.getByRole('button', { name: 'Stop the upload' }).click()
    await page.getByRole('button', { name: 'Next' }).waitFor()
    const left = await findStudy(patient.studyUid)
    expect(left?.images).toBeGreaterThanOrEqual(4)
    expect(left?.images).toBeLessThan(80)
    expect(left?.arrival).toBe('receiving')
  })
})
