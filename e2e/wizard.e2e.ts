import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newUid } from '@hilum/dicom/uid'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { listStudies, openSession } from './support/call.ts'
import { hasCorpus, makeFolder, type PickFolder, pickFromCorpus } from './support/corpus.ts'
import { type DiscImage, makeDisc, makeImage } from './support/made-disc.ts'
import { takeShots } from './support/shots.ts'
import { emailOf, sendLogin, signIn } from './support/sign-in.ts'
import { password } from './support/start-server.ts'
import { useSystem } from './support/system.ts'
import { browseFor, chooseGroup, confirmUpload, openWizard } from './support/wizard.ts'

const group = 'Emergency Department'
const { newPerson, server } = useSystem()

const folders: PickFolder[] = []
afterEach(() => {
  for (const one of folders.splice(0)) one.remove()
})
function keep(folder: PickFolder): string {
  folders.push(folder)
  return folder.path
}
const disc = (...images: readonly DiscImage[]) => keep(makeDisc(...images))

async function openSelect(page: Page, path: string): Promise<void> {
  await openWizard(page, group)
  await browseFor(page, path)
  await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor({ timeout: 60_000 })
}

async function uploadAll(page: Page, path: string): Promise<void> {
  await openWizard(page, group)
  await browseFor(page, path)
  await confirmUpload(page)
  await page.getByText('Exams were uploaded').waitFor()
}

/** Milliseconds from a click to the next picture that shows its effect, as the browser paints it. */
function measureTick(page: Page, name: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const box = document.querySelector<HTMLInputElement>(`input[aria-label="${wanted}"]`)
    if (!box) throw new Error(`There is no box named ${wanted}`)
    const startedMs = performance.now()
    box.click()
    await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return performance.now() - startedMs
  }, name)
}

describe('selecting', () => {
  it('[UPLOAD-05] [UPLOAD-11] of 1,000 studies of 400 patients never holds the page up, folds and filters them', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const folder = makeFolder()
    folders.push(folder)
    for (let k = 0; k < 1000; k += 1) {
      const number = String(k % 400).padStart(3, '0')
      const image = makeImage({
        name: `CROWD${number}^PAT`,
        mrn: `CR-${number}`,
        birthDate: '19700101',
        description: `Visit ${k}`,
      })
      writeFileSync(join(folder.path, `IM${k}`), image)
    }
    // tasks of more than 50 ms are told by the browser itself
    await page.evaluate(() => {
      const told = ((window as unknown as { longTasks: number[] }).longTasks = [])
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) (told as number[]).push(entry.duration)
      }).observe({ type: 'longtask' })
    })
    await openSelect(page, folder.path)
    await page.getByText('1,000 of 1,000 studies selected').waitFor()
    const table = page.getByRole('table', { name: 'Exams that were found' })
    await table.getByRole('rowgroup', { name: 'Studies of CROWD000, PAT' }).waitFor()
    const longest = await page.evaluate(() => Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks))
    expect(await table.getByRole('row').count()).toBeLessThan(80)
    await takeShots(page, 'wizard-select-many')

    const ticks: number[] = []
    for (let k = 0; k < 10; k += 1) ticks.push(await measureTick(page, `Select all exams of CROWD00${k}, PAT`))
    await page.getByText('970 of 1,000 studies selected').waitFor()
    const all = page.getByRole('checkbox', { name: 'Select all exams', exact: true })
    await all.check()
    await page.getByText('1,000 of 1,000 studies selected').waitFor()
    ticks.sort((a, b) => a - b)
    console.log(`wizard: longest task ${Math.round(longest)} ms, ticks ${ticks.map(Math.round).join(' ')} ms`)
    // 22 ms at best on a busy machine; the drawn rows, counted above, keep a tick from growing with the exams
    expect(ticks[0]).toBeLessThan(150)

    await page.getByRole('searchbox', { name: 'Find a patient or exam' }).fill('crowd123')
    await page.getByRole('checkbox', { name: 'Select the 3 exams shown' }).uncheck()
    await page.getByText('997 of 1,000 studies selected').waitFor()
    await page.getByText('Visit 523').waitFor()
    await takeShots(page, 'wizard-select-filtered')
    await page.getByRole('searchbox', { name: 'Find a patient or exam' }).fill('nobody')
    await page.getByText('No exam is like that.').waitFor()
    await page.getByRole('button', { name: 'Show all exams' }).click()
    await page.getByRole('button', { name: 'Unfold all patients' }).click()
    await page.getByRole('checkbox', { name: 'Select the study Visit 800 of 03-02-2026' }).waitFor()
    await page.getByRole('checkbox', { name: 'Select the study Visit 800 of 03-02-2026' }).uncheck()
    await page.getByText('996 of 1,000 studies selected').waitFor()
    // by keyboard the list goes on where its drawn rows end
    await table.getByRole('checkbox').first().focus()
    for (let k = 0; k < 60; k += 1) await page.keyboard.press('Tab')
    const reached = await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex'))
    expect(Number(reached)).toBeGreaterThan(25)
    expect(await findBarriers(page)).toEqual([])
  })

  it('[UPLOAD-05] of a study only the ticked series are sent, by keyboard too, and the exam is complete with them', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const study = { name: 'SERIES^SOME', mrn: 'SE-1', birthDate: '19700707', sex: 'F', studyUid: newUid() }
    const path = disc(
      { ...study, series: 1 },
      { ...study, series: 2 },
      { ...study, series: 2 },
      { ...study, series: 3 },
    )
    await openSelect(page, path)
    await page.getByText('1 of 1 study selected: 4 files').waitFor()
    await page.getByRole('button', { name: 'Show the series' }).focus()
    await page.keyboard.press('Enter')
    const series = page.getByRole('list', { name: 'Series' })
    await series.getByRole('checkbox', { name: 'Select the series Series 1, 1 file' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('1 of 1 study selected, in part: 3 files').waitFor()
    await takeShots(page, 'wizard-select-series')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page
      .getByText(
        '3 files of 1 study arrived, and the list of the server agrees with yours. Of 1 study only the chosen series were sent.',
      )
      .waitFor()
    const sid = await openSession(server().address, 'clinician')
    const sent = (await listStudies(server().address, sid)).find((one) => one.study_uid === study.studyUid)
    expect(sent).toMatchObject({ image_count: 3, arrival: 'complete' })

    // the one that was left out is what is missing
    await openSelect(page, path)
    await page.getByText('3 of 4 already here').waitFor()
    await page.getByRole('button', { name: 'Show the series' }).click()
    await series.getByRole('checkbox', { name: 'Select the series Series 1, 1 file' }).uncheck()
    await page.getByText('Already here', { exact: true }).waitFor()
  })

  it('[UPLOAD-05] [UPLOAD-08] marks what is here already and whoever has the number of a different patient, before anything is sent', async () => {
    const { page, forgive } = await newPerson()
    // the server says so when nothing changed since the study was complete
    forgive(/status of 412 .*study\/sync/)
    await signIn(page, 'clinician')
    const studyUid = newUid()
    const same = {
      name: 'HERE^ALREADY',
      mrn: 'HA-1',
      birthDate: '19500101',
      sex: 'F',
      studyUid: newUid(),
      sopUid: newUid(),
    }
    await uploadAll(
      page,
      disc(
        same,
        { name: 'OWNER^FIRST', mrn: 'OW-1', birthDate: '19600606', sex: 'M', studyUid, description: 'Knee' },
        { name: 'HOLDER^ERIK', mrn: 'HO-1', birthDate: '19480130', sex: 'M' },
      ),
    )
    const sent: string[] = []
    page.on('request', (request) => {
      if (/\/image|study\/add/.test(`${request.url()} ${request.postData() ?? ''}`)) sent.push(request.url())
    })
    await openSelect(
      page,
      disc(
        same,
        { name: 'OTHER^PERSON', mrn: 'OT-1', birthDate: '19910909', sex: 'F', studyUid, description: 'Knee' },
        { name: 'TAKER^OLGA', mrn: 'HO-1', birthDate: '19770909', sex: 'F' },
        {
          name: 'NEWCOMER^WITH^A^VERY^LONG NAME THAT GOES ON AND ON UNTIL NO COLUMN COULD HOLD IT',
          mrn: 'NC-1',
          birthDate: '19810101',
          sex: 'O',
        },
      ),
    )
    const rowsOf = (name: string) => page.getByRole('rowgroup', { name: `Studies of ${name}` })
    await rowsOf('HERE, ALREADY').getByText('Already here').waitFor()
    await rowsOf('TAKER, OLGA').getByText('Different patient').waitFor()
    await rowsOf('TAKER, OLGA')
      .getByText(/so has HOLDER, ERIK \(30 Jan 1948, Male\), whose exams are here already/)
      .waitFor()
    await rowsOf('OTHER, PERSON').getByText('Different patient', { exact: true }).waitFor()
    await rowsOf('OTHER, PERSON')
      .getByText(/is here already, of a different patient: OWNER, FIRST \(6 Jun 1960, Male\)/)
      .waitFor()
    await rowsOf('HERE, ALREADY').getByRole('button', { name: 'Show the series' }).click()
    await rowsOf('HERE, ALREADY').getByRole('list', { name: 'Series' }).getByText('1 file').waitFor()
    expect(sent).toEqual([])
    await takeShots(page, 'wizard-select-marked')
    expect(await findBarriers(page)).toEqual([])

    await page
      .getByRole('group', { name: 'Which exams are shown' })
      .getByRole('button', { name: /To be looked at/ })
      .click()
    await page.getByRole('checkbox', { name: 'Select the 2 exams shown' }).waitFor()
    await page.getByRole('group', { name: 'Which exams are shown' }).getByRole('button', { name: /^All/ }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
    // the page leads to the first thing that is wrong, and shows it
    await page.setViewportSize({ width: 1024, height: 480 })
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    const wrong = page.locator('[aria-invalid="true"], [data-open] input').first()
    await expect.poll(() => wrong.evaluate((one) => one === document.activeElement)).toBe(true)
    const box = await wrong.boundingBox()
    expect(box && box.y > 50 && box.y + box.height < 440).toBe(true)
    await page.setViewportSize({ width: 1440, height: 900 })
    await takeShots(page, 'wizard-confirm-marked')
    await page
      .getByRole('checkbox', { name: 'I have compared them; upload the exams of OTHER, PERSON all the same' })
      .check()
    await page.getByRole('checkbox', { name: /MRN HO-1 is right for TAKER, OLGA/ }).check()
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Exams were uploaded').waitFor()
    await takeShots(page, 'wizard-done-several')
    await page
      .getByRole('list', { name: 'Exams that were uploaded' })
      .getByRole('button', { name: /TAKER, OLGA/ })
      .click()
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
    await page.getByRole('region', { name: /TAKER/ }).or(page.getByText('TAKER, OLGA')).first().waitFor()
  })

  it.skipIf(!hasCorpus)('looks right with real exams, at each of its four steps', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const path = keep(
      pickFromCorpus([
        'studies/ct-head-phantom-visit1/series100',
        'studies/mr-multiseries-stc',
        'studies/mg-screening',
        'studies/cr-hip',
        'media/zip/study-5-files.zip',
        'non-dicom',
      ]),
    )
    await page.getByRole('link', { name: 'Upload', exact: true }).click()
    await page
      .getByRole('heading', { name: 'Where do the exams go?' })
      .or(page.getByRole('heading', { level: 2 }))
      .first()
      .waitFor()
    await takeShots(page, 'wizard-1-destination')
    await chooseGroup(page, group)
    await takeShots(page, 'wizard-2-find')
    await browseFor(page, path)
    await page.getByText('study-5-files.zip was opened.', { exact: false }).waitFor()
    await takeShots(page, 'wizard-3-select')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
    await takeShots(page, 'wizard-4-confirm')
  })
})

describe('files that were moved after they were chosen', () => {
  it('[UPLOAD-13] are asked for again, and the upload goes on with what it lacks', async () => {
    const { page, forgive } = await newPerson()
    forgive(/ERR_UPLOAD_FILE_CHANGED|ERR_FILE_NOT_FOUND|ERR_FAILED/)
    await signIn(page, 'clinician')
    const folder = makeFolder()
    folders.push(folder)
    const studyUid = newUid()
    const image = { name: 'MOVED^FILES', mrn: 'MV-1', birthDate: '19700101', sex: 'M', studyUid }
    mkdirSync(join(folder.path, 'a'))
    for (let k = 1; k <= 4; k += 1) writeFileSync(join(folder.path, 'a', `IM${k}`), makeImage(image))
    await openSelect(page, folder.path)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
    renameSync(join(folder.path, 'a', 'IM3'), join(folder.path, 'IM3-moved'))
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Failed to upload exams').waitFor()
    await page.getByText('1 file was moved or changed since it was chosen.', { exact: false }).waitFor()
    await takeShots(page, 'wizard-moved')
    expect(await findBarriers(page)).toEqual([])

    const choose = page.locator('input[aria-label="Choose the folder again"]')
    const wrong = disc({ name: 'SOMEBODY^ELSE', mrn: 'SE-1' })
    await choose.setInputFiles(wrong)
    await page.getByText('None of these files is in what you chose. Choose another folder.').waitFor()
    await choose.setInputFiles(folder.path)
    await page.getByText('Exams were uploaded').waitFor()
    const sid = await openSession(server().address, 'clinician')
    const study = (await listStudies(server().address, sid)).find((one) => one.study_uid === studyUid)
    expect(study).toMatchObject({ image_count: 4, arrival: 'complete' })
    await takeShots(page, 'wizard-done')
    await page.getByRole('button', { name: 'Open the exam' }).click()
    await page.waitForURL(`**/group/**study=${study?.uuid}**`)
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
  })

  it('are sent by Try again once they are back', async () => {
    const { page, forgive } = await newPerson()
    forgive(/ERR_UPLOAD_FILE_CHANGED|ERR_FILE_NOT_FOUND|ERR_FAILED/)
    await signIn(page, 'clinician')
    const path = disc({ name: 'BACK^AGAIN', mrn: 'BA-1', birthDate: '19700101', sex: 'M' })
    const chosenAt = new Date('2026-01-02T03:04:05Z')
    utimesSync(join(path, 'IM1'), chosenAt, chosenAt)
    await openSelect(page, path)
    renameSync(join(path, 'IM1'), join(path, 'IM1-away'))
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('1 file was moved or changed since it was chosen.', { exact: false }).waitFor()
    renameSync(join(path, 'IM1-away'), join(path, 'IM1'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Exams were uploaded').waitFor()
  })
})

describe('somebody who may upload and not look at exams', () => {
  it('[ROUTE-13] finds the wizard without the inbox, and a way on after the upload', async () => {
    const { page } = await newPerson()
    await page.route('**/api/v3/**', async (route) => {
      const reply = await route.fetch()
      const body = (await reply.text()).replaceAll('"enable_inbox_view":"1"', '"enable_inbox_view":"0"')
      await route.fulfill({ response: reply, body })
    })
    await page.goto('/')
    await sendLogin(page, emailOf('uploader'), password)
    await page.getByRole('link', { name: 'Upload exams' }).click()
    await page.getByText(`To ${group}`, { exact: true }).waitFor()
    await browseFor(page, disc({ name: 'BLIND^UPLOAD', mrn: 'BU-1', birthDate: '19700101', sex: 'M' }))
    await confirmUpload(page)
    await page.getByText('Exams were uploaded').waitFor()
    await page.getByText(`The exams are in ${group}, where you may upload and not look at exams.`).waitFor()
    await takeShots(page, 'wizard-uploader')
    expect(await findBarriers(page)).toEqual([])
    expect(await page.getByRole('button', { name: `Go to ${group}` }).count()).toBe(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Upload exams' }).waitFor()
  })
})
