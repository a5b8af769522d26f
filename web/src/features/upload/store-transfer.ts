import { hexDigestOf, forgetUpload, listInterrupted, storesUploads, storeUpload } from '../../session/stored-uploads.ts'
import { noteUpload } from '../../session/upload-notes.ts'
import { digestTyped, rememberTyped } from './typed-before.ts'
import type { UploadJob } from './upload-job.ts'
import type { UploadSource } from './upload-store.ts'

/**
 * Stores an upload that begins, so that it can be taken up again, or, where the browser gave no handles, is told of after
 * a reload. Forms of files that are no DICOM name a patient, and are never stored: these are told of alone.
 * @returns the way to forget it
 */
export function storeTransfer(job: UploadJob, { handles, key }: UploadSource, owner: string): () => Promise<void> {
  const { kind, studies, leftOut, destination, fileCount, sizeBytes } = job
  const forgetTyped = rememberTyped(job)
  const typed = digestTyped(job)
  if (kind !== 'dicom' || !storesUploads()) {
    const forget = noteUpload({
      owner,
      kind,
      destination: destination.groupId ? { namespaceId: destination.namespaceId, name: destination.name } : undefined,
      studyCount: studies.length,
      fileCount,
      sizeBytes,
      typed,
    })
    return async () => {
      forgetTyped()
      forget()
    }
  }
  const named = key ?? crypto.randomUUID()
  const stored = Promise.all(studies.map(({ study }) => hexDigestOf(study.studyUid))).then(async (digests) => {
    await forgetReplaced(owner, destination.namespaceId, digests)
    await storeUpload({
      key: named,
      owner,
      handles,
      destination: destination.groupId ? destination : undefined,
      studies: digests,
      leftOut: await Promise.all([...leftOut].map(hexDigestOf)),
      typed,
      isPlain: studies.every(({ newMrn, mrnReason }) => newMrn === undefined && mrnReason === undefined),
      startedMs: Date.now(),
    })
  })
  return async () => {
    forgetTyped()
    await stored
    await forgetUpload(named)
  }
}

/** Forgets uploads without handles that this one takes up: of the same studies to the same place, chosen again. */
async function forgetReplaced(owner: string, namespaceId: string, digests: readonly string[]): Promise<void> {
  const chosen = new Set(digests)
  for (const { key, handles, destination, studies } of await listInterrupted(owner)) {
    const isHere = !destination || destination.namespaceId === namespaceId
    if (isHere && handles.length === 0 && studies.every((one) => chosen.has(one))) await forgetUpload(key)
  }
}
