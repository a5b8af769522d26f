import { MantineProvider } from '@mantine/core'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { putSession } from '../../session/session-store.ts'
import { ConfirmStep } from './confirm-step.tsx'
import { makeUploadJob, startUpload } from './transfer-actions.ts'
import { buildPlan, type FoundInstance, listStudies } from './upload-plan.ts'
import { initialUpload, useUpload } from './upload-store.ts'
import { selectStudies } from './wizard-actions.ts'

const jane = { name: 'DOE^JANE', mrn: 'M1', birthDate: '19800521', sex: 'F' }
const ron = { name: 'ROE^RON', mrn: 'M2', birthDate: '19611103', sex: 'M' }
const smith = { ...jane, name: 'SMITH^JANE', mrn: 'M3' }

function find(...people: Partial<typeof jane & { issuer: string }>[]) {
  const instances = people.map((person, at): FoundInstance => {
    const studyUid = `s${at}`
    const texts = { studyDescription: '', accessionNumber: '', referringPhysician: '', seriesDescription: '' }
    const who = { patientName: person.name ?? '', patientId: person.mrn ?? '', patientIdIssuer: person.issuer ?? '' }
    const facts = {
      patientBirthDate: person.birthDate ?? '',
      patientSex: person.sex ?? '',
      studyDate: '',
      studyTime: '',
    }
    const uids = { studyUid, seriesUid: `${studyUid}.1`, sopInstanceUid: `${studyUid}.1.1` }
    return {
      path: `cd/${at}`,
      file: new File(['x'], String(at)),
      header: { ...uids, ...who, ...facts, ...texts, modality: 'CT', seriesNumber: 1 },
    }
  })
  const plan = buildPlan(instances)
  useUpload.setState({
    ...initialUpload,
    step: 3,
    destination: { groupId: 'g', namespaceId: 'n', name: 'Neuro' },
    search: { kind: 'found', exams: { plan, skipped: [], others: [] } },
    selected: new Set(listStudies(plan).map((study) => study.studyUid)),
  })
}

/** The destination's answer on each MRN. */
let held: Record<string, object>
let asked: { patientid: string; issuer?: string }[]
let isDown: boolean
/** Studies that were taken back from the destination. */
let retracted: readonly string[]
beforeEach(() => {
  held = {}
  asked = []
  isDown = false
  retracted = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (isDown) throw new TypeError('down')
    if (address.endsWith('study/upload/retracted')) {
      const back = { reason: 'Wrong patient', by_name: 'Mei Tanaka', at: '2026-03-04 10:00:00.000000+00' }
      return Response.json({ status: 'OK', studies: retracted.map((one) => ({ ...back, study_uid: one })) })
    }
    const { people } = JSON.parse(String(init.body)) as { people: typeof asked }
    asked.push(...people)
    const answers = people.map(({ patientid }) => ({
      patientid,
      holders: [],
      elsewhere: 0,
      more: 0,
      studies: [],
      ...held[patientid],
    }))
    return Response.json({ status: 'OK', people: answers })
  })
  const session = { sid: 's', settings: {}, user: { uuid: 'u', time_zone: '' }, account: { uuid: 'a' } }
  putSession({ status: 'established', session: session as never }) // only what preferences read
})
afterEach(() => vi.unstubAllGlobals())

function Shown() {
  return <ConfirmStep state={useUpload()} />
}
const show = () =>
  render(
    <MantineProvider env="test">
      <Shown />
    </MantineProvider>,
  )
const typed = (name: string) => screen.getByLabelText<HTMLInputElement>(`MRN of ${name}`)
const tick = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /These are one patient/ })
const jobMrns = () => makeUploadJob(useUpload.getState())?.studies.map(({ patient, newMrn }) => [patient.name, newMrn])

test('[UPLOAD-08] one patient, then Back and more people: the MRN stays with nobody', async () => {
  find(jane, smith, ron)
  selectStudies(['s2'], false)
  show()
  await userEvent.click(tick())
  await userEvent.clear(screen.getByLabelText('MRN for all'))
  await userEvent.type(screen.getByLabelText('MRN for all'), 'N-9')
  expect(jobMrns()).toEqual([
    ['DOE^JANE', 'N-9'],
    ['SMITH^JANE', 'N-9'],
  ])
  selectStudies(['s2'], true)
  await screen.findByText('They cannot be one patient: the dates of birth differ.')
  expect(tick().checked).toBe(false)
  expect(screen.queryByLabelText('MRN for all')).toBeNull()
  expect(jobMrns()?.map(([, mrn]) => mrn)).toEqual([undefined, undefined, undefined])
  // and one who leaves makes it a question again
  selectStudies(['s1'], false)
  expect(await screen.findByText('They cannot be one patient: the dates of birth differ.')).toBeDefined()
})

test('[UPLOAD-08] one MRN for different people is marked in both rows with both names, and refused', async () => {
  find(jane, ron)
  show()
  await userEvent.clear(typed('ROE, RON'))
  await userEvent.type(typed('ROE, RON'), 'm1')
  for (const [name, other] of [
    ['DOE, JANE', 'ROE, RON'],
    ['ROE, RON', 'DOE, JANE'],
  ] as const) {
    expect(typed(name).getAttribute('aria-invalid')).toBe('true')
    const described = document.getElementById(typed(name).getAttribute('aria-describedby') ?? '')
    expect(described?.textContent).toContain(`${other} has this MRN too`)
  }
  expect(screen.getAllByText(/DOE, JANE.*and ROE, RON.*cannot both have MRN M1/)).toHaveLength(1)
  expect(screen.getAllByText(/ROE, RON.*and DOE, JANE.*cannot both have MRN m1/)).toHaveLength(1)
  expect(screen.queryByRole('checkbox', { name: /are one patient/ })).toBe(tick())
  await startUpload()
  expect(useUpload.getState().transfer).toBeUndefined()
  expect(document.activeElement).toBe(typed('DOE, JANE'))
})

test('[UPLOAD-08] one MRN for people who may be one is asked about, and the answer holds for this number alone', async () => {
  find(jane, { ...smith, mrn: 'M1' }, ron)
  show()
  expect(makeUploadJob(useUpload.getState())).toBeUndefined()
  await startUpload()
  expect(await screen.findAllByText('Please answer before the upload')).toHaveLength(2)
  await userEvent.click(screen.getByRole('checkbox', { name: 'DOE, JANE and SMITH, JANE are one patient' }))
  expect(makeUploadJob(useUpload.getState())?.studies.map((study) => study.mrnReason)).toEqual([
    'Confirmed before the upload',
    undefined,
    'Confirmed before the upload',
  ])
  for (const name of ['DOE, JANE', 'SMITH, JANE']) {
    await userEvent.clear(typed(name))
    await userEvent.type(typed(name), 'M7')
  }
  expect(makeUploadJob(useUpload.getState())).toBeUndefined()
})

const annaHolds = (verdict: string) => ({
  holders: [
    {
      study_uuid: 'x',
      study_count: 1,
      patient_name: 'WEBER^ANNA',
      patient_birth_date: '19700203',
      patient_sex: 'F',
      issuer: '',
      verdict,
      reasons: ['name-different', 'birth-date-different', 'mrn-same'],
    },
  ],
})

test('[UPLOAD-08] a typed MRN of somebody different at the destination is refused, with who that is', async () => {
  held = { T1: annaHolds('different') }
  find(jane)
  show()
  await userEvent.clear(typed('DOE, JANE'))
  await userEvent.type(typed('DOE, JANE'), 'T1')
  const note = await screen.findByText(/so has WEBER, ANNA \(3 Feb 1970, Female\)/)
  expect(note.textContent).toContain('different name, different date of birth')
  expect(screen.queryByRole('checkbox')).toBeNull()
  await startUpload()
  expect(useUpload.getState().transfer).toBeUndefined()
  expect(asked.find((one) => one.patientid === 'T1')).not.toHaveProperty('issuer')
})

test('[UPLOAD-08] a number that the images carry themselves, and a likely one, take an answer', async () => {
  held = { M1: annaHolds('different'), T2: annaHolds('likely'), M3: { elsewhere: 1 } }
  find(jane, ron, smith)
  show()
  await userEvent.clear(typed('ROE, RON'))
  await userEvent.type(typed('ROE, RON'), 'T2')
  await userEvent.click(
    await screen.findByRole('checkbox', { name: 'MRN M1 is right for DOE, JANE; upload it all the same' }),
  )
  await userEvent.click(await screen.findByRole('checkbox', { name: 'ROE, RON and WEBER, ANNA are one patient' }))
  expect(makeUploadJob(useUpload.getState())).toBeUndefined()
  const row = screen.getByText(/in exams that you may not see has MRN M3 too/).closest('li')
  await userEvent.click(within(row as HTMLElement).getByRole('checkbox'))
  expect(makeUploadJob(useUpload.getState())?.studies.map(({ newMrn }) => newMrn)).toEqual([undefined, 'T2', undefined])
  expect(asked.find((one) => one.patientid === 'M1')).toMatchObject({ issuer: '' })
})

test('[UPLOAD-08] of many people at the destination the first are told, and how many others there are', async () => {
  const { holders } = annaHolds('likely') as { holders: { patient_name: string }[] }
  const many = Array.from({ length: 20 }, (_, at) => ({ ...holders[0], patient_name: `WEBER${at}^ANNA` }))
  held = { M1: { holders: many, more: 7 } }
  find(jane)
  show()
  const box = await screen.findByRole('checkbox', { name: /MRN M1 is right for DOE, JANE/ })
  const note = box.closest('li')?.textContent ?? ''
  expect(note.match(/so has WEBER\d+/g)).toHaveLength(4)
  expect(note).toContain('23 other people here have MRN M1 too.')
})

test('[UPLOAD-08] nothing is uploaded before the destination could be asked', async () => {
  find(jane)
  isDown = true
  show()
  expect(await screen.findByText(/could not be checked/)).toBeDefined()
  await startUpload()
  expect(useUpload.getState().transfer).toBeUndefined()
  isDown = false
  held = { M1: annaHolds('different') }
  await startUpload()
  // a clash that came to light at the last moment is asked like all others
  expect(useUpload.getState().transfer).toBeUndefined()
  expect(await screen.findByText(/so has WEBER, ANNA/)).toBeDefined()
})

test('asks before a study goes up again that its owner took back, and uploads nothing without a yes', async () => {
  find({ name: 'DOE^JANE', mrn: '' })
  retracted = [...useUpload.getState().selected]
  show()
  expect(await screen.findByText(/taken back from here by Mei Tanaka on .*: Wrong patient/)).toBeDefined()
  await act(() => startUpload())
  expect(useUpload.getState()).toMatchObject({ refusedTries: 1, transfer: undefined })
  const box = screen.getByRole('checkbox', { name: 'Upload it nevertheless' })
  expect(screen.getByText('Please answer before the upload')).toBeDefined()
  expect(document.activeElement).toBe(box)
})

test('[UPLOAD-08] of an upload that broke off, each MRN that was typed is wanted again before anything is sent', async () => {
  find({ ...jane, mrn: 'M1' })
  const key = keyOfPatient()
  useUpload.setState({ typedBefore: new Set([key]), mrns: { [key]: '' } })
  show()
  expect(screen.getByText(/Please type them again/)).toBeDefined()
  expect(typed('DOE, JANE').value).toBe('')
  await startUpload()
  expect(useUpload.getState().transfer).toBeUndefined()
  expect(await screen.findByText('Please enter a value')).toBeDefined()
  await userEvent.type(typed('DOE, JANE'), 'N-9')
  expect(jobMrns()).toEqual([['DOE^JANE', 'N-9']])
})

/** The key of the one patient who was found. */
function keyOfPatient(): string {
  const { search } = useUpload.getState()
  return search.kind === 'found' ? (search.exams.plan.patients[0]?.key ?? '') : ''
}
