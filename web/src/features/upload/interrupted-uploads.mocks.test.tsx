import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { showSignedIn } from '../../../test/signed-in.tsx'
import type { UploadNote } from '../../session/upload-notes.ts'
import { InterruptedUploads } from './interrupted-uploads.tsx'
import { initialUpload, useUpload } from './upload-store.ts'

/** Uploads whose handles the browser stored. */
const browser = vi.hoisted(() => ({ uploads: [] as unknown[] }))
vi.mock('../../session/stored-uploads.ts', async (actual) => ({
  ...(await actual<object>()),
  listInterrupted: async () => browser.uploads,
}))

const note: UploadNote = {
  key: 'k1',
  owner: 'u1',
  kind: 'other',
  destination: { namespaceId: 'n1', name: 'Neuro' },
  studyCount: 1,
  fileCount: 3,
  sizeBytes: 900,
  startedMs: Date.now() - 60_000,
  seenMs: 0,
}
const places = [{ groupId: 'g1', namespaceId: 'n1', name: 'Neuro' }]
const stored = () => localStorage.getItem('hilum.upload-notes')
function show(notes: readonly Partial<UploadNote>[]) {
  localStorage.setItem('hilum.upload-notes', JSON.stringify(notes.map((one) => ({ ...note, ...one }))))
  showSignedIn(<InterruptedUploads owner="u1" destinations={places} />, {})
}

beforeEach(() => {
  localStorage.clear()
  browser.uploads = []
})

test('after a reload the page says which files were broken off, and forgets them on demand', async () => {
  show([{}])
  expect(await screen.findByText('Your upload to Neuro was interrupted')).toBeDefined()
  expect(screen.getByText(/^3 files, begun .* Choose the files again, and fill in the form once more\.$/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Go on' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Forget it' }))
  await waitFor(() => expect(screen.queryByText('Your upload to Neuro was interrupted')).toBeNull())
  expect(stored()).toBeNull()
})

test('studies that were broken off on plain http are told by their number; what others began, or elsewhere, is not', async () => {
  show([
    { key: 'k2', kind: 'dicom', studyCount: 2 },
    { key: 'k3', owner: 'u2' },
    { key: 'k4', destination: { namespaceId: 'n2', name: 'Heart' } },
  ])
  expect(await screen.findByText(/^2 studies, begun .* Choose the same folder again/)).toBeDefined()
  expect(screen.getAllByText(/was interrupted$/)).toHaveLength(1)
})

test.each([
  ['says no', async () => 'denied'],
  ['is not answered', async () => 'prompt'],
  ['may not be asked', () => Promise.reject(new DOMException('No user activation', 'SecurityError'))],
])(
  '[UPLOAD-13] after a restart that took the files back, and a question that %s, the folder is chosen again',
  async (_how, requestPermission) => {
    const values = vi.fn<() => never>()
    browser.uploads = [
      {
        key: 'k5',
        owner: 'u1',
        handles: [{ kind: 'directory', name: 'cd', requestPermission, values }],
        destination: places[0],
        studies: ['digest'],
        isPlain: true,
        startedMs: Date.now() - 60_000,
      },
    ]
    show([])
    const before = useUpload.getState()
    await userEvent.click(await screen.findByRole('button', { name: 'Go on' }))
    const told =
      'The browser does not give these files any more. Choose the folder again: only what is missing is sent.'
    expect((await screen.findByRole('alert')).textContent).toBe(told)
    expect(values).not.toHaveBeenCalled()
    expect(useUpload.getState()).toBe(before)
    expect(before.step).toBe(initialUpload.step)
    expect(screen.getByRole('button', { name: 'Forget it' })).toBeDefined()
  },
)
