import { beforeEach, expect, test, vi } from 'vitest'
import { hexDigestOf, type StoredUpload } from '../../session/stored-uploads.ts'
import type { ScannedExams } from './find-exams.ts'
import { weakDigestOf } from '../../session/upload-notes.ts'
import { putSession } from '../../session/session-store.ts'
import { takeUpUpload } from './take-up-upload.ts'
import { buildPlan, seriesKey } from './upload-plan.ts'
import { initialUpload, useUpload } from './upload-store.ts'
import { chooseDestination, searchExams } from './wizard-actions.ts'

const started = vi.hoisted(() => vi.fn(async () => undefined))
const interrupted = vi.hoisted(() => ({ all: [] as unknown[] }))
const reading = vi.hoisted(() => ({ exams: async (): Promise<unknown> => undefined }))
vi.mock('./transfer-actions.ts', () => ({ startUpload: started }))
vi.mock('./find-exams.ts', () => ({ findExams: () => reading.exams() }))
vi.mock('../../session/stored-uploads.ts', async (original) => ({
  ...(await original<object>()),
  listInterrupted: async () => interrupted.all,
}))
vi.mock('./study-calls.ts', () => ({ compareFiles: async () => ({ verdicts: new Map() }) }))

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
const place = (name: string) => ({ groupId: `g-${name}`, namespaceId: `ns-${name}`, name })

async function storedFor(studyUid: string): Promise<StoredUpload> {
  const handle = { kind: 'directory', requestPermission: async () => 'granted' }
  return {
    key: 'k1',
    owner: 'u1',
    handles: [handle as unknown as FileSystemHandle], // what asking for the permission reads of it
    destination: place('Neuro'),
    studies: [await hexDigestOf(studyUid)],
    isPlain: true,
    startedMs: 0,
  }
}
const exams = (): ScannedExams => ({
  plan: buildPlan([{ path: 'cd/1', file: new File(['x'], '1'), header }]),
  skipped: [],
  others: [],
})

beforeEach(() => {
  started.mockClear()
  interrupted.all = []
  useUpload.setState(initialUpload, true)
  reading.exams = async () => exams()
})

test('goes on by itself to the place that it was begun for, with the studies that were chosen then', async () => {
  expect(await takeUpUpload(await storedFor('s1'))).toBe('found')
  expect(started).toHaveBeenCalledOnce()
  expect(useUpload.getState()).toMatchObject({ destination: place('Neuro'), step: 3, selected: new Set(['s1']) })
})

test('leaves the series out that were left out then', async () => {
  reading.exams = async () => ({
    ...exams(),
    plan: buildPlan(
      ['s1.1', 's1.2'].map((seriesUid) => ({
        path: `cd/${seriesUid}`,
        file: new File(['x'], '1'),
        header: { ...header, seriesUid },
      })),
    ),
  })
  const stored = { ...(await storedFor('s1')), leftOut: [await hexDigestOf(seriesKey('s1', 's1.2'))] }
  expect(await takeUpUpload(stored)).toBe('found')
  expect(useUpload.getState()).toMatchObject({ selected: new Set(['s1']), leftOut: new Set([seriesKey('s1', 's1.2')]) })
})

test.each([
  ['goes on with the upload', async (stored: StoredUpload) => void (await takeUpUpload(stored))],
  ['chooses the files again', () => searchExams(async function* () {})],
])('an MRN that was typed is asked for again where the person %s', async (_what, act) => {
  const session = { sid: 's', settings: {}, user: { uuid: 'u1', time_zone: '' }, account: { uuid: 'a' } }
  putSession({ status: 'established', session: session as never }) // only whose it is is read
  const stored = { ...(await storedFor('s1')), isPlain: false, typed: [weakDigestOf('s1')] }
  interrupted.all = [stored]
  await act(stored)
  const [patient] = exams().plan.patients
  const key = patient?.key ?? ''
  expect(started).not.toHaveBeenCalled()
  expect(useUpload.getState()).toMatchObject({ mrns: { [key]: '' }, typedBefore: new Set([key]) })
  // and of others nothing is asked
  interrupted.all = [{ ...stored, typed: [weakDigestOf('s2')] }]
  await act(stored)
  expect(useUpload.getState()).toMatchObject({ mrns: {}, typedBefore: new Set() })
  expect(useUpload.getState().mrns).toEqual({})
})

test('sends nothing by itself where another place was chosen while the folder was read', async () => {
  reading.exams = async () => {
    chooseDestination(place('Trauma'))
    return exams()
  }
  expect(await takeUpUpload(await storedFor('s1'))).toBe('shown')
  expect(started).not.toHaveBeenCalled()
  expect(useUpload.getState()).toMatchObject({ destination: place('Trauma'), step: 2 })
})

test('sends nothing by itself where not all studies are found again', async () => {
  expect(await takeUpUpload(await storedFor('s2'))).toBe('shown')
  expect(started).not.toHaveBeenCalled()
  expect(useUpload.getState().source).toMatchObject({ key: 'k1', isPartial: true, lookedAt: new Set() })
})

test('shows how the folder is read, and nothing else is touched while another upload runs', async () => {
  reading.exams = async () => {
    expect(useUpload.getState().step).toBe(1)
    return exams()
  }
  await takeUpUpload(await storedFor('s1'))
  const transfer = { destinationName: 'Trauma' } as never // only whether there is one is read
  useUpload.setState({ ...initialUpload, transfer }, true)
  expect(await takeUpUpload(await storedFor('s1'))).toBe('shown')
  expect(useUpload.getState()).toEqual({ ...initialUpload, transfer })
})
