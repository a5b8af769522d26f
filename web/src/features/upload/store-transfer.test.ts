import { beforeEach, expect, test, vi } from 'vitest'
import type { StoredUpload } from '../../session/stored-uploads.ts'
import { storeTransfer } from './store-transfer.ts'
import type { UploadJob } from './upload-job.ts'

const stored = vi.hoisted(() => new Map<string, StoredUpload>())
vi.mock('../../session/stored-uploads.ts', () => ({
  storesUploads: () => true,
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
  }) as unknown as UploadJob // what storing reads of it
const noHandles = { handles: [] }
const open = () => [...stored.values()].map(({ destination, studies }) => [destination?.name, studies.length])

beforeEach(() => stored.clear())

test('an upload without handles is remembered until it ends, so that a reload tells of it', async () => {
  const forget = storeTransfer(job('Neuro', 's1'), noHandles, 'u1')
  await vi.waitFor(() => expect(open()).toEqual([['Neuro', 1]]))
  expect(JSON.stringify([...stored.values()])).not.toContain('"s1"')
  await forget()
  expect(open()).toEqual([])
})

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

test('nothing is stored of files that are no DICOM, whose form names a patient', async () => {
  await storeTransfer({ ...job('Neuro', 's1'), kind: 'other' } as UploadJob, noHandles, 'u1')()
  expect(open()).toEqual([])
})
