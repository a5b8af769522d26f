import { create } from 'zustand'

/** What the shell shows of a running upload (SHELL-07, ENTITY-19). */
export interface UploadProgress {
  /** waiting: held up by a lost connection or an ended session; finishing: all is sent, the server's list is compared. */
  phase: 'idle' | 'running' | 'paused' | 'waiting' | 'finishing'
  uploadedBytes: number
  totalBytes: number
  /** Whole percent, 0 to 100, of uploaded over selected bytes (UPLOAD-15). */
  percent: number
}

const idle: UploadProgress = { phase: 'idle', uploadedBytes: 0, totalBytes: 0, percent: 0 }

/** Progress of the upload of this tab. The upload wizard writes it, the left navigation reads it. */
export const useUploadProgress = create<UploadProgress>(() => idle)

/** Tells the shell how far the upload is. 100 % only when nothing is left. */
export function setUploadProgress(phase: UploadProgress['phase'], uploadedBytes: number, totalBytes: number) {
  const percent = totalBytes > 0 ? Math.min(100, Math.floor((uploadedBytes / totalBytes) * 100)) : 0
  useUploadProgress.setState({ phase, uploadedBytes, totalBytes, percent })
}

/** Back to the initial values, at success as at failure (UPLOAD-16). */
export function resetUploadProgress() {
  useUploadProgress.setState(idle)
}
