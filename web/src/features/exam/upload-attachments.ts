import { ApiFailure } from '../../api/api-failure.ts'
import { type AttachedTo, sendAttachment } from '../../api/attachments.ts'
import {
  type AttachmentUpload,
  addUploads,
  dropUpload,
  listUploads,
  setUpload,
} from '../../state/attachment-uploads.ts'

/** Files sent at once to one study. */
const lanes = 2
/** The largest attachment that the server takes. */
export const maxAttachmentBytes = 1024 ** 3

interface UploadListener {
  /** A file is on disk and on record. */
  onAdded: () => void
  onFailed: () => void
}

type Target = AttachedTo & { uuid: string }

/** Sends files to be attached; each fails or succeeds by itself. */
export function uploadAttachments(study: Target, files: readonly File[], listener: UploadListener): void {
  addUploads(study.uuid, files)
  fillLanes(study, listener)
}

/** Sends a failed one again, from its first byte. */
export function retryUpload(study: Target, { key }: AttachmentUpload, listener: UploadListener): void {
  setUpload(key, { state: { kind: 'waiting' }, stop: new AbortController() })
  fillLanes(study, listener)
}

/** Stops a file that is on its way, or leaves a failed one out. */
export function cancelAttachmentUpload({ key, stop }: AttachmentUpload): void {
  stop.abort()
  dropUpload(key)
}

function fillLanes(study: Target, listener: UploadListener): void {
  const own = listUploads().filter(({ studyUuid }) => studyUuid === study.uuid)
  const free = lanes - own.filter(({ state }) => state.kind === 'sending').length
  const next = own.filter(({ state }) => state.kind === 'waiting').slice(0, Math.max(0, free))
  for (const upload of next) void run(study, upload, listener)
}

async function run(study: Target, { key, file, stop }: AttachmentUpload, listener: UploadListener): Promise<void> {
  setUpload(key, { state: { kind: 'sending', sentBytes: 0 } })
  try {
    refuseWhatCannotBeTaken(file)
    const onBytes = (sentBytes: number) => setUpload(key, { state: { kind: 'sending', sentBytes } })
    await sendAttachment(study, file, { signal: stop.signal, onBytes })
    dropUpload(key)
    listener.onAdded()
  } catch (failure) {
    if (!stop.signal.aborted) {
      setUpload(key, { state: { kind: 'failed', failure: failure instanceof ApiFailure ? failure : undefined } })
      listener.onFailed()
    }
  }
  fillLanes(study, listener)
}

/** Refuses, before it is sent, a file that the server would refuse. */
function refuseWhatCannotBeTaken(file: File): void {
  if (file.size === 0) throw new ApiFailure('HTTP_ERROR', { status: 412 })
  if (file.size > maxAttachmentBytes) throw new ApiFailure('HTTP_ERROR', { status: 413 })
}
