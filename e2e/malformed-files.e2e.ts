import { isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import type { Frame, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import { findHarm } from './support/find-harm.ts'
import type { Person } from './support/open-browser.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { isUnopened } from './support/viewed-study.ts'

const { newPerson, server } = useSystem()
const group = 'Outpatient Imaging'
/** How long a loaded machine may take. */
const soon = { timeout: 60_000 }
const patience = 900_000

/** Status of each upload, beside the corpus's expectation: accept, reject, either. */
const answers: { path: string; expected: string; studyUid: string; status: number }[] = []
let studies: ListedStudy[] = []
/** Files whose texts stand in tabs beside the summary as well. */
const oddToRead = /name|-id|html|sql|injection|long|control|wildcard|backslash|carets|uid-|type2|conflict|patients/i
/** Files of which the viewer could make something odd: of their pixels, their identifiers, their texts in its banner. */
const oddToSee =
  /uid-|pixel|rows-|frames-|bits-|encapsulated|rle-|jpe?g|J2K|deflate|VR|name-|long-|sop-class|-syntax|SQ|conflict/i
beforeAll(async () => {
  if (isCorpusMissing) return
  const { address } = server()
  const sid = await openSession(address, 'staff')
  const { namespaces } = await callWell(address, 'user/namespace/list', { sid })
  const place = (namespaces as { name: string; uuid: string }[]).find(({ name }) => name === group)
  const before = new Set((await listStudies(address, sid)).map(({ uuid }) => uuid))
  for (const { path, expected, study_uid: studyUid = '' } of listCorpus('malformed/')) {
    const upload = `${address}/api/v3/storage/namespace/${place?.uuid}/image?sid=${sid}`
    const reply = await fetch(upload, { method: 'POST', body: new Uint8Array(readCorpusFile(path)) })
    await reply.arrayBuffer()
    answers.push({ path, expected, studyUid, status: reply.status })
  }
  studies = (await listStudies(address, sid)).filter(({ uuid }) => !before.has(uuid))
  for (const { uuid, image_count } of studies) await callWell(address, 'study/sync', { sid, uuid, image_count })
})

/** A person at the group's list, before whom no question of the browser's own may appear. */
async function newReader(): Promise<Person> {
  const person = await newPerson()
  person.page.on('dialog', (dialog) => {
    person.faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await signIn(person.page, 'staff')
  await person.page.getByRole('button', { name: group }).click()
  // the list of all groups has pages too
  await person.page.getByText(`${countListed()} studies`, { exact: true }).waitFor()
  await waitForPage(person.page, 1)
  return person
}

const studiesOf = (paths: RegExp) =>
  new Set(answers.filter(({ path }) => paths.test(path)).map(({ studyUid }) => studyUid))
const countListed = () => studies.length + 2 // beside the two of the demo
const pageCount = () => Math.ceil(countListed() / 50)
const cards = (page: Page) => page.locator('[data-card]')

async function waitForPage(page: Page, at: number): Promise<void> {
  await page.getByText(`Page ${at} of`).waitFor()
  await cards(page).first().waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count(), soon).toBe(0)
}

/** Leads through the group's pages, and calls for each of these studies with its details. */
async function eachStudy(
  page: Page,
  studies: readonly ListedStudy[],
  look: (details: Locator, study: ListedStudy) => Promise<void>,
): Promise<void> {
  let seen = 0
  for (let at = 1; at <= pageCount(); at++) {
    if (at > 1) await page.getByRole('button', { name: 'Next page' }).click()
    await waitForPage(page, at)
    await expect.poll(() => cards(page).count(), soon).toBe(Math.min(50, countListed() - 50 * (at - 1)))
    const shown = await cards(page).evaluateAll((all) => all.map((card) => card.getAttribute('data-card')))
    for (const study of studies.filter(({ uuid }) => shown.includes(uuid))) {
      await page.locator(`[data-card="${study.uuid}"]`).click()
      const details = page.locator(`[data-study="${study.uuid}"]`)
      await details.getByRole('tab', { selected: true }).waitFor()
      await look(details, study)
      seen++
    }
  }
  expect(seen).toBe(studies.length)
}

const nextTab = async (details: Locator, seen: ReadonlySet<string>) =>
  (await details.getByRole('tab').allInnerTexts()).find((name) => !seen.has(name))

/** Pictures that cannot be made are asked for all the same. */
const withoutPicture = /status of 40[46] .*\/(thumbnail|frames)/
/** The decoding library tells the console of what it cannot decode, by a number that nobody can read. */
const decodersWords = [/^console: Error executing method 'decodeTask'/, /^page error: $/]
/** The screen shows the image, or says why it does not. */
const outcomes = /^(image|(fault: This image c|words: Nothing to draw here).*)$/
const readScreen = (screen: Locator) =>
  screen.evaluate((element) => {
    const words = element.querySelector('.words')?.textContent
    return [element.getAttribute('data-state'), words].filter(Boolean).join(': ')
  })

describe.skipIf(isCorpusMissing)('studies of files that are odd in themselves', () => {
  it('come of those that can be taken in; the others are refused', () => {
    expect(studies.length).toBeGreaterThan(60)
    const wrong = answers.filter(({ expected, status }) => {
      const isTaken = status === 202
      return expected === 'either' ? status >= 500 : isTaken !== (expected === 'accept')
    })
    expect(wrong).toEqual([])
  })

  it('stand in the list and in the worklist, and break neither', async () => {
    const { page } = await newReader()
    for (let at = 1; at <= pageCount(); at++) {
      if (at > 1) await page.getByRole('button', { name: 'Next page' }).click()
      await waitForPage(page, at)
      expect(await findHarm(page), `page ${at}`).toEqual([])
      if (at === 1) await takeShots(page, 'malformed-list')
    }
    await page.goto('/worklist?rows=100')
    await page.getByRole('table').waitFor()
    await waitForPage(page, 1)
    for (const { uuid } of studies) await page.locator(`[data-card="${uuid}"]`).waitFor({ state: 'attached' })
    expect(await findHarm(page), 'worklist').toEqual([])
    await takeShots(page, 'malformed-worklist')
  })

  it(
    'open in the panel, those of odd texts in every tab, and none of it fails',
    async () => {
      const { page, forgive } = await newReader()
      forgive(withoutPicture)
      const readOften = studiesOf(oddToRead)
      await eachStudy(page, studies, async (details, { study_uid }) => {
        const seen = new Set(['Viewer'])
        const findNext = () => (seen.size > 1 && !readOften.has(study_uid) ? undefined : nextTab(details, seen))
        // Reports and orders get their tabs when they are found.
        for (let name = await findNext(); name !== undefined; name = await findNext()) {
          seen.add(name)
          await details.getByRole('tab', { name }).click()
          const panel = details.getByRole('tabpanel', { name })
          await panel.waitFor()
          await expect.poll(() => panel.getByRole('status', { name: 'Loading' }).count(), soon).toBe(0)
          const what = `${name} of ${study_uid}`
          expect(await findHarm(page, '[data-study]'), what).toEqual([])
          expect(await details.getByRole('alert').allInnerTexts(), what).toEqual([])
        }
        await details.getByRole('tab', { name: 'Summary' }).click()
      })
    },
    patience,
  )

  it(
    'are drawn by the viewer, or it says in words why not',
    async () => {
      const { page, forgive } = await newReader()
      forgive(withoutPicture, ...decodersWords)
      const odd = studiesOf(oddToSee)
      await eachStudy(
        page,
        studies.filter(({ study_uid }) => odd.has(study_uid)),
        async (details, { study_uid }) => {
          const tab = details.getByRole('tab', { name: 'Viewer' })
          if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click()
          const screen = details.frameLocator('iframe[title^="Viewer of"]').locator('.screen[data-state]')
          await expect.poll(() => readScreen(screen), { ...soon, message: study_uid }).toMatch(outcomes)
          // the one before is gone; a page without an exam may be there for the next
          const isAhead = (frame: Frame) => frame.url().includes('ahead=1') || isUnopened(frame)
          const opened = () => page.frames().filter((frame) => !isAhead(frame)).length
          await expect.poll(opened, soon).toBe(2)
          expect(await findHarm(page, '[data-study]'), study_uid).toEqual([])
        },
      )
    },
    patience,
  )
})
