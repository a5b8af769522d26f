import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { resetUpload } from '../../../test/reset-upload.ts'
import { sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { OpenedRequest } from './opened-request.tsx'
import { takeOtherFiles } from './other-files-actions.ts'
import { buildPlan, listStudies } from './upload-plan.ts'
import { useUpload } from './upload-store.ts'

const asked = {
  account_name: 'Northside',
  namespace_name: 'Emergency',
  requested_by: 'Mel Tanaka',
  message: '',
  expected: null,
  sender: '',
  by_share_code: 1,
  confirm_before_upload: 1,
  takes_files: 0,
  customfields: [],
  max_bytes: 1024 ** 3,
  left_bytes: 1024 ** 3,
  uid_root: '',
  expires_at: '2026-12-01 10:00:00.000000+00',
  studies: [],
}
const header = {
  studyUid: 's1',
  seriesUid: 's1.1',
  sopInstanceUid: 's1.1.1',
  patientName: 'DOE^JANE',
  patientId: 'M1',
  patientIdIssuer: '',
  patientBirthDate: '19800521',
  patientSex: 'F',
  studyDate: '20240131',
  studyTime: '',
  studyDescription: 'HEAD',
  accessionNumber: '',
  referringPhysician: '',
  modality: 'CT',
  seriesNumber: 1,
  seriesDescription: 'AXIAL',
}

/** An interrupted upload that the browser knows, and how taking it up ends; none in most tests. */
const browser = vi.hoisted(() => ({ kept: [] as unknown[], takeUp: async () => 'refused' }))
vi.mock('../../session/stored-uploads.ts', async (actual) => ({
  ...(await actual<object>()),
  storesUploads: () => browser.kept.length > 0,
  listInterrupted: async () => browser.kept,
}))
vi.mock('./take-up-upload.ts', () => ({ takeUpUpload: () => browser.takeUp() }))

beforeEach(async () => {
  await resetUpload()
  browser.kept = []
})

function find(...more: Partial<typeof header>[]) {
  const plan = buildPlan(
    (more.length > 0 ? more : [{}]).map((one, at) => ({
      path: `cd/${at}`,
      file: new File(['x'], String(at)),
      header: { ...header, ...one },
    })),
  )
  act(() =>
    useUpload.setState({
      step: 2,
      search: { kind: 'found', exams: { plan, skipped: [], others: [] } },
      selected: new Set(listStudies(plan).map((study) => study.studyUid)),
    }),
  )
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const begun = () => sentCalls.filter(({ path }) => path === 'link/upload/begin')

test('by a share code says where it goes, and sends once the sender said that the exams are the right ones', async () => {
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, { 'link/request': asked })
  expect(await screen.findByRole('heading', { name: 'Send exams to Emergency of Northside' })).toBeDefined()
  find()
  await userEvent.type(screen.getByRole('textbox', { name: /Your name/ }), 'Clinic West')
  await userEvent.click(screen.getByRole('button', { name: 'Send 1 exam' }))
  expect(screen.getByText('Say that you have looked at them.')).toBeDefined()
  expect(begun()).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: /I have looked at these exams/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Send 1 exam' }))
  await waitFor(() => expect(begun()).toHaveLength(1))
})

test('asks by a share code for the fields of the place, sends nothing while a required one lacks, and then sends them', async () => {
  const field = { type: 'text', value: '', required: 0, options: null, ui_json: null }
  const fields = [
    { ...field, uuid: 'f1', name: 'Referring clinic', required: 1 },
    { ...field, uuid: 'f2', name: 'Scanned on', type: 'date' },
  ]
  const reply = { ...asked, confirm_before_upload: 0, customfields: fields }
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, { 'link/request': reply })
  await screen.findByRole('group', { name: 'The receiver asks this of every exam that you send now.' })
  find()
  await userEvent.type(screen.getByRole('textbox', { name: /Your name/ }), 'Clinic West')
  await press('Send 1 exam')
  expect(screen.getByText('This field is required.')).toBeDefined()
  const clinic = screen.getByRole('textbox', { name: /Referring clinic/ })
  expect(document.activeElement).toBe(clinic)
  expect(begun()).toEqual([])
  await userEvent.type(clinic, ' West ')
  await press('Send 1 exam')
  await waitFor(() => expect(begun()).toHaveLength(1))
  expect(begun()[0]?.sent).toMatchObject({ 'customfield-f1': 'West', 'customfield-f2': '' })
})

const jane = { patient_name: 'DOE^JANE', patient_birth_date: '19800521', patient_sex: 'F', patientid: 'X9' }
const ofPerson = { ...asked, by_share_code: 0, confirm_before_upload: 0, sender: 'Clinic West', expected: jane }
const other = { patientName: 'ROE^RICHARD', patientId: 'M2', patientBirthDate: '19510203', patientSex: 'M' }

test('of several patients none is sent before the sender has seen who they are, and another than the asked one is left out at first', async () => {
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, { 'link/request': ofPerson })
  await screen.findByRole('heading', { name: /asks you for an exam/ })
  find({}, { ...other, studyUid: 's2', seriesUid: 's2.1', sopInstanceUid: 's2.1.1' })
  await screen.findByRole('button', { name: 'Send 1 exam' })
  expect([...useUpload.getState().selected]).toEqual(['s1'])
  expect(screen.getByText(/Not chosen, since another patient was asked for/).textContent).toContain('ROE, RICHARD')
  expect(screen.queryByRole('checkbox', { name: /I have looked/ })).toBeNull()
  act(() => useUpload.setState({ selected: new Set(['s1', 's2']) }))
  expect(screen.queryByText(/Not chosen, since/)).toBeNull()
  expect(screen.getByText(/These exams are of 2 patients:/)).toBeDefined()
  expect(screen.getByText(/ROE, RICHARD ·/).textContent).toContain('perhaps not the patient who was asked for')
  await press('Send 2 exams')
  expect(screen.getByText('Say that you have looked at them.')).toBeDefined()
  expect(begun()).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: /I have looked/ }))
  // said of these patients, and not of others
  act(() => useUpload.setState({ selected: new Set(['s2']) }))
  expect(screen.getByText('Is this the patient who was asked for?', { exact: false })).toBeDefined()
  await press('Send 1 exam')
  expect(begun()).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: /I have looked/ }))
  await press('Send 1 exam')
  await waitFor(() => expect(begun()).toHaveLength(1))
})

test('an upload that goes on asks about patients of exams that were not in it, as when another disc lies in the drive', async () => {
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, { 'link/request': ofPerson })
  await screen.findByRole('heading', { name: /asks you for an exam/ })
  act(() => useUpload.setState({ source: { handles: [], key: 'k1', isPartial: true, lookedAt: new Set() } }))
  find({ ...other, studyUid: 's2', seriesUid: 's2.1', sopInstanceUid: 's2.1.1' })
  expect(await screen.findByText(/Not chosen, since another patient was asked for/)).toBeDefined()
  expect([...useUpload.getState().selected]).toEqual([])
  act(() => useUpload.setState({ selected: new Set(['s2']) }))
  await press('Send 1 exam')
  expect(screen.getByText('Say that you have looked at them.')).toBeDefined()
  expect(begun()).toEqual([])
  // of an exam that was sent in part, the person has said so before
  act(() => useUpload.setState({ source: { handles: [], key: 'k1', lookedAt: new Set(['s2']) } }))
  expect(screen.queryByRole('checkbox', { name: /I have looked/ })).toBeNull()
  await press('Send 1 exam')
  await waitFor(() => expect(begun()).toHaveLength(1))
})

test('an exam of one study that names two patients is sent once the sender has seen who they are', async () => {
  const reply = { ...ofPerson, expected: null }
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, { 'link/request': reply })
  await screen.findByRole('heading', { name: /asks you for an exam/ })
  find({}, { ...other, sopInstanceUid: 's1.1.2' })
  await press('Send 1 exam')
  expect(screen.getByText('Say that you have looked at them.')).toBeDefined()
  expect(begun()).toEqual([])
})

test('of a person asks in that name, and for nothing to be confirmed', async () => {
  const reply = { ...asked, by_share_code: 0, confirm_before_upload: 0 }
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, { 'link/request': reply })
  expect(await screen.findByRole('heading', { name: 'Mel Tanaka of Northside asks you for an exam' })).toBeDefined()
  find()
  expect(screen.queryByRole('checkbox', { name: /I have looked/ })).toBeNull()
})

test('an upload that is taken up goes in the name that stands there when its folder was read', async () => {
  browser.kept = [
    { key: 'k1', owner: 'o1', handles: [{ kind: 'directory' }], studies: ['d1'], isPlain: true, startedMs: 0 },
  ]
  const read = Promise.withResolvers<string>()
  browser.takeUp = () => {
    useUpload.setState({ search: { kind: 'reading', progress: { seen: 0, read: 0, instances: 0 } } })
    return read.promise
  }
  const reply = { ...asked, by_share_code: 0, confirm_before_upload: 0, sender: 'Clinic West' }
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, { 'link/request': reply })
  await userEvent.click(await screen.findByRole('button', { name: 'Go on' }))
  const field = screen.getByRole('textbox', { name: /Your name/ })
  await userEvent.clear(field)
  await userEvent.type(field, 'Clinic East')
  find()
  await act(async () => read.resolve('found'))
  await waitFor(() => expect(begun()).toHaveLength(1))
  expect(begun()[0]?.sent).toMatchObject({ sender: 'Clinic East' })
})

test('the name that was typed stands there again after the page was loaded anew, and not at another request', async () => {
  const replies = { 'link/request': { ...asked, sender: 'Clinic West' } }
  const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: /Your name/ })
  const { unmount } = showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, replies)
  await userEvent.clear(await field())
  await userEvent.type(await field(), 'Clinic East')
  unmount()
  const again = showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, replies)
  expect((await field()).value).toBe('Clinic East')
  again.unmount()
  showSignedIn(<OpenedRequest token="other" sid="sid2" onEnded={() => undefined} />, replies)
  expect((await field()).value).toBe('Clinic West')
})

test('answers stand there again after the page was loaded anew, not at another request, and no more once they are sent', async () => {
  const field = { type: 'text', value: '', required: 0, options: null, ui_json: null }
  const customfields = [
    { ...field, uuid: 'f1', name: 'Referring clinic' },
    { ...field, uuid: 'f2', name: 'Ward' },
  ]
  const replies = { 'link/request': { ...asked, customfields } }
  const open = (sid: string) => showSignedIn(<OpenedRequest token={sid} sid={sid} onEnded={() => undefined} />, replies)
  const values = async () => {
    const fields = await screen.findAllByRole<HTMLInputElement>('textbox', { name: /Referring clinic|Ward/ })
    return fields.map(({ value }) => value)
  }
  const first = open('sid1')
  await userEvent.type(await screen.findByRole('textbox', { name: /Referring clinic/ }), 'West')
  await userEvent.type(screen.getByRole('textbox', { name: /Ward/ }), '3B')
  first.unmount()
  const again = open('sid1')
  expect(await values()).toEqual(['West', '3B'])
  again.unmount()
  const other = open('sid2')
  expect(await values()).toEqual(['', ''])
  other.unmount()
  const last = open('sid1')
  expect(await values()).toEqual(['West', '3B'])
  const done = { kind: 'done', studyCount: 1, fileCount: 1, studies: [] } as never
  act(() => useUpload.setState({ outcome: done }))
  act(() => useUpload.setState({ outcome: undefined }))
  expect(await values()).toEqual(['', ''])
  last.unmount()
  open('sid1')
  expect(await values()).toEqual(['', ''])
})

test('the receipt names series of an exam that its sender left out', async () => {
  showSignedIn(<OpenedRequest token="t" sid="sid1" onEnded={() => undefined} />, { 'link/request': asked })
  await screen.findByRole('textbox', { name: /Your name/ })
  const leftOut = [
    { number: 4, description: '' },
    { number: 1, description: 'Localizer' },
  ]
  const studies = [{ uuid: 'u', patientName: 'DOE^JANE', description: 'MR knee', date: '20260102', leftOut }]
  act(() => useUpload.setState({ outcome: { kind: 'done', studyCount: 1, fileCount: 1, studies } as never }))
  const received = within(await screen.findByRole('list', { name: 'Exams that were received' }))
  expect(received.getByText('Without 2 series, which you left out: Series 4, Localizer')).toBeTruthy()
  act(() => useUpload.setState({ outcome: undefined }))
})

test('answers are forgotten once the request has ended', async () => {
  const field = { uuid: 'f1', name: 'Ward', type: 'text', value: '', required: 0, options: null, ui_json: null }
  const replies = { 'link/request': { ...asked, customfields: [field] } }
  const first = showSignedIn(<OpenedRequest token="t" sid="sid1" onEnded={() => undefined} />, replies)
  await userEvent.type(await screen.findByRole('textbox', { name: /Ward/ }), '3B')
  expect(sessionStorage.getItem('hilum.answers')).toContain('3B')
  first.unmount()
  const ended = vi.fn()
  showSignedIn(<OpenedRequest token="t" sid="sid1" onEnded={ended} />, {
    'link/request': { status: 'ERROR', error_type: 'EXPIRED' },
  })
  await waitFor(() => expect(ended).toHaveBeenCalled())
  expect(sessionStorage.getItem('hilum.answers')).toBeNull()
})

const jpeg = (name: string) => new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2])], name)
const take = (...files: File[]) =>
  act(() =>
    takeOtherFiles(
      files.map((file) => ({ path: file.name, file })),
      [],
      { uidRoot: '', dateFormat: 'YYYY-MM-DD', imagesOnly: true },
    ),
  )

test('takes photos and documents where the place does, leaves other files out, and sends them once all is said', async () => {
  const wrapped: string[] = []
  const reply = { ...asked, by_share_code: 0, confirm_before_upload: 0, takes_files: 1 }
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, {
    'link/request': reply,
    'link/upload/check': ({ images }: { images: unknown[] }) => ({ verdicts: images.map(() => 'have') }),
  })
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (!String(address).includes('/link/wrap')) return answer(address, init)
    wrapped.push(String((init.body as FormData).get('tags')))
    return Response.json({ images: [{ image_uid: `i${wrapped.length}`, sha256: 'a'.repeat(64) }] }, { status: 202 })
  })
  await screen.findByRole('button', { name: 'Choose photos or documents' })
  await take(jpeg('wound.jpg'), new File(['%PDF-1.7 made up'], 'letter.pdf'), new File(['a,b'], 'values.csv'))
  await screen.findByRole('heading', { name: 'Whose pictures and documents are these?' })
  expect(screen.getByText('1 file is not part of the upload')).toBeDefined()
  expect(screen.queryByText('values.csv')).toBeNull()
  await userEvent.type(screen.getByRole('textbox', { name: /Your name/ }), 'Clinic West')
  await press('Send 2 files')
  expect(screen.getByText('Please complete all the mandatory fields.')).toBeDefined()
  const fields = {
    'Last name': 'Doe',
    'First name': 'Jane',
    MRN: '4711',
    'Date of birth': '19800102',
    'Study date': '2026-01-02',
  }
  for (const [name, value] of Object.entries(fields))
    await userEvent.type(screen.getByRole('textbox', { name: new RegExp(name) }), value)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /Gender/ }), 'female')
  await press('Send 2 files')
  expect(await screen.findByText('Thank you: everything has arrived')).toBeDefined()
  const received = within(screen.getByRole('list', { name: 'Exams that were received' }))
  expect(received.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['DOE, Jane · 2 Jan 2026'])
  expect(screen.getByText('Sent by Clinic West.')).toBeDefined()
  const print = vi.fn()
  vi.stubGlobal('print', print)
  await press('Print or save')
  expect(print).toHaveBeenCalledOnce()
  const [announced] = begun().flatMap(({ sent }) => sent['studies'] as { study_uid: string }[])
  expect(wrapped).toHaveLength(2)
  for (const tags of wrapped) {
    expect(JSON.parse(tags)).toMatchObject({
      StudyInstanceUID: announced?.study_uid,
      patient_name: 'Doe^Jane',
      patientid: '4711',
      patient_birth_date: '19800102',
    })
  }
})

test('more than may be sent is said before it is sent, and cannot be sent', async () => {
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, {
    'link/request': { ...asked, takes_files: 1, confirm_before_upload: 0, max_bytes: 1024 ** 2, left_bytes: 1 },
  })
  await screen.findByRole('button', { name: 'Choose photos or documents' })
  await take(jpeg('wound.jpg'))
  expect(
    await screen.findByText(/^You chose .*, and 1 byte of the 1 MB that can be sent here are left\./),
  ).toBeDefined()
  expect((screen.getByRole('button', { name: 'Send 1 file' }) as HTMLButtonElement).disabled).toBe(true)
})

test('files that are neither pictures nor PDF are found by nobody, and told of', async () => {
  showSignedIn(<OpenedRequest token="secret" sid="sid1" onEnded={() => undefined} />, {
    'link/request': { ...asked, takes_files: 1 },
  })
  await screen.findByRole('button', { name: 'Choose photos or documents' })
  await take(new File(['a,b'], 'values.csv'))
  expect(await screen.findByText('1 file is not part of the upload')).toBeDefined()
  expect(screen.queryByRole('heading', { name: 'Whose pictures and documents are these?' })).toBeNull()
})
