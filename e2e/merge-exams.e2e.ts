import type { Page } from 'playwright-core'
import { newUid } from '@hilum/dicom/uid'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, type ListedStudy, openSession } from './support/call.ts'
import type { PickFolder } from './support/corpus.ts'
import { type DiscImage, makeDisc } from './support/made-disc.ts'
import { openTab } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, openWizard } from './support/wizard.ts'

/* One exam that came as two: from the panel's menu to one exam, the emptied one that says so, and back. */

const { newPerson, server } = useSystem()
let sid: string
beforeAll(async () => {
  sid = await openSession(server().address, 'administrator')
})
const folders: PickFolder[] = []
afterEach(() => {
  for (const one of folders.splice(0)) one.remove()
})

async function upload(page: Page, ...images: readonly DiscImage[]): Promise<void> {
  const folder = makeDisc(...images)
  folders.push(folder)
  await openWizard(page, 'Emergency Department')
  await browseFor(page, folder.path)
  await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('Exams were uploaded').waitFor()
}

async function find(studyUid: string): Promise<ListedStudy | undefined> {
  const { studies } = await callWell(server().address, 'study/list', { sid, 'filter.study_uid.equals': studyUid })
  return (studies as ListedStudy[])[0]
}

it('merges two exams of one patient from the menu of the panel, says so in the emptied one, and undoes it', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  const [firstUid, secondUid] = [newUid(), newUid()]
  const anna = { name: 'LINDQVIST^MAJA', mrn: 'L-204', birthDate: '19740611', sex: 'F' }
  await upload(page, { ...anna, studyUid: firstUid, grey: 60 }, { ...anna, studyUid: firstUid, grey: 120 })
  await upload(page, { ...anna, studyUid: secondUid, grey: 200 })
  const first = (await find(firstUid))?.uuid ?? ''
  const second = (await find(secondUid))?.uuid ?? ''
  await expect
    .poll(async () => (await callWell(server().address, 'study/get', { sid, uuid: second }))['arrival'], {
      timeout: 120_000,
    })
    .toBe('complete')

  await openTab(page, first, 'summary')
  const more = page.getByRole('button', { name: 'More actions' })
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Merge with another exam …' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Merge two exams' })
  await dialog.getByText('Nobody else has either exam.').waitFor()
  const table = dialog.getByRole('table', { name: 'What moves and what stays' })
  await table.getByText('1 image in 1 series').waitFor()
  await table.getByText('2 images in 1 series').waitFor()
  await takeShots(page, 'merge-dialog')
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Merge with another exam …' }).press('Enter')
  await dialog.getByRole('radio', { name: 'The other exam' }).check()
  await dialog.getByRole('button', { name: 'Move 2 images' }).waitFor()
  await dialog.getByRole('radio', { name: 'This exam' }).check()
  await dialog.getByRole('textbox', { name: 'Reason, for the record' }).fill('Sent under two orders')
  await dialog.getByRole('button', { name: 'Move 1 image' }).click()
  const list = page.getByRole('region', { name: 'Moved images' })
  await list.getByText(/1 image came from another exam of the patient, moved by/).waitFor()
  expect((await find(firstUid))?.image_count).toBe(3)
  expect((await find(secondUid))?.image_count).toBe(0)
  await takeShots(page, 'merge-done')
  expect(await findBarriers(page)).toEqual([])

  await list.getByRole('link', { name: 'Open the other exam' }).click()
  await page.getByText('The images were moved to another exam of the patient.').waitFor()
  await list.getByText(/1 image was moved to another exam of the patient by/).waitFor()
  expect(await page.getByText('No images have arrived yet.').count()).toBe(0)
  await takeShots(page, 'merge-emptied')
  expect(await findBarriers(page)).toEqual([])
  await list.getByRole('button', { name: 'Undo' }).click()
  await list.getByText(/1 image that .* moved on .* was put back/).waitFor()
  await page.getByText('The images were moved to another exam of the patient.').waitFor({ state: 'detached' })
  expect((await find(firstUid))?.image_count).toBe(2)
  expect((await find(secondUid))?.image_count).toBe(1)
  await takeShots(page, 'merge-undone')
})

it('moves a series and a single image of another one to another exam, leaves the rest, and undoes it', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  const [firstUid, secondUid] = [newUid(), newUid()]
  const erik = { name: 'NORDIN^ERIK', mrn: 'L-311', birthDate: '19661102', sex: 'M' }
  await upload(page, { ...erik, studyUid: firstUid, grey: 60 })
  await upload(
    page,
    { ...erik, studyUid: secondUid, series: 1, grey: 90 },
    { ...erik, studyUid: secondUid, series: 1, grey: 150 },
    { ...erik, studyUid: secondUid, series: 2, grey: 210 },
    { ...erik, studyUid: secondUid, series: 3, grey: 30 },
  )
  const first = (await find(firstUid))?.uuid ?? ''
  const second = (await find(secondUid))?.uuid ?? ''
  await expect
    .poll(async () => (await callWell(server().address, 'study/get', { sid, uuid: second }))['arrival'], {
      timeout: 120_000,
    })
    .toBe('complete')

  await openTab(page, first, 'summary')
  await page.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Merge with another exam …' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Merge two exams' })
  await dialog.getByRole('radio', { name: 'Chosen series or images' }).check()
  await dialog.getByRole('checkbox', { name: 'OT Series 2 · 1 image' }).check()
  await dialog.getByRole('button', { name: 'Single images of OT Series 1' }).click()
  await dialog.getByRole('checkbox', { name: 'Image 2', exact: true }).check()
  await dialog.getByRole('checkbox', { name: 'OT Series 1 · 1 of 2 images' }).waitFor()
  await dialog.getByText('2 images stay in the first exam.').waitFor()
  await dialog.getByText('1 series is divided: what moves of it becomes a series of its own.').waitFor()
  await takeShots(page, 'merge-part-dialog')
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Move 2 images' }).click()
  const list = page.getByRole('region', { name: 'Moved images' })
  await list.getByText(/2 images came from another exam of the patient, moved by/).waitFor()
  expect(await find(firstUid)).toMatchObject({ image_count: 3, series_count: 3 })
  expect(await find(secondUid)).toMatchObject({ image_count: 2, series_count: 2 })

  await list.getByRole('link', { name: 'Open the other exam' }).click()
  await list.getByText(/2 images were moved to another exam of the patient by/).waitFor()
  expect(await page.getByText('The images were moved to another exam of the patient.').count()).toBe(0)
  await takeShots(page, 'merge-part-left')
  await list.getByRole('button', { name: 'Undo' }).click()
  await list.getByText(/2 images that .* moved on .* were put back/).waitFor()
  expect(await find(firstUid)).toMatchObject({ image_count: 1, series_count: 1 })
  expect(await find(secondUid)).toMatchObject({ image_count: 4, series_count: 3 })
})
