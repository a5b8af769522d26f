import { MantineProvider } from '@mantine/core'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Suspense } from 'react'
import { resetUpload } from '../../../test/reset-upload.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { putSession } from '../../session/session-store.ts'
import { ConfirmStep } from './confirm-step.tsx'
import { OutcomeBanner } from './outcome-banner.tsx'
import { SelectStep } from './select-step.tsx'
import { cancelUpload, makeUploadJob, startUpload } from './transfer-actions.ts'
import { buildPlan, type FoundInstance, listFiles, listStudies, seriesKey } from './upload-plan.ts'
import { initialUpload, useUpload } from './upload-store.ts'
import { UploadWizard, WizardStep } from './upload-wizard.tsx'

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
const instance = (changed: Partial<typeof header> = {}): FoundInstance => ({
  path: 'cd/1',
  file: new File(['x'.repeat(10)], '1'),
  header: { ...header, ...changed },
})

/** The state after a search found these. */
function find(...instances: FoundInstance[]) {
  const plan = buildPlan(instances)
  useUpload.setState({
    ...initialUpload,
    step: 2,
    destination: { groupId: 'g', namespaceId: 'n', name: 'Neuro' },
    search: { kind: 'found', exams: { plan, skipped: [], others: [] } },
    selected: new Set(listStudies(plan).map((study) => study.studyUid)),
  })
}

/** SOP UIDs of the files that would be sent. */
function planOf(state: ReturnType<typeof useUpload.getState>): string[] {
  const job = makeUploadJob({ ...state, peopleCheck: 'done' })
  return job?.studies.flatMap(({ study }) => listFiles(study).map(({ sopUid }) => sopUid)) ?? []
}

function Shown({ what: What }: { what: typeof SelectStep }) {
  return <What state={useUpload()} />
}
const show = (what: React.ReactNode) => render(<MantineProvider>{what}</MantineProvider>)

beforeEach(async () => {
  // Nothing is laid out here: lists that draw what is in view need a height.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(280)
  const session = { sid: 's', settings: {}, user: { uuid: 'u', time_zone: '' }, account: { uuid: 'a' } }
  putSession({ status: 'established', session: session as never }) // only what preferences read
  await resetUpload()
})

test('[UPLOAD-10] a number that is no step shows the text "Error: Invalid step"', () => {
  show(<WizardStep state={{ ...initialUpload, step: 7 }} destinations={[]} />)
  expect(screen.getByText('Error: Invalid step')).toBeDefined()
})

test('[UPLOAD-02] without a permitted cloud group the first step says so', () => {
  show(<WizardStep state={initialUpload} destinations={[]} />)
  expect(screen.getByText(/no group that you may upload to/)).toBeDefined()
})

test.each([
  ['no-exams', 'No exams were found in the selected media'],
  ['cannot-load', 'Cannot load selected files'],
] as const)('[UPLOAD-25] [ERROR-18] a search that failed by %s says "%s"', (reason, text) => {
  show(
    <WizardStep
      state={{ ...initialUpload, step: 1, search: { kind: 'failed', reason, skipped: [], others: [] } }}
      destinations={[]}
    />,
  )
  expect(screen.getByRole('alert').textContent).toContain(text)
})

test('[UPLOAD-25] a folder of other files names them with the reason', async () => {
  const skipped = [{ path: 'cd/readme.txt', sizeBytes: 5, reason: { kind: 'not-dicom' as const } }]
  show(
    <WizardStep
      state={{ ...initialUpload, step: 1, search: { kind: 'failed', reason: 'no-exams', skipped, others: [] } }}
      destinations={[]}
    />,
  )
  expect(screen.getByRole('alert').textContent).toContain('Dicom files not found in the selected folder')
  await userEvent.click(screen.getByRole('button', { name: 'Show them' }))
  expect(screen.getByText('cd/readme.txt')).toBeDefined()
  expect(screen.getByText(/^Not a DICOM file; pictures and documents/)).toBeDefined()
})

describe('the whole wizard', () => {
  const namespace = (name: string, type: string, designation: string, permissions: Record<string, number>) => ({
    uuid: `ns-${name}`,
    name,
    type,
    type_uuid: name,
    permissions,
    settings: { inbox_config: { group_designation: designation, active_study_filters: [] } },
  })
  const namespaces = [
    namespace('Neuro', 'group_id', 'CLOUD', { study_upload: 1 }),
    namespace('Trauma', 'group_id', 'CLOUD', { study_upload: 1 }),
    namespace('Closed', 'group_id', 'CLOUD', {}),
    namespace('Books', 'group_id', 'LIBRARY', { study_upload: 1 }),
    namespace('Gate', 'group_id', 'GATEKEEPER', { study_upload: 1 }),
    namespace('Mine', 'user_id', 'CLOUD', { study_upload: 1 }),
  ]
  async function showWizard() {
    const onLeave = vi.fn()
    showSignedIn(
      <Suspense>
        <UploadWizard onLeave={onLeave} />
      </Suspense>,
      { 'user/namespace/list': { namespaces } },
    )
    await screen.findByRole('button', { name: 'Next' })
    return onLeave
  }
  const next = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Next' })

  test('[UPLOAD-02] [PERM-14] offers cloud groups where the person holds study_upload, and no other place', async () => {
    await showWizard()
    await userEvent.click(screen.getByLabelText('Group', { selector: 'input' }))
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['Neuro', 'Trauma'])
  })

  test('[UPLOAD-11] Next waits for a destination, and at the exams for one that is selected', async () => {
    await showWizard()
    expect(next().disabled).toBe(true)
    act(() => find(instance()))
    expect(next().disabled).toBe(false)
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all exams' }))
    expect(next().disabled).toBe(true)
  })

  test('[UPLOAD-09] at the first step the way back is Cancel, at the others Back', async () => {
    const onLeave = await showWizard()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onLeave).toHaveBeenCalledExactlyOnceWith()
    act(() => find(instance()))
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    expect(useUpload.getState().step).toBe(1)
  })
})

describe('selecting', () => {
  test('[UPLOAD-05] each box selects what it names: everything, a patient, a study; and says when it is some of it', async () => {
    find(
      instance(),
      instance({ studyUid: 's2' }),
      instance({ studyUid: 's3', patientName: 'ROE^RON', patientId: 'M2' }),
    )
    show(<Shown what={SelectStep} />)
    const boxNamed = (name: RegExp | string) =>
      screen.getAllByRole<HTMLInputElement>('checkbox', { name })[0] as HTMLInputElement
    const all = boxNamed('Select all exams')
    const doe = boxNamed('Select all exams of DOE, JANE')
    const study = boxNamed(/^Select the study/)
    const selected = () => [...useUpload.getState().selected].toSorted()
    const state = () => [all, doe, study].map((box) => (box.indeterminate ? 'some' : box.checked))
    expect(state()).toEqual([true, true, true])
    await userEvent.click(study)
    expect(selected()).toHaveLength(2)
    expect(state()).toEqual(['some', 'some', false])
    await userEvent.click(study)
    expect(state()).toEqual([true, true, true])
    await userEvent.click(doe)
    expect(selected()).toEqual(['s3'])
    expect(state()).toEqual(['some', false, false])
    await userEvent.click(doe)
    expect(selected()).toEqual(['s1', 's2', 's3'])
    await userEvent.click(all)
    expect(selected()).toEqual([])
    expect(state()).toEqual([false, false, false])
    await userEvent.click(all)
    expect(selected()).toEqual(['s1', 's2', 's3'])
  })

  test('[UPLOAD-05] [UPLOAD-12] lists studies per patient as "New", each selectable', async () => {
    find(instance(), instance({ studyUid: 's2', patientName: 'ROE^RON', patientId: 'M2' }))
    show(<Shown what={SelectStep} />)
    const table = screen.getByRole('rowgroup', { name: 'Studies of DOE, JANE' })
    expect(within(table).getByText('New')).toBeDefined()
    await userEvent.click(within(table).getByRole('checkbox', { name: /^Select the study/ }))
    expect([...useUpload.getState().selected]).toEqual(['s2'])
    expect(screen.getByText(/1 of 2 studies selected/)).toBeDefined()
  })

  test('[UPLOAD-05] of a study single series are chosen; counts, bytes and "Already here" are those of the chosen ones', async () => {
    const series = (seriesUid: string, seriesDescription: string) =>
      instance({ seriesUid, sopInstanceUid: `${seriesUid}.1`, seriesDescription })
    find(series('a', 'AXIAL'), series('b', 'CORONAL'), series('c', 'LOCALIZER'))
    const count = (have: number) => ({ have, conflict: 0, open: 0, of: 1 })
    const here = new Map([
      ['s1', { ...count(1), of: 3 }],
      ...['a', 'b', 'c'].map((uid) => [seriesKey('s1', uid), count(Number(uid === 'c'))] as const),
    ])
    useUpload.setState({ alreadyHere: here })
    show(<Shown what={SelectStep} />)
    const tick = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name })
    const press = (name: RegExp) => userEvent.click(tick(name))
    const study = /^Select the study/
    const files = () => planOf(useUpload.getState())
    await userEvent.click(screen.getByRole('button', { name: 'Show the series' }))
    expect(
      within(screen.getByRole('list', { name: 'Series' }))
        .getAllByRole<HTMLInputElement>('checkbox')
        .map((box) => box.checked),
    ).toEqual([true, true, true])
    expect(screen.getByText(/1 of 1 study selected: 3 files, 30 bytes/)).toBeDefined()
    expect(screen.getByText('1 of 3 already here')).toBeDefined()
    await press(/series LOCALIZER, 1 file$/)
    expect(screen.getByText('1 of 1 study selected, in part: 2 files, 20 bytes')).toBeDefined()
    expect(screen.getByText('2 of 3')).toBeDefined()
    expect(screen.getByText('New')).toBeDefined()
    expect([tick(study).checked, tick(study).indeterminate, tick(/^Select all exams$/).indeterminate]).toEqual([
      false,
      true,
      true,
    ])
    expect(files()).toEqual(['a.1', 'b.1'])
    // a study without a series is not chosen, and its first series chooses it again
    await press(/series AXIAL/)
    await press(/series CORONAL/)
    expect(screen.getByText(/0 of 1 study selected/)).toBeDefined()
    expect(tick(study).checked).toBe(false)
    await press(/series LOCALIZER/)
    expect(files()).toEqual(['c.1'])
    expect(screen.getByText('Already here')).toBeDefined()
    // the study, and all exams, choose all series again
    await press(study)
    expect(files()).toEqual(['a.1', 'b.1', 'c.1'])
    await press(/series AXIAL/)
    await press(/^Select all exams$/)
    expect(files()).toEqual(['a.1', 'b.1', 'c.1'])
    expect(screen.getByText(/1 of 1 study selected: 3 files/)).toBeDefined()
  })

  test('[UPLOAD-05] every count of studies says how many of them go in part', async () => {
    const of = (studyUid: string, seriesUid: string) =>
      instance({ studyUid, seriesUid, sopInstanceUid: `${seriesUid}.1` })
    find(of('s1', 'a'), of('s1', 'b'), of('s2', 'c'), of('s2', 'd'), of('s3', 'e'))
    const leave = (...left: [study: string, series: string][]) =>
      act(() => useUpload.setState({ leftOut: new Set(left.map((one) => seriesKey(...one))) }))
    leave(['s1', 'b'])
    const { unmount } = show(<Shown what={SelectStep} />)
    expect(screen.getByText(/^3 of 3 studies selected, one of them in part: 4 files/)).toBeDefined()
    leave(['s1', 'b'], ['s2', 'd'])
    expect(screen.getByText(/^3 of 3 studies selected, 2 of them in part: 3 files/)).toBeDefined()
    unmount()
    show(<Shown what={ConfirmStep} />)
    expect(screen.getByText(/^3 studies, 2 of them in part, 3 files/)).toBeDefined()
    const row = screen.getByRole('row', { name: /DOE, JANE/ })
    expect(within(row).getByText('3 studies, 2 of them in part')).toBeDefined()
    leave()
    expect(within(row).getByText('3 studies')).toBeDefined()
  })

  test('what the destination has already is told', () => {
    find(instance())
    useUpload.setState({ alreadyHere: new Map([['s1', { have: 1, conflict: 0, open: 0, of: 1 }]]) })
    show(<Shown what={SelectStep} />)
    expect(screen.getByText('Already here')).toBeDefined()
  })
})

describe('confirming', () => {
  test('[UPLOAD-07] shows name, gender, date of birth with the name of the month, and files', () => {
    find(instance())
    show(<Shown what={ConfirmStep} />)
    for (const text of ['DOE, JANE', 'Female', '21 May 1980', '1 file']) expect(screen.getByText(text)).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('MRN of DOE, JANE').value).toBe('M1')
  })

  test('[UPLOAD-08] several patients bring the notice, and Upload asks for each missing MRN', async () => {
    find(instance(), instance({ studyUid: 's2', patientName: 'ROE^RON', patientId: '' }))
    show(<Shown what={ConfirmStep} />)
    expect(screen.getByText(/Please ensure MRN is accurate/)).toBeDefined()
    await startUpload()
    expect(await screen.findByText('Please enter a value')).toBeDefined()
    expect(useUpload.getState().transfer).toBeUndefined()
    await userEvent.type(screen.getByLabelText('MRN of ROE, RON'), 'M7')
    expect(screen.queryByText('Please enter a value')).toBeNull()
  })

  test('"These are one patient" gives all one MRN, and is refused where the birth dates differ', async () => {
    find(instance(), instance({ studyUid: 's2', patientName: 'DOE^J', patientId: '' }))
    const { unmount } = show(<Shown what={ConfirmStep} />)
    await userEvent.click(screen.getByRole('checkbox', { name: /These are one patient/ }))
    expect(screen.getByLabelText<HTMLInputElement>('MRN for all').value).toBe('M1')
    expect(screen.getAllByText('M1')).toHaveLength(2)
    unmount()
    find(instance(), instance({ studyUid: 's2', patientName: 'DOE^J', patientBirthDate: '19800522' }))
    show(<Shown what={ConfirmStep} />)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /These are one/ }).disabled).toBe(true)
    expect(screen.getByText('They cannot be one patient: the dates of birth differ.')).toBeDefined()
  })
})

describe('the end', () => {
  test('[UPLOAD-16] [ERROR-17] success and failure each show their banner, a failure with file, reason and codes', () => {
    const destination = { groupId: 'g', namespaceId: 'n', name: 'Neuro' }
    const notes = { conflicts: [], elsewhere: [] }
    const done = { kind: 'done', studyCount: 2, partCount: 1, fileCount: 3, thereFiles: 0, studies: [] } as const
    const { unmount } = show(<OutcomeBanner outcome={{ ...done, destination, notes }} onShow={() => undefined} />)
    expect(screen.getByRole('status').textContent).toContain('Exams were uploaded')
    expect(screen.getByText(/^3 files of 2 studies arrived, .* Of 1 study only the chosen series/)).toBeDefined()
    unmount()
    const refused = { studyUid: 's1', kind: 'refused' as const, status: 415, detail: 'NOT_DICOM' }
    const failures = [
      { ...refused, path: 'cd/bad' },
      { ...refused, path: undefined, studyUid: 's2', detail: 'MRN_HELD' },
      { ...refused, path: undefined, studyUid: 's3', detail: 'STUDY_SET_PARAMS_UUID_NOT_FOUND' },
      { ...refused, path: 'cd/late', kind: 'no-destination' as const, status: 404, detail: '' },
    ]
    show(
      <OutcomeBanner
        outcome={{
          kind: 'failed',
          code: 'DICOM_UPLOAD_FAILD',
          stoppedBy: undefined,
          failures,
          acknowledgedFiles: 2,
          fileCount: 3,
          notes,
        }}
      />,
    )
    expect(screen.getByRole('alert').textContent).toContain('Failed to upload exams')
    // as text: no key and no finger reaches a title
    const codeOf = (name: string) =>
      screen
        .getByText(name)
        .closest('li')
        ?.textContent?.match(/[A-Z_]+$/)?.[0]
    expect(screen.getByText('Failed to upload exams').parentElement?.textContent).toContain('DICOM_UPLOAD_FAILD')
    expect(codeOf('cd/bad')).toBe('FILE_UPLOAD_FAILED')
    expect(codeOf('Study s2')).toBe('DICOM_UPLOAD_FAILD')
    expect(codeOf('Study s3')).toBe('STUDY_SET_PARAMS_UUID_NOT_FOUND')
    expect(codeOf('cd/late')).toBe('NAMESPACE_NOT_FOUND')
    expect(screen.getByText('The server refused it (NOT_DICOM)')).toBeDefined()
  })
})

test('the browser asks before the page of a running upload is left, and not before or afterwards', async () => {
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const paths: string[] = []
  vi.stubGlobal('fetch', (address: string, { body, signal }: RequestInit) => {
    paths.push(String(address))
    if (address.endsWith('study/upload/retracted')) return Promise.resolve(Response.json({ status: 'OK', studies: [] }))
    const { people } = JSON.parse(String(body)) as { people?: { patientid: string }[] }
    if (people) {
      const answers = people.map(({ patientid }) => ({ patientid, holders: [], elsewhere: 0, more: 0, studies: [] }))
      return Promise.resolve(Response.json({ status: 'OK', people: answers }))
    }
    // the upload itself hangs until it is cancelled
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
  find(instance())
  expect(isAsked()).toBe(false)
  const upload = startUpload()
  await expect.poll(() => useUpload.getState().transfer).toBeDefined()
  expect(isAsked()).toBe(true)
  cancelUpload()
  await upload
  expect(isAsked()).toBe(false)
  vi.unstubAllGlobals()
})

test('[ENTITY-20] the state of an upload holds the step, the place, the studies with their files, what is chosen and how far it is', () => {
  find(instance(), instance({ sopInstanceUid: 's1.1.2' }), instance({ studyUid: 's2', patientId: 'M2' }))
  const state = useUpload.getState()
  expect(state).toMatchObject({ step: 2, destination: { groupId: 'g', namespaceId: 'n', name: 'Neuro' } })
  if (state.search.kind !== 'found') throw new Error('Nothing was found')
  const studies = listStudies(state.search.exams.plan)
  expect(studies.map(({ studyUid, series }) => [studyUid, series.flatMap(({ files }) => files).length])).toEqual([
    ['s1', 2],
    ['s2', 1],
  ])
  expect(studies.map(({ sizeBytes }) => sizeBytes)).toEqual([20, 10])
  expect([...state.selected]).toEqual(['s1', 's2'])
  expect(initialUpload).toMatchObject({ step: 0, destination: undefined, transfer: undefined, outcome: undefined })
})
