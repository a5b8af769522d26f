import { newUid } from '@hilum/dicom/uid'
import { beforeAll, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import { type DiscImage, makeImage } from './support/made-disc.ts'
import { openTab } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

/* Images of two patients in one study: from the warning to two exams, each with its own patient, and back. */

const { newPerson, server } = useSystem()
let sid: string
beforeAll(async () => {
  sid = await openSession(server().address, 'administrator')
})
const find = async (name: string): Promise<ListedStudy | undefined> =>
  (await listStudies(server().address, sid)).find((study) => study.patient_name === name)

/** One image after the other: the first says whose exam it is. */
async function addImages(...images: readonly DiscImage[]): Promise<void> {
  const { address } = server()
  const { namespaces } = await callWell(address, 'user/namespace/list', { sid })
  const place = (namespaces as { name: string; uuid: string }[]).find(({ name }) => name === 'Emergency Department')
  for (const image of images) {
    const upload = `${address}/api/v3/storage/namespace/${place?.uuid}/image?sid=${sid}`
    const reply = await fetch(upload, { method: 'POST', body: new Uint8Array(makeImage(image)) })
    expect(reply.status).toBe(202)
  }
}

it('separates the images of another patient from the banner of a mixed study, and puts them back', async () => {
  const { page, forgive } = await newPerson()
  forgive(/status of 412/) // the channel may tell of the end of the new exam before the page has left it
  await signIn(page, 'administrator')
  const studyUid = newUid()
  const anna = { name: 'BRANDT^ANNA', mrn: 'S-1', birthDate: '19500101', sex: 'F', studyUid }
  const ben = { name: 'ODUYA^BEN', mrn: 'O-2', birthDate: '19810707', sex: 'M', studyUid }
  await addImages({ ...anna, grey: 60 }, { ...anna, grey: 120 }, { ...ben, grey: 200 })
  const { studies } = await callWell(server().address, 'study/list', { sid, 'filter.study_uid.equals': studyUid })
  const uuid = (studies as ListedStudy[])[0]?.uuid ?? ''
  await callWell(server().address, 'study/sync', { sid, uuid, image_count: 3 })
  await openTab(page, uuid, 'summary')
  const warning = page.getByText(/holds images of more than one patient/)
  await warning.waitFor()

  await page.getByRole('button', { name: 'Show whom' }).press('Enter')
  const view = page.getByRole('region', { name: 'Patients whom the images name' })
  const own = view.getByRole('region', { name: 'BRANDT, ANNA' })
  const other = view.getByRole('region', { name: 'ODUYA, BEN' })
  const separate = other.getByRole('button', { name: 'Separate these images' })
  await separate.waitFor()
  expect(await own.getByRole('button', { name: 'Separate these images' }).count()).toBe(0)
  await takeShots(page, 'separate-whom')
  await separate.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Separate images of ODUYA, BEN' })
  await dialog.getByText('Compared, these are two different patients.').waitFor()
  await dialog.getByText('Nobody else has this exam.').waitFor()
  expect(await dialog.getByRole('textbox', { name: 'Patient name' }).inputValue()).toBe('ODUYA^BEN')
  await dialog.getByRole('textbox', { name: 'Accession number' }).fill('ACC-77')
  await dialog.getByRole('textbox', { name: 'Reason, for the record' }).fill('Wrong patient chosen at the scanner')
  await takeShots(page, 'separate-dialog')
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Throw away what you typed?' })
  await question.getByRole('button', { name: 'Throw away' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => separate.evaluate((one) => one === document.activeElement)).toBe(true)

  await separate.press('Enter')
  await dialog.getByRole('textbox', { name: 'Accession number' }).fill('ACC-77')
  await dialog.getByRole('textbox', { name: 'Reason, for the record' }).fill('Wrong patient chosen at the scanner')
  await dialog.getByRole('button', { name: 'Separate 1 image' }).click()
  const list = page.getByRole('region', { name: 'Moved images' })
  await list.getByText(/1 image was separated into another exam by/).waitFor()
  await warning.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'BRANDT, ANNA' }).waitFor()
  expect((await find('BRANDT^ANNA'))?.image_count).toBe(2)
  const made = await find('ODUYA^BEN')
  expect(made?.image_count).toBe(1)
  expect(made?.study_uid).not.toBe(studyUid)
  await takeShots(page, 'separate-done')
  expect(await findBarriers(page)).toEqual([])

  await list.getByRole('link', { name: 'Open the new exam' }).click()
  await page.getByRole('heading', { name: 'ODUYA, BEN' }).waitFor()
  await list.getByText(/1 image was separated from another exam by/).waitFor()
  await list.getByText('Reason: Wrong patient chosen at the scanner').waitFor()
  await page.getByText('ACC-77').first().waitFor()
  await takeShots(page, 'separate-new')
  await list.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'BRANDT, ANNA' }).waitFor()
  await warning.waitFor()
  await list.getByText(/1 image that .* separated on .* was put back/).waitFor()
  await takeShots(page, 'separate-undone')
  expect(await find('ODUYA^BEN')).toBeUndefined()
  expect((await listStudies(server().address, sid)).find((study) => study.uuid === uuid)?.image_count).toBe(3)
})
