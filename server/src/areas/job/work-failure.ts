import { StorageError } from '@hilum/contract/storage-errors'
import { DatabaseAwayError } from '../../db/database-away.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'

/** Why work did not go well: a code, and words without patient data. */
export interface WorkFault {
  error: string
  message: string
}

/** Thrown by a job that knows the reason; its words are shown to whom the work belongs. */
export class WorkFailure extends Error {
  override readonly name = 'WorkFailure'
  readonly code: string
  /** Whether another try would fail alike. */
  readonly isFinal: boolean

  constructor(code: string, message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.code = code
    this.isFinal = isFinal
  }
}

export const interrupted: WorkFault = {
  error: 'INTERRUPTED',
  message: 'The server process that did this ended before it was done',
}
export const cancelled: WorkFault = { error: 'CANCELLED', message: 'This was cancelled' }

/** Words of ours alone: those of a database or a parser may quote a patient. */
export function workFaultOf(error: unknown): WorkFault {
  const isOurs = error instanceof WorkFailure || error instanceof StorageError || error instanceof DatabaseAwayError
  if (isOurs) return { error: error.code, message: error.message }
  if (error instanceof StoreError) return { error: 'STORE_FAILED', message: error.message }
  return { error: 'FAILED', message: "The server's log says why, under the uuid of this work" }
}
