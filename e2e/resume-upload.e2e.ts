import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newUid } from '@hilum/dicom/uid'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, listStudies, openSession } from './support/call.ts'
import { makeImage } from './support/made-disc.ts'
import { openProfile } from './support/open-browser.ts'
import { takeShots } from './support/shots.ts'
import { logOut, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, chooseGroup, confirmUpload, openWizard } from './support/wizard.ts'

const group = 'Outpatient Imaging'
const { newPerson, server } = useSystem()
const images = 12
const imageAddress = /\/storage\/namespace\/[^/]+\/image/
/** How long a loaded machine may take. */
const soon = { timeout: 60_000 }

/** Images of one exam, as base64: a page takes no bytes. */
function makeExam(studyUid: string): string[] {
  const exam = { name: 'Resumed^Rita', mrn: `R-${randomUUID().slice(0, 8)}`, birthDate: '19710203', studyUid }
  return Array.from({ length: images }, (_, grey) => Buffer.from(makeImage({ ...exam, grey })).toString('base64'))
}

/**
 * Lets the choice of a folder give one of the page's own storage: real handles, which the browser keeps and takes back.
 * The window in which a person chooses belongs to the browser and cannot be worked from here.
 */
async function giveFolder(page: Page, files: readonly string[]): Promise<void> {
  await page.evaluate(async (contents) => {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('disc', { create: true })
    for (const [at, content] of contents.entries()) {
      const file = await folder.getFileHandle(`IM${at + 1}`, { create: true })
      const writing = await file.createWritable()
      await writing.write(Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)))
      await writing.close()
    }
  }, files)
}
const chooser = () =>
  Object.assign(globalThis, {
    showDirectoryPicker: async () => (await navigator.storage.getDirectory()).getDirectoryHandle('disc'),
  })

/** Lets a few images through and holds the others, as a line that has died. */
async function holdAfter(page: Page, address: RegExp, most: number) {
  const sent = { count: 0 }
  let isHeld = true
  await page.route(address, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent.count += 1
    if (!isHeld || sent.count <= most) await route.continue()
  })
  return {
    sent,
    release: () => {
      isHeld = false
      sent.count = 0
    },
  }
}

async function storedInBrowser(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('hilum-uploads')
    await new Promise((resolve) => (opening.onsuccess = resolve))
    if (!opening.result.objectStoreNames.contains('uploads')) return '[]'
    const asked = opening.result.transaction('uploads').objectStore('uploads').getAll()
    await new Promise((resolve) => (asked.onsuccess = resolve))
    opening.result.close()
    return JSON.stringify(asked.result)
  })
}

it('[UPLOAD-13] an upload whose whole browser is killed goes on by one click in the next, sends what is missing alone, and leaves nothing there', async () => {
  const studyUid = newUid()
  const profile = mkdtempSync(join(tmpdir(), 'hilum-profile-'))
  onTestFinished(() => rmSync(profile, { recursive: true, force: true }))
  const killed = await openProfile(profile, server().address)
  onTestFinished(() => killed.context.close())
  const { page } = killed
  page.on('dialog', (dialog) => void dialog.accept())
  await page.addInitScript(chooser)
  await signIn(page, 'clinician')
  await giveFolder(page, makeExam(studyUid))
  await openWizard(page, group)
  const line = await holdAfter(page, imageAddress, images / 2)
  await page.getByRole('button', { name: 'Browse for a folder' }).click()
  await confirmUpload(page)
  await expect.poll(() => line.sent.count, soon).toBeGreaterThan(images / 2)
  const findStudy = async () => {
    const sid = await openSession(server().address, 'clinician')
    return (await listStudies(server().address, sid)).find((one) => one.study_uid === studyUid)
  }
  await expect.poll(async () => (await findStudy())?.image_count, soon).toBe(images / 2)
  const kept = await storedInBrowser(page)
  expect(kept).not.toBe('[]')
  expect(kept, 'nothing of the patient is stored').not.toMatch(/Resumed|Rita|R-|1971/)
  expect(kept).not.toContain(studyUid)

  const gone = killed.context.waitForEvent('close')
  killed.kill()
  await gone
  expect(killed.faults).toEqual([])

  const { page: next, context, faults, forgive } = await openProfile(profile, server().address)
  // the cookie of a session does not outlive its browser
  forgive(/status of 412 .*\/session\/token/)
  onTestFinished(() => context.close())
  const rest = await holdAfter(next, imageAddress, images)
  await signIn(next, 'clinician')
  await next.getByRole('link', { name: 'Upload', exact: true }).click()
  await next.getByText(`Your upload to ${group} was interrupted`).waitFor()
  await next.getByText('1 study', { exact: false }).first().waitFor()
  expect(await findBarriers(next)).toEqual([])
  await takeShots(next, 'upload-interrupted')
  await next.getByRole('button', { name: 'Go on' }).click()
  await next.getByText('Exams were uploaded').waitFor(soon)
  expect(rest.sent.count).toBe(images / 2)
  expect(await findStudy()).toMatchObject({ image_count: images, arrival: 'complete' })
  await expect.poll(() => storedInBrowser(next), soon).toBe('[]')
  expect(faults).toEqual([])
})

it('[UPLOAD-13] an upload without handles that a reload interrupts is told of, and the same folder chosen again sends what is missing alone', async () => {
  const studyUid = newUid()
  const folder = mkdtempSync(join(tmpdir(), 'hilum-again-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [at, content] of makeExam(studyUid).entries())
    writeFileSync(join(folder, `IM${at + 1}`), Buffer.from(content, 'base64'))
  const { page } = await newPerson()
  page.on('dialog', (dialog) => void dialog.accept())
  await signIn(page, 'clinician')
  await openWizard(page, group)
  const line = await holdAfter(page, imageAddress, 5)
  await browseFor(page, folder)
  await confirmUpload(page)
  await expect.poll(() => line.sent.count, soon).toBeGreaterThan(5)
  const kept = await storedInBrowser(page)
  expect(kept, 'nothing of the patient is stored').not.toMatch(/Resumed|Rita|R-|1971/)
  await page.reload()
  line.release()
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  await page.getByText('Choose the same folder again: only what is missing is sent.', { exact: false }).waitFor()
  expect(await page.getByRole('button', { name: 'Go on' }).count()).toBe(0)
  await takeShots(page, 'upload-interrupted-no-handles')
  await chooseGroup(page, group)
  await browseFor(page, folder)
  await confirmUpload(page)
  await page.getByText('Exams were uploaded').waitFor(soon)
  expect(line.sent.count).toBe(images - 5)
  await expect.poll(() => storedInBrowser(page), soon).toBe('[]')
})

it('signing out forgets an upload that was interrupted', async () => {
  const { page } = await newPerson()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.addInitScript(chooser)
  await signIn(page, 'clinician')
  await giveFolder(page, makeExam(newUid()))
  await openWizard(page, group)
  const line = await holdAfter(page, imageAddress, 2)
  await page.getByRole('button', { name: 'Browse for a folder' }).click()
  await confirmUpload(page)
  await expect.poll(() => line.sent.count, soon).toBeGreaterThan(2)
  await page.reload()
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  await page.getByRole('button', { name: 'Go on' }).waitFor()
  await page.getByRole('button', { name: 'Forget it' }).waitFor()
  await logOut(page)
  expect(await storedInBrowser(page)).toBe('[]')
})

it('[REQUEST-01] an outside party goes on after a reload too, in the same way', async () => {
  const { address } = server()
  const sid = await openSession(address, 'staff')
  const { namespaces } = await callWell(address, 'user/namespace/list', { sid })
  const place = (namespaces as { name: string; uuid: string }[]).find(({ name }) => name === 'Emergency Department')
  const asked = { sid, namespace_id: place?.uuid, action: 'STUDY_UPLOAD', email: 'clinic@outside.example' }
  const { url } = await callWell(address, 'link/add', asked)
  const { page } = await newPerson({ viewport: { width: 390, height: 780 } })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.addInitScript(chooser)
  await page.goto(`${address}/link/${String(url).split('/link/')[1]}`)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByLabel('Your name or institution').fill('Clinic West')
  await giveFolder(page, makeExam(newUid()))
  const line = await holdAfter(page, /\/storage\/link\/image/, 5)
  await page.getByRole('button', { name: 'Browse for a folder' }).click()
  await page.getByRole('button', { name: 'Send 1 exam' }).click()
  await expect.poll(() => line.sent.count, soon).toBeGreaterThan(5)
  await page.reload()
  line.release()
  await page.getByText('Your upload was interrupted').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'request-interrupted')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Thank you: everything has arrived').waitFor(soon)
  expect(line.sent.count).toBeLessThan(images)
  await expect.poll(() => storedInBrowser(page), soon).toBe('[]')
})
