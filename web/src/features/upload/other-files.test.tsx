import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, showSignedIn } from '../../../test/signed-in.tsx'
import { setSid } from '../../api/credentials.ts'
import { listNotes } from '../../session/upload-notes.ts'
import { findExams } from './find-exams.ts'
import { takeOtherFiles } from './other-files-actions.ts'
import type { ParseWorker } from './parse-pool.ts'
import { readInstance } from './read-instance.ts'
import { initialUpload, planOf, useUpload } from './upload-store.ts'
import { UploadWizard } from './upload-wizard.tsx'
import { walkFileList } from './walk.ts'

const destination = { groupId: 'Neuro', namespaceId: 'ns-Neuro', name: 'Neuro' }
const jpeg = (name: string) => new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2])], name)
const pdf = (name: string) => new File(['%PDF-1.7 made up'], name)
const table = (name: string) => new File(['a,b\n'], name)
const terms = { uidRoot: '1.2.826.0.1.3680043.9.7', dateFormat: 'MM-DD-YYYY' } as const
const take = (...files: File[]) =>
  act(() =>
    takeOtherFiles(
      files.map((file) => ({ path: file.name, file })),
      [],
      terms,
    ),
  )

beforeEach(() => {
  useUpload.setState({ ...initialUpload, destination, step: 1 }, true)
  setSid('sid')
})

/** The wizard at a group that takes other files, unless told otherwise. */
async function showWizard(replies: Replies = {}) {
  const namespace = {
    uuid: 'ns-Neuro',
    name: 'Neuro',
    type: 'group_id',
    type_uuid: 'Neuro',
    permissions: { study_upload: 1 },
    settings: { inbox_config: { group_designation: 'CLOUD', active_study_filters: [] } },
  }
  showSignedIn(
    <Suspense>
      <UploadWizard onLeave={() => undefined} />
    </Suspense>,
    {
      'user/namespace/list': { namespaces: [namespace] },
      'namespace/share_code': { enable_dicom_wrapping: 1, uid_root: '' },
      'study/upload/people': ({ people }: { people: { patientid: string }[] }) => ({
        people: people.map(({ patientid }) => ({ patientid, holders: [], elsewhere: 0, more: 0, studies: [] })),
      }),
      'study/upload/retracted': { studies: [] },
      ...replies,
    },
  )
  await screen.findByRole('button', { name: 'Next' })
}
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const type = (label: string, text: string) => userEvent.type(screen.getByRole('textbox', { name: label }), text)

async function fillIn() {
  await type('Last name', 'Doe')
  await type('First name', 'Jane')
  await type('Date of birth', '05-21-1980')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Gender' }), 'female')
  await type('MRN', 'M1')
  await type('Study date', '11-20-2020')
}

test('[UPLOAD-04] single files are browsed for where the settings of the place say so', async () => {
  await showWizard()
  expect(await screen.findByRole('button', { name: 'Browse for files' })).toBeDefined()
  expect(lastSent('namespace/share_code')).toMatchObject({ namespace_id: 'ns-Neuro' })
})

test('[UPLOAD-04] and nowhere else', async () => {
  await showWizard({ 'namespace/share_code': { enable_dicom_wrapping: 0, uid_root: '' } })
  await expect.poll(() => lastSent('namespace/share_code')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Browse for files' })).toBeNull()
  await take(jpeg('one.jpg'))
  expect(await screen.findByText(/This group takes DICOM files only/)).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
})

test('[UPLOAD-01] [UPLOAD-06] files of other kinds stand by page beside the form, each and all selectable', async () => {
  await showWizard()
  await take(...Array.from({ length: 12 }, (_, k) => jpeg(`photo ${k + 1}.jpg`)))
  const rows = () => within(screen.getByRole('table', { name: 'Files to upload' })).getAllByRole('row').length - 1
  expect(screen.getByRole('form', { name: 'Patient and exam' })).toBeDefined()
  expect(rows()).toBe(10)
  await press('Next page')
  expect(rows()).toBe(2)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select photo 11.jpg' }))
  expect(screen.getByText(/11 of 12 files selected/)).toBeDefined()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all files' }))
  expect(screen.getByText(/12 of 12 files selected/)).toBeDefined()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all files' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
})

test('[UPLOAD-18] [UPLOAD-24] Next at a form with faults shows the banner and leads to the first of them; each event is checked', async () => {
  await showWizard()
  await take(jpeg('one.jpg'))
  expect(screen.queryByText('Please enter a value')).toBeNull()
  await type('Study date', '2020')
  expect(screen.getByText('The date format does not match')).toBeDefined()
  expect(screen.queryByText('Please complete all the mandatory fields.')).toBeNull()
  await press('Next')
  expect(screen.getByRole('alert').textContent).toBe('Please complete all the mandatory fields.')
  expect(screen.getAllByText('Please enter a value')).toHaveLength(5)
  expect(document.activeElement?.getAttribute('name')).toBe('lastName')
  await userEvent.clear(screen.getByRole('textbox', { name: 'Study date' }))
  await fillIn()
  await type('Study time', '7:5')
  expect(screen.getByText('Please enter time in HH:MM format')).toBeDefined()
  await userEvent.clear(screen.getByRole('textbox', { name: 'Study time' }))
  await type('Study description', 'A\\B')
  expect(screen.getByText('Please enter a valid value')).toBeDefined()
  await userEvent.clear(screen.getByRole('textbox', { name: 'Study description' }))
  expect(screen.queryByText('Please complete all the mandatory fields.')).toBeNull()
  await press('Next')
  expect(screen.getByText('Confirm what is uploaded')).toBeDefined()
  for (const text of ['DOE, Jane', 'Female', '21 May 1980', '1 file']) expect(screen.getByText(text)).toBeDefined()
})

test('[UPLOAD-20] [UPLOAD-22] the form says in words which dates cannot be', async () => {
  await showWizard()
  await take(jpeg('one.jpg'))
  await type('Study date', '11-20-2020')
  await type('Date of birth', '01-01-2990')
  expect(screen.getByText("Date of Birth can't be ahead of today's date")).toBeDefined()
  await userEvent.clear(screen.getByRole('textbox', { name: 'Date of birth' }))
  await type('Date of birth', '05-21-1980')
  await userEvent.clear(screen.getByRole('textbox', { name: 'Study date' }))
  await type('Study date', '05-20-1980')
  expect(screen.getByText("The date of the study is earlier than the patient's date of birth")).toBeDefined()
})

test('[UPLOAD-26] the study gets the prefix of the organisation and random digits, and each time others', async () => {
  await take(jpeg('one.jpg'))
  const uid = () => [...useUpload.getState().selected][0] ?? ''
  const first = uid()
  expect(first).toMatch(/^1\.2\.826\.0\.1\.3680043\.9\.7\.[1-9]\d{19,}$/)
  expect(first.length).toBeLessThanOrEqual(64)
  await take(jpeg('one.jpg'))
  expect(uid()).not.toBe(first)
})

test('[ENTITY-20] the state holds the files with name, size and choice, and the study that they become', async () => {
  await take(jpeg('one.jpg'), pdf('two.pdf'), table('three.csv'))
  const { search, selected } = useUpload.getState()
  if (search.kind !== 'other') throw new Error('No files')
  const { studyUid, files } = search.other
  expect(files.map(({ path, file, kind, isSelected }) => [path, file.size, kind, isSelected])).toEqual([
    ['one.jpg', 6, 'picture', true],
    ['two.pdf', 16, 'document', true],
    ['three.csv', 4, 'attachment', true],
  ])
  expect([...selected]).toEqual([studyUid])
  expect(planOf(search)).toMatchObject({ studyCount: 1, fileCount: 3, sizeBytes: 26 })
})

test('attachments alone are no exam', async () => {
  await showWizard()
  await take(table('three.csv'))
  expect(screen.getByText(/needs at least one picture/)).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
})

test('[UPLOAD-25] pictures, PDF and tables are files of other kinds; empty ones are left out', async () => {
  const files = [jpeg('one.jpg'), pdf('two.pdf'), table('three.csv'), new File([], 'four.txt')]
  const found = await findExams(walkFileList(files), {
    onProgress: () => undefined,
    makeWorker: makeReader,
    workers: 1,
  })
  expect(found.others.map(({ path }) => path)).toEqual(['one.jpg', 'three.csv', 'two.pdf'])
  expect(found.skipped.map(({ path, reason }) => [path, reason.kind])).toContainEqual(['four.txt', 'empty'])
  expect(found.plan.studyCount).toBe(0)
})

/** Reads as the worker does, on this thread. */
function makeReader(): ParseWorker {
  let tell: ((event: { data: unknown }) => void) | undefined
  return {
    postMessage: (files: File[]) => {
      void Promise.all(files.map((file) => readInstance(file))).then((data) => tell?.({ data }))
    },
    addEventListener: (type: string, listener: never) => {
      if (type === 'message') tell = listener
    },
    terminate: () => undefined,
  }
}

/** Sends what the wizard holds to a storage that answers as told, and gives what the storage was sent. */
async function upload(wrap: (name: string) => { status: number; body: object }) {
  const sent: { name: string; tags: Record<string, string> }[] = []
  const calls = globalThis.fetch
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (!address.includes('/wrap')) return calls(address, init)
    const form = init.body as FormData
    const { name } = form.get('file') as File
    sent.push({ name, tags: JSON.parse(String(form.get('tags'))) })
    const { status, body } = wrap(name)
    return Response.json(body, { status })
  })
  await press('Upload')
  await expect.poll(() => useUpload.getState().outcome, { timeout: 10_000 }).toBeDefined()
  return sent
}
const image = (uid: string) => ({ image_uid: uid, outcome: 'stored' })
const uploadReplies: Replies = {
  'study/add': { uuid: 'record' },
  'study/upload/check': ({ instances, attachments = [] }: { instances: unknown[]; attachments?: unknown[] }) => ({
    verdicts: instances.map(() => 'named'),
    attachment_verdicts: attachments.map(() => 'have'),
    elsewhere: [],
  }),
}

test('[UPLOAD-13] [UPLOAD-06] files go one by one with the values of the form, and the study is ended with the images that were made', async () => {
  await showWizard(uploadReplies)
  await take(jpeg('one.jpg'), pdf('two.pdf'), table('three.csv'))
  await fillIn()
  await press('Next')
  const sent = await upload((name) =>
    name === 'three.csv'
      ? { status: 202, body: { filename: name } }
      : { status: 202, body: { images: [image(name), image(`${name}/2`)] } },
  )
  expect(useUpload.getState().outcome).toMatchObject({ kind: 'done', studyCount: 1, fileCount: 3, thereFiles: 0 })
  expect(sent.map(({ name }) => name).toSorted()).toEqual(['one.jpg', 'three.csv', 'two.pdf'])
  const tags = {
    patient_name: 'Doe^Jane',
    patientid: 'M1',
    patient_birth_date: '19800521',
    patient_sex: 'F',
    study_date: '20201120',
  }
  for (const one of sent) expect(one.tags).toMatchObject({ ...tags, StudyInstanceUID: expect.stringMatching(/^1\.2/) })
  expect(lastSent('study/sync')).toMatchObject({ uuid: 'record', image_count: '4' })
  expect(lastSent('study/add')).toMatchObject({ patient_name: 'Doe^Jane', image_count: 2 })
})

test('[UPLOAD-13] an attached file that the server does not list, by its hash and whatever name it has there, is sent again and never counts as done', async () => {
  const asked: unknown[] = []
  await showWizard({
    ...uploadReplies,
    'study/upload/check': ({ instances, attachments = [] }: { instances: unknown[]; attachments?: object[] }) => {
      asked.push(...attachments)
      return {
        verdicts: instances.map(() => 'named'),
        attachment_verdicts: attachments.map(() => 'missing'),
        elsewhere: [],
      }
    },
  })
  await take(jpeg('one.jpg'), table('three.csv'))
  await fillIn()
  await press('Next')
  const sent = await upload((name) =>
    name === 'three.csv'
      ? { status: 202, body: { filename: 'three' } }
      : { status: 202, body: { images: [image(name)] } },
  )
  expect(sent.map(({ name }) => name).toSorted()).toEqual(['one.jpg', 'three.csv', 'three.csv'])
  expect(useUpload.getState().outcome).toMatchObject({
    kind: 'failed',
    failures: [{ path: 'three.csv', kind: 'not-listed' }],
  })
  expect(asked[0]).toMatchObject({ filename: 'three', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

test('[UPLOAD-13] [ERROR-17] a file that fails makes the upload fail as NON_DICOM_UPLOAD_FAILED; Try again sends it alone', async () => {
  await showWizard(uploadReplies)
  await take(jpeg('one.jpg'), pdf('bad.pdf'))
  await fillIn()
  await press('Next')
  let isMended = false
  const sent = await upload((name) =>
    name === 'bad.pdf' && !isMended
      ? { status: 412, body: { error_type: 'NOT_ACCEPTABLE' } }
      : { status: 202, body: { images: [image(name)] } },
  )
  expect(useUpload.getState().outcome).toMatchObject({
    kind: 'failed',
    code: 'NON_DICOM_UPLOAD_FAILED',
    failures: [{ path: 'bad.pdf', kind: 'refused' }],
    acknowledgedFiles: 1,
  })
  isMended = true
  sent.length = 0
  await press('Try again')
  await expect.poll(() => useUpload.getState().outcome?.kind).toBe('done')
  expect(sent.map(({ name }) => name)).toEqual(['bad.pdf'])
})

test('a failed upload of other files that another one is begun over is not told of as broken off afterwards', async () => {
  await showWizard(uploadReplies)
  for (const [name, status] of [
    ['bad.pdf', 412],
    ['one.jpg', 202],
  ] as const) {
    await take(name === 'bad.pdf' ? pdf(name) : jpeg(name))
    await fillIn()
    await press('Next')
    await upload(() =>
      status === 202 ? { status, body: { images: [image(name)] } } : { status, body: { error_type: 'NOT_ACCEPTABLE' } },
    )
    window.dispatchEvent(new Event('pagehide'))
    expect(listNotes('u').map(({ kind }) => kind)).toEqual(status === 202 ? [] : ['other'])
    window.dispatchEvent(new Event('pageshow'))
  }
})
