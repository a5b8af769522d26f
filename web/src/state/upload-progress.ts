import { create } from 'zustand'

/** Why an upload does not move: people, the line, the session, or a server that does not answer or has no room. */
export type UploadWait = 'paused' | 'offline' | 'signed-out' | 'silent' | 'full'

/** Progress of this tab's upload, for the shell (SHELL-07, ENTITY-19). */
interface UploadProgress {
  /** preparing: files are being read, or the server is asked what it has; nothing is sent yet. */
  status: 'idle' | 'preparing' | 'uploading'
  uploadedBytes: number
  totalBytes: number
  /** Whole percent, 0 to 100, of uploaded over selected bytes (UPLOAD-15). */
  percent: number
  wait: UploadWait | undefined
}

const idle: UploadProgress = { status: 'idle', uploadedBytes: 0, totalBytes: 0, percent: 0, wait: undefined }

/** Progress of the upload of this tab. The upload wizard writes it, the left navigation reads it. */
export const useUploadProgress = create<UploadProgress>(() => idle)

/** Tells the shell how far the upload is. 100 % only when nothing is left. */
export function setUploadProgress(
  status: UploadProgress['status'],
  uploadedBytes = 0,
  totalBytes = 0,
  wait?: UploadProgress['wait'],
) {
  const percent = totalBytes > 0 ? Math.min(100, Math.floor((uploadedBytes / totalBytes) * 100)) : 0
  useUploadProgress.setState({ status, uploadedBytes, totalBytes, percent, wait })
}

/** Back to the initial values, at success as at failure (UPLOAD-16). */
export function resetUploadProgress() {
  useUploadProgress.setState(idle)
}
