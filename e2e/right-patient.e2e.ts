import type { Page } from 'playwright-core'
import { newUid } from '@hilum/dicom/uid'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import type { PickFolder } from './support/corpus.ts'
import { makeDisc, type DiscImage } from './support/made-disc.ts'
import { openTab } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, openWizard } from './support/wizard.ts'

/*
 * The right patient, or nothing: one flow for each way in which somebody could get another's number, or another's
 * image.
 */

const group = 'Emergency Department'
const { newPerson, server } = useSystem()

let sid: string
beforeAll(async () => {
  sid = await openSession(server().address, 'staff')
})
const folders: PickFolder[] = []
afterEach(() => {
  for (const one of folders.splice(0)) one.remove()
})
function disc(...images: readonly DiscImage[]): string {
  const folder = makeDisc(...images)
  folders.push(folder)
  return folder.path
}
const call = (path: string, input: Record<string, unknown>) => callWell(server().address, path, { sid, ...input })
const find = async (name: string): Promise<ListedStudy> => {
  const found = (await listStudies(server().address, sid)).find((study) => study.patient_name === name)
  if (!found) throw new Error(`There is no study of ${name}`)
  return found
}

const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click()
const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click()
const selecting = (page: Page) => page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
const confirming = (page: Page) => page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
const done = (page: Page) => page.getByText('Exams were uploaded').waitFor()
const mrnOf = (page: Page, name: string) => page.getByLabel(`MRN of ${name}`)

async function openConfirm(page: Page, path: string): Promise<void> {
  await openWizard(page, group)
  await browseFor(page, path)
  await selecting(page)
  await next(page)
  await confirming(page)
}

async function uploadAll(page: Page, path: string): Promise<void> {
  await openConfirm(page, path)
  await upload(page)
  await done(page)
}

describe('the upload', () => {
  it('[UPLOAD-08] gives the MRN of "one patient" to nobody who came later, and no MRN to two people', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const path = disc(
      { name: 'KELLER^MONA', mrn: 'K-1', birthDate: '19620417', sex: 'F' },
      { name: 'Keller^Mona^B', mrn: 'K-1', birthDate: '19620417', sex: 'F' },
      { name: 'ADEYEMI^TOLU', mrn: 'A-7', birthDate: '19930811', sex: 'M' },
    )
    await openWizard(page, group)
    await browseFor(page, path)
    await selecting(page)
    await page.getByRole('checkbox', { name: 'Select all exams of ADEYEMI, TOLU' }).uncheck()
    await next(page)
    await confirming(page)
    const one = page.getByRole('checkbox', { name: 'These are one patient' })
    await one.check()
    await page.getByLabel('MRN for all').fill('N-4400')
    await page.getByRole('button', { name: 'Back' }).click()
    await selecting(page)
    await page.getByRole('checkbox', { name: 'Select all exams of ADEYEMI, TOLU' }).check()
    await next(page)
    await confirming(page)
    await page.getByText('They cannot be one patient: the dates of birth differ.').waitFor()
    expect(await one.isChecked()).toBe(false)
    expect(await mrnOf(page, 'ADEYEMI, TOLU').inputValue()).toBe('A-7')

    await mrnOf(page, 'ADEYEMI, TOLU').fill('K-1')
    await page
      .getByText(/ADEYEMI, TOLU .* and KELLER, MONA .* cannot both have MRN K-1/)
      .first()
      .waitFor()
    await page
      .getByText(/KELLER, MONA .* and ADEYEMI, TOLU .* cannot both have MRN K-1/)
      .first()
      .waitFor()
    await upload(page)
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    await takeShots(page, 'wizard-clash')
    expect(await findBarriers(page)).toEqual([])
    await mrnOf(page, 'ADEYEMI, TOLU').fill('A-8')
    await upload(page)
    await done(page)
    expect((await find('ADEYEMI^TOLU')).patientid).toBe('A-8')
    expect((await find('KELLER^MONA')).patientid).toBe('K-1')
  })

  it('[UPLOAD-08] asks about a number that somebody here has already, and refuses it where that is another', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await uploadAll(page, disc({ name: 'HOLM^ERIK', mrn: 'H-1', birthDate: '19480130', sex: 'M' }))
    await openConfirm(page, disc({ name: 'IVANOVA^OLGA', mrn: 'H-1', birthDate: '19770909', sex: 'F' }))
    await page.getByText(/so has HOLM, ERIK \(30 Jan 1948, Male\), whose exams are here already/).waitFor()
    await upload(page)
    await page.getByText('Please answer before the upload').waitFor()
    await takeShots(page, 'wizard-held')
    expect(await findBarriers(page)).toEqual([])
    await mrnOf(page, 'IVANOVA, OLGA').fill('h-1')
    await page.getByText('Type another MRN. If the number is right', { exact: false }).waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await mrnOf(page, 'IVANOVA, OLGA').fill('H-1')
    await page.getByRole('checkbox', { name: 'MRN H-1 is right for IVANOVA, OLGA; upload it all the same' }).check()
    await upload(page)
    await done(page)
    await openTab(page, (await find('HOLM^ERIK')).uuid, 'summary')
    await page.getByText(/The MRN H-1 is also held by/).waitFor()
    await page.getByRole('link', { name: /IVANOVA, OLGA \(born 09-09-1977/ }).waitFor()
  })

  it('[PROCESS-19] locks a study while its MRN is changed, and says who else holds it', async () => {
    const { page, forgive } = await newPerson()
    forgive(/status of 412/)
    await signIn(page, 'clinician')
    const sent: string[] = []
    page.on('request', (request) => {
      const path = /\/api\/v3\/(study\/(?:lock|set|unlock))$/.exec(request.url())?.[1]
      if (path) sent.push(path)
    })
    const path = disc({ name: 'LINDQVIST^PIA', mrn: 'L-1', birthDate: '19810101', sex: 'F' })
    await openConfirm(page, path)
    await mrnOf(page, 'LINDQVIST, PIA').fill('L-2')
    await upload(page)
    await done(page)
    expect(sent).toEqual(['study/lock', 'study/set', 'study/unlock'])
    const { uuid } = await find('LINDQVIST^PIA')
    await call('study/lock', { uuid })
    await openConfirm(page, path)
    await mrnOf(page, 'LINDQVIST, PIA').fill('L-3')
    await upload(page)
    await page.getByText(/Mei Tanaka is editing this study/).waitFor()
    await takeShots(page, 'wizard-locked')
    expect((await find('LINDQVIST^PIA')).patientid).toBe('L-2')
    await call('study/unlock', { uuid })
    await page.getByRole('button', { name: 'Try again' }).click()
    await done(page)
    expect((await find('LINDQVIST^PIA')).patientid).toBe('L-3')
  })

  it('names the files that differ from images here, though they are as large, and those of another study', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const studyUid = newUid()
    const sopUid = newUid()
    const image = { name: 'NOWAK^EWA', mrn: 'E-1', birthDate: '19900202', sex: 'F', studyUid, sopUid }
    await uploadAll(page, disc({ ...image, description: 'First copy' }))
    await openWizard(page, group)
    await browseFor(page, disc({ ...image, grey: 91, description: 'First copy' }))
    await selecting(page)
    await page.getByText('Differs from what is here').waitFor()
    await next(page)
    await confirming(page)
    await upload(page)
    await done(page)
    await page.getByRole('listitem').filter({ hasText: 'IM1' }).filter({ hasText: 'First copy' }).waitFor()
    await takeShots(page, 'wizard-conflicts')
    await page.getByRole('button', { name: 'Close' }).click()
    await settleConflict(page, (await find('NOWAK^EWA')).uuid)
    await uploadAll(page, disc({ ...image, studyUid: newUid(), description: 'Other study' }))
    await page.getByText(/1 file has the identifier of an image in another study/).waitFor()
    await takeShots(page, 'wizard-elsewhere')
    const others = (await listStudies(server().address, sid)).filter((study) => study.patient_name === 'NOWAK^EWA')
    expect(others).toHaveLength(2)
    for (const { uuid } of others) {
      await openTab(page, uuid, 'summary')
      await page.getByText(/1 image of this exam is also in another exam/).waitFor()
    }
  })
})

/** From the banner of a study whose image arrived twice to the other one kept, on record, and back by keyboard. */
async function settleConflict(page: Page, uuid: string): Promise<void> {
  await openTab(page, uuid, 'summary')
  await page.getByText(/1 image arrived again with different content\. The first is shown/).waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  const versions = page.getByRole('region', { name: 'Images with different content' }).getByRole('listitem')
  await page.getByText('The pictures differ.').waitFor()
  const pictures = versions.getByRole('img')
  await expect.poll(() => pictures.count()).toBe(2)
  await expect
    .poll(() => pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)))
    .toBe(true)
  await takeShots(page, 'panel-conflict')
  expect(await findBarriers(page)).toEqual([])
  // nothing that is brought into view moves the screen itself, which has no bar to move it back
  const moved = await page.locator('main').evaluate((main) => {
    const tall = document.createElement('div')
    tall.style.cssText = 'flex: none; height: 3000px'
    main.append(tall)
    tall.scrollIntoView({ block: 'end' })
    const { scrollTop } = main
    tall.remove()
    return scrollTop
  })
  expect(moved).toBe(0)
  await versions.nth(1).getByRole('button', { name: 'Keep this one' }).click()
  await page.getByText('1 image that arrived again with different content is settled').waitFor()
  await takeShots(page, 'panel-conflict-settled')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('row', { name: /Daniel Reyes.*Chose among different images/ }).waitFor()
}

describe('a study deleted before', () => {
  it('says so to who may restore it, and brings the old images in beside on their word', async () => {
    const { page } = await newPerson()
    await signIn(page, 'staff')
    const studyUid = newUid()
    const image = { name: 'VARGA^ILONA', mrn: 'V-1', birthDate: '19691110', sex: 'F', studyUid }
    await uploadAll(page, disc({ ...image, description: 'Old images' }, { ...image, description: 'Old images' }))
    await call('study/delete', { uuid: (await find('VARGA^ILONA')).uuid })
    await uploadAll(page, disc({ ...image, description: 'New image' }))
    const { uuid, image_count } = await find('VARGA^ILONA')
    expect(image_count).toBe(1)
    await openTab(page, uuid, 'summary')
    await page.getByText(/was deleted before, on .* by Mei Tanaka/).waitFor()
    await takeShots(page, 'panel-deleted-before')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore the old images too' }).click()
    await page.getByText(/was deleted before/).waitFor({ state: 'detached' })
    await expect.poll(async () => (await find('VARGA^ILONA')).image_count).toBe(3)
    await page.getByRole('row', { name: /Mei Tanaka Restored/ }).waitFor()
  })
})

describe('Edit MRN', () => {
  it('shows whose number it is, takes a reason, names both people to both, and can be undone', async () => {
    const { page, forgive } = await newPerson()
    forgive(/status of 412/)
    await signIn(page, 'clinician')
    await uploadAll(
      page,
      disc(
        { name: 'OKORO^JAMES', mrn: 'O-1', birthDate: '19551212', sex: 'M' },
        { name: 'PETIT^LUCIE', mrn: 'P-1', birthDate: '20010305', sex: 'F' },
      ),
    )
    const [james, lucie] = [await find('OKORO^JAMES'), await find('PETIT^LUCIE')]
    await openTab(page, lucie.uuid, 'editMRN')
    await page.getByRole('textbox', { name: 'New MRN' }).fill('O-1')
    await page.getByRole('button', { name: 'Update' }).click()
    const question = page.getByRole('form', { name: 'Somebody else has MRN O-1' })
    await question.getByText('OKORO, JAMES (born 12-12-1955, M, 1 exam)').waitFor()
    await takeShots(page, 'panel-mrn-held')
    expect(await findBarriers(page)).toEqual([])
    expect((await find('PETIT^LUCIE')).patientid).toBe('P-1')
    await question.getByRole('textbox', { name: 'Reason, for the record' }).fill('Number of the mother')
    await question.getByRole('button', { name: 'Change the MRN all the same' }).click()
    await page.getByText('The MRN was changed from P-1 to O-1.').waitFor()
    await page.getByRole('tab', { name: 'Summary' }).click()
    await page.getByRole('link', { name: /OKORO, JAMES/ }).waitFor()
    await page.getByText('MRN of somebody else too, because: Number of the mother').waitFor()
    await takeShots(page, 'summary-mrn-held')
    expect(await findBarriers(page)).toEqual([])
    // Undo is kept as long as the page is: by links, without loading it anew
    await page.getByRole('link', { name: /OKORO, JAMES/ }).click()
    await page.getByRole('link', { name: /PETIT, LUCIE/ }).click()
    await page.getByRole('link', { name: /OKORO, JAMES/ }).waitFor()
    await page.getByRole('tab', { name: 'Edit MRN' }).click()
    await page.getByText('Your last change: P-1 → O-1').waitFor()
    await takeShots(page, 'panel-mrn-undo')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The MRN was changed from O-1 to P-1.').waitFor()
    await openTab(page, james.uuid, 'summary')
    await page.getByRole('button', { name: 'Patient demographics' }).waitFor()
    await expect.poll(() => page.getByText(/is also held by/).count()).toBe(0)
    expect((await find('PETIT^LUCIE')).patientid).toBe('P-1')
  })
})

describe('a study of several patients', () => {
  it('says of whom its images are, with their pictures, before anybody decides', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const studyUid = newUid()
    const anna = { name: 'SOLBERG^ANNA', mrn: 'S-1', birthDate: '19500101', sex: 'F', studyUid }
    const path = disc(
      { ...anna, grey: 60 },
      { ...anna, name: 'Solberg^Anna', grey: 120 },
      { name: 'OYELARAN^BEN', mrn: 'O-2', birthDate: '19810707', sex: 'M', studyUid, grey: 200 },
    )
    await openWizard(page, group)
    await browseFor(page, path)
    await selecting(page)
    await next(page)
    await confirming(page)
    await upload(page)
    await done(page)
    const { studies } = await call('study/list', { 'filter.study_uid.equals': studyUid })
    await openTab(page, (studies as ListedStudy[])[0]?.uuid ?? '', 'summary')
    const look = page.getByRole('button', { name: 'Show whom' })
    await look.click()
    const view = page.getByRole('region', { name: 'Patients whom the images name' })
    await view.getByRole('region', { name: 'SOLBERG, ANNA' }).getByText('written in 2 ways').waitFor()
    await view.getByRole('region', { name: 'OYELARAN, BEN' }).getByText('MRN O-2').waitFor()
    await expect
      .poll(() =>
        view.locator('img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth > 0)),
      )
      .toEqual([true, true])
    await takeShots(page, 'mixed-patients')
    expect(await findBarriers(page)).toEqual([])
    await view.getByRole('button', { name: 'Close' }).press('Enter')
    await expect.poll(() => look.evaluate((one) => one === document.activeElement)).toBe(true)
  })
})
