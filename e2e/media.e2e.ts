import { join } from 'node:path'
import { corpusFolder, isCorpusMissing, listCorpus } from '@hilum/dicom/node/corpus'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, listStudies, openSession } from './support/call.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, confirmUpload, openWizard } from './support/wizard.ts'

const group = 'Emergency Department'
const { newPerson, server } = useSystem()

const discs = ['cd-clinic', 'cd-three-patients', 'fileset-tiny-alpha']

/** `FAMILY^Given` as the screen writes it. */
const nameText = (name: string) =>
  name.replace(/^([^^]*)\^(.*)$/, (_whole, family, given) => `${family.toUpperCase()}, ${given}`)

/** A study as the wizard's table shows it. */
interface Row {
  patient: string
  files: number
  status: string
}

/** The studies whose images the manifest wants taken from these discs, by study UID. */
function studiesOn(places: readonly string[]): Map<string, { patient: string; files: number }> {
  const images = places
    .flatMap((place) => listCorpus(`media/${place}/`))
    .filter(({ expected, sop_uid }) => expected === 'accept' && sop_uid)
  const byStudy = [...Map.groupBy(images, ({ study_uid }) => study_uid ?? '')]
  return new Map(
    byStudy.map(([studyUid, of]) => {
      return [
        studyUid,
        { patient: nameText(of[0]?.['patient_name'] ?? ''), files: new Set(of.map(({ sop_uid }) => sop_uid)).size },
      ]
    }),
  )
}

/** The studies in the ZIP files, which the manifest describes in words alone. */
const zipped = [
  { patient: 'CLINIC, Carla', files: 23, status: 'Already here' },
  { patient: 'MÜLLER, Jörg', files: 1, status: 'New' },
  { patient: 'MÜLLER, Jörg', files: 1, status: 'New' },
  { patient: 'ZIP, Mixed', files: 1, status: 'New' },
  { patient: 'ZIP, Nested', files: 1, status: 'New' },
  { patient: 'ZIP, Zoe', files: 5, status: 'New' },
]

/** Files in the folder of ZIP files that are no part of the upload, by the sentence and code that the wizard gives. */
const leftOut = {
  'A ZIP file inside a ZIP file; unpack it and choose it by itself DICOM_INFO_NOT_FOUND': ['zip/nested.zip/inner.zip'],
  'Cut off or damaged: it cannot be unpacked FILE_UPLOAD_FAILED': ['zip/truncated.zip'],
  'Damaged: unpacks to more than it may DICOM_INFO_NOT_FOUND': ['zip/zip-bomb-100mb.zip/zeros.dcm'],
  'Directory of the disc (DICOMDIR); its images are read themselves': ['zip/cd-clinic.zip/DICOMDIR'],
  'Empty file FILE_CONTENT_EMPTY': ['zip/mixed-good-and-bad.zip/empty.dcm'],
  'Has a name that points outside its ZIP file FILE_UPLOAD_FAILED': [
    'zip/zip-slip.zip/../../../../tmp/zip-slip-pwned.dcm',
    'zip/zip-slip.zip//etc/zip-slip.dcm',
  ],
  'Not a DICOM file; pictures and documents are chosen alone, or attached to the exam afterwards DICOM_INFO_NOT_FOUND':
    [
      'zip/mixed-good-and-bad.zip/__MACOSX/._good.dcm',
      'zip/mixed-good-and-bad.zip/bad.dcm',
      'zip/mixed-good-and-bad.zip/notes.txt',
      'zip/no-dicom-inside.zip/a.txt',
      'zip/no-dicom-inside.zip/b.pdf',
      'zip/study.tar.gz',
    ],
}

const inOrder = (rows: readonly Row[]) =>
  rows.map(({ patient, files, status }) => `${patient}: ${files} ${status}`).toSorted()

/** The studies in the wizard's table, with their patients from the heads above them. */
async function readTable(page: Page): Promise<string[]> {
  await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
  const patients = page.getByRole('table', { name: 'Exams that were found' }).getByRole('rowgroup', {
    name: /^Studies of /,
  })
  const rows = await patients.evaluateAll((groups) =>
    groups.flatMap((one) => {
      const patient = one.getAttribute('aria-label')?.replace('Studies of ', '') ?? ''
      const studies = [...one.querySelectorAll('tr:has(td[data-column="files"])')]
      const textOf = (row: Element, column: string) =>
        row.querySelector(`[data-column="${column}"]`)?.textContent?.trim() ?? ''
      return studies.map((row) => ({ patient, files: Number(textOf(row, 'files')), status: textOf(row, 'status') }))
    }),
  )
  return inOrder(rows)
}

/** Goes back to the step of finding and chooses one more folder. */
async function addFolder(page: Page, folder: string): Promise<void> {
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('heading', { name: 'Find the exams to upload' }).waitFor()
  await browseFor(page, folder)
  await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
}

describe.skipIf(isCorpusMissing)('the discs and ZIP files of the corpus', () => {
  it('give exactly their studies, and what is hostile or damaged loses nothing of the others', async () => {
    const { page, forgive } = await newPerson()
    // the server says so when nothing changed since the study was complete
    forgive(/status of 412 .*study\/sync/)
    await signIn(page, 'clinician')
    const { address } = server()
    const sid = await openSession(address, 'clinician')
    const before = new Set((await listStudies(address, sid)).map(({ uuid }) => uuid))
    const onDiscs = studiesOn(discs)

    await openWizard(page, group)
    const [first = '', ...others] = discs.map((disc) => join(corpusFolder, 'media', disc))
    await browseFor(page, first)
    await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
    for (const disc of others) await addFolder(page, disc)
    const wanted = [...onDiscs.values()].map((study) => ({ ...study, status: 'New' }))
    await expect.poll(() => readTable(page)).toEqual(inOrder(wanted))
    await takeShots(page, 'media-discs')
    expect(await findBarriers(page)).toEqual([])
    await confirmUpload(page)
    await page.getByText('Exams were uploaded').waitFor()

    await openWizard(page, group)
    await browseFor(page, join(corpusFolder, 'media', 'dicomdir-variants'))
    await page.getByText('No exams were found in the selected media').waitFor()
    // what the directories name was not on the disc
    await page.getByText('124 × Named by the directory of the disc', { exact: false }).waitFor()
    await takeShots(page, 'media-directories')
    await browseFor(page, join(corpusFolder, 'media', 'zip'))
    await expect.poll(() => readTable(page)).toEqual(inOrder(zipped))
    await page
      .getByText('6 ZIP files were opened: cd-clinic.zip, mixed-good-and-bad.zip, nested.zip and 3 more.')
      .waitFor()
    await takeShots(page, 'media-zips')
    expect(await readReasons(page)).toEqual(leftOut)
    await takeShots(page, 'media-zips-reasons')
    expect(await findBarriers(page)).toEqual([])
    await confirmUpload(page)
    await page.getByText('Exams were uploaded').waitFor()
    await takeShots(page, 'media-done')

    const arrived = (await listStudies(address, sid)).filter(({ uuid }) => !before.has(uuid))
    const news = arrived.filter(({ study_uid }) => !onDiscs.has(study_uid))
    const fromDiscs = arrived.filter(({ study_uid }) => onDiscs.has(study_uid))
    const countOf = (all: typeof arrived) =>
      Object.fromEntries(all.map(({ study_uid, image_count }) => [study_uid, image_count]))
    expect(countOf(fromDiscs)).toEqual(Object.fromEntries([...onDiscs].map(([uid, { files }]) => [uid, files])))
    const textOf = ({ patient_name, image_count }: (typeof arrived)[number]) =>
      `${nameText(patient_name)}: ${image_count}`
    expect(news.map(textOf).toSorted()).toEqual(
      zipped.filter(({ status }) => status === 'New').map(({ patient, files }) => `${patient}: ${files}`),
    )
    expect(new Set(arrived.map(({ phi_namespace_name, arrival }) => `${phi_namespace_name}: ${arrival}`))).toEqual(
      new Set([`${group}: complete`]),
    )
    await callWell(address, 'session/logout', { sid })
  })
})

/** Files that are left out, by their sentence. */
async function readReasons(page: Page): Promise<Record<string, string[]>> {
  await page.getByRole('button', { name: 'Show them' }).click()
  const items = page.getByRole('list', { name: 'Files that are not part of the upload' }).getByRole('listitem')
  const rows = await items.evaluateAll((all) =>
    all.map((one) => {
      const [path = '', reason = ''] = [...one.children].map((part) => part.textContent?.trim() ?? '')
      return { path, reason }
    }),
  )
  const byReason = Object.groupBy(rows, ({ reason }) => reason)
  return Object.fromEntries(
    Object.entries(byReason).map(([reason, of]) => [reason, (of ?? []).map(({ path }) => path).toSorted()]),
  )
}
