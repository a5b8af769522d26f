import { create } from 'zustand'
import type { ApiFailure } from '../api/api-failure.ts'
import { useSession } from '../session/session-store.ts'

/** A file on its way to a study. Kept outside the tab, so that leaving it stops nothing. */
export interface AttachmentUpload {
  key: string
  studyUuid: string
  file: File
  state:
    | { kind: 'waiting' }
    | { kind: 'sending'; sentBytes: number }
    | { kind: 'failed'; failure: ApiFailure | undefined }
  stop: AbortController
}

const useStore = create<{ uploads: readonly AttachmentUpload[] }>(() => ({ uploads: [] }))

/** All uploads under way or failed, in the order in which they were asked for. */
export function useAttachmentUploads(): readonly AttachmentUpload[] {
  return useStore(({ uploads }) => uploads)
}

export function listUploads(): readonly AttachmentUpload[] {
  return useStore.getState().uploads
}

let count = 0

export function addUploads(studyUuid: string, files: readonly File[]): void {
  const added = files.map(
    (file): AttachmentUpload => ({
      key: `upload-${++count}`,
      studyUuid,
      file,
      state: { kind: 'waiting' },
      stop: new AbortController(),
    }),
  )
  useStore.setState(({ uploads }) => ({ uploads: [...uploads, ...added] }))
}

export function setUpload(key: string, change: Partial<Pick<AttachmentUpload, 'state' | 'stop'>>): void {
  useStore.setState(({ uploads }) => ({
    uploads: uploads.map((one) => (one.key === key ? { ...one, ...change } : one)),
  }))
}

export function dropUpload(key: string): void {
  useStore.setState(({ uploads }) => ({ uploads: uploads.filter((one) => one.key !== key) }))
}

/** Stops and forgets everything: somebody else may sit down next. */
export function clearUploads(): void {
  for (const { stop } of listUploads()) stop.abort()
  useStore.setState({ uploads: [] })
}

let lastUser: string | undefined
useSession.subscribe(({ state }) => {
  const user = state.status === 'established' ? state.session.user.uuid : undefined
  const isLeft = state.status === 'signedOut' && state.reason === 'signedOut'
  if (isLeft || (user && lastUser && user !== lastUser)) clearUploads()
  lastUser = user ?? lastUser
})
