import { beforeEach, expect, test, vi } from 'vitest'
import type { StoredUpload } from '../../session/stored-uploads.ts'
import { forgetNotes, listNotes, weakDigestOf } from '../../session/upload-notes.ts'
import { storeTransfer } from './store-transfer.ts'
import type { UploadJob } from './upload-job.ts'

const stored = vi.hoisted(() => new Map<string, StoredUpload>())
const plain = vi.hoisted(() => ({ isHttp: false }))
vi.mock('../../session/stored-uploads.ts', () => ({
  storesUploads: () => !plain.isHttp,
  hexDigestOf: async (text: string) => `digest of ${text}`,
  storeUpload: async (upload: StoredUpload) => void stored.set(upload.key, upload),
  forgetUpload: async (key: string) => void stored.delete(key),
  listInterrupted: async (owner: string) => [...stored.values()].filter((one) => one.owner === owner),
}))

const place = (name: string) => ({ groupId: `g-${name}`, namespaceId: `ns-${name}`, name })
const job = (to: string, ...uids: string[]) =>
  ({
    kind: 'dicom',
    destination: place(to),
    studies: uids.map((studyUid) => ({ study: { studyUid }, newMrn: undefined, mrnReason: undefined })),
    leftOut: new Set(),
  }) as unknown as UploadJob // what storing reads of it
const noHandles = { handles: [] }
const open = () => [...stored.values()].map(({ destination, studies }) => [destination?.name, studies.length])

/** Begins an upload, whose page is left a moment later. */
async function leave(one: UploadJob): Promise<void> {
  storeTransfer(one, noHandles, 'u1')
  window.dispatchEvent(new Event('pagehide'))
  const left = Date.now()
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(left))
}

beforeEach(() => {
  stored.clear()
  plain.isHttp = false
})

test('an upload without handles is remembered until it ends, so that a reload tells of it', async () => {
  const forget = storeTransfer(job('Neuro', 's1'), noHandles, 'u1')
  await vi.waitFor(() => expect(open()).toEqual([['Neuro', 1]]))
  expect(JSON.stringify([...stored.values()])).not.toContain('"s1"')
  await forget()
  expect(open()).toEqual([])
})

test.each([false, true])(
  'says of which studies an MRN was typed, and neither the MRN nor the study (http: %s)',
  async (isHttp) => {
    plain.isHttp = isHttp
    const one = job('Neuro', 'study-1', 'study-2')
    Object.assign(one.studies[1] ?? {}, { newMrn: 'TYPED-7' })
    const forget = storeTransfer(one, noHandles, 'u1')
    window.dispatchEvent(new Event('pagehide'))
    const kept = () => (isHttp ? listNotes('u1') : [...stored.values()])
    await vi.waitFor(() => expect(kept()).toHaveLength(1))
    expect(kept()).toMatchObject([{ typed: [weakDigestOf('study-2')] }])
    expect(JSON.stringify(kept())).not.toMatch(/TYPED-7|"study-/)
    await forget()
    expect(kept()).toEqual([])
  },
)

test('the same studies chosen again for the same place replace it, and nothing else does', async () => {
  for (const one of [job('Neuro', 's1'), job('Heart', 's1'), job('Neuro', 's1', 's2'), job('Neuro', 's3')]) {
    storeTransfer(one, noHandles, 'u1')
    await vi.waitFor(() => expect(open().at(-1)).toEqual([one.destination.name, one.studies.length]))
  }
  storeTransfer(job('Neuro', 's1', 's2', 's3'), noHandles, 'u2')
  await vi.waitFor(() => expect(stored.size).toBe(4))
  expect(open()).toEqual([
    ['Heart', 1],
    ['Neuro', 2],
    ['Neuro', 1],
    ['Neuro', 3],
  ])
})

test('of files that are no DICOM, whose form names a patient, a note alone is there until they have arrived', async () => {
  const files = { ...job('Neuro', 's1'), kind: 'other', fileCount: 3, sizeBytes: 900 } as UploadJob
  const forget = storeTransfer(files, noHandles, 'u1')
  expect(open()).toEqual([])
  expect(listNotes('u1')).toEqual([]) // its page runs
  window.dispatchEvent(new Event('pagehide'))
  expect(listNotes('u1')).toMatchObject([{ kind: 'other', fileCount: 3, destination: { name: 'Neuro' } }])
  expect(listNotes('u2')).toEqual([])
  expect(localStorage.getItem('hilum.upload-notes')).not.toMatch(/s1|handles/)
  window.dispatchEvent(new Event('pageshow'))
  expect(listNotes('u1')).toEqual([])
  await forget()
  window.dispatchEvent(new Event('pagehide'))
  expect(listNotes('u1')).toEqual([])
  expect(localStorage.getItem('hilum.upload-notes')).toBeNull()
})

test('on plain http, where browsers remember no files, a note tells of studies, and the same files chosen again replace it', async () => {
  plain.isHttp = true
  const sent = (name: string, fileCount: number) => ({ ...job(name, 's1', 's2'), fileCount, sizeBytes: 5 }) as UploadJob
  for (const one of [sent('Neuro', 7), sent('Heart', 7), sent('Neuro', 8)]) await leave(one)
  expect(listNotes('u1').map((one) => [one.destination?.name, one.studyCount, one.fileCount])).toEqual([
    ['Neuro', 2, 8],
    ['Heart', 2, 7],
    ['Neuro', 2, 7],
  ])
  const forget = storeTransfer(sent('Neuro', 7), noHandles, 'u1')
  expect(listNotes('u1').map((one) => one.fileCount)).toEqual([8, 7])
  await forget()
  forgetNotes(() => false)
  expect(listNotes('u1')).toEqual([])
})

test('a page that crashed says nothing, and its upload counts as interrupted after a while', () => {
  vi.useFakeTimers()
  const key = 'hilum.upload-notes'
  storeTransfer({ ...job('Neuro', 's1'), kind: 'other' } as UploadJob, noHandles, 'u1')
  vi.advanceTimersByTime(600_000)
  expect(listNotes('u1')).toEqual([])
  const crashed = localStorage.getItem(key) ?? ''
  forgetNotes(() => false)
  localStorage.setItem(key, crashed)
  expect(listNotes('u1')).toEqual([])
  vi.advanceTimersByTime(200_000)
  expect(listNotes('u1')).toHaveLength(1)
  vi.useRealTimers()
})
