import { hexDigestOf, forgetUpload, storesUploads, storeUpload } from '../../session/stored-uploads.ts'
import type { UploadJob } from './upload-job.ts'
import type { UploadSource } from './upload-store.ts'

/**
 * Stores an upload that begins, so that it can be taken up again; nothing where the browser gave no handles. Forms of
 * files that are no DICOM name a patient, and are never stored.
 * @returns the way to forget it
 */
export function storeTransfer(
  { kind, studies, destination }: UploadJob,
  { handles, key }: UploadSource,
  owner: string,
): () => Promise<void> {
  if (kind !== 'dicom' || handles.length === 0 || !storesUploads()) return async () => undefined
  const named = key ?? crypto.randomUUID()
  const stored = Promise.all(studies.map(({ study }) => hexDigestOf(study.studyUid))).then((digests) =>
    storeUpload({
      key: named,
      owner,
      handles,
      destination: destination.groupId ? destination : undefined,
      studies: digests,
      isPlain: studies.every(({ newMrn, mrnReason }) => newMrn === undefined && mrnReason === undefined),
      startedMs: Date.now(),
    }),
  )
  return async () => {
    await stored
    await forgetUpload(named)
  }
}
