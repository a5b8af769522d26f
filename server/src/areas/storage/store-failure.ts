import { StorageError } from '@hilum/contract/storage-errors'
import type { Log } from '../../log.ts'
import { DatabaseAwayError, databaseRetrySeconds } from '../../db/database-away.ts'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'
import { logRefusal } from './refusal-log.ts'

/** Seconds after which a sender may try again where room has to be made by people. */
const diskRetrySeconds = 300
/** Seconds after which a store that did not answer may be asked again. */
const storeRetrySeconds = 30

const full = { httpStatus: 507, retrySeconds: diskRetrySeconds } as const
const reasons: Record<string, readonly [reason: string, options?: ConstructorParameters<typeof StorageError>[3]]> = {
  DISK_RESERVE: ['The disk of the server is nearly full; no uploads are taken until there is room', full],
  ENOSPC: ['The disk of the server is full', full],
  EDQUOT: ['The disk quota of the server is used up', full],
  // the database's own disk
  '53100': ['The disk of the server’s database is full', full],
  EROFS: ['The disk of the server is read-only'],
  EACCES: ['The server may not write into its folder of objects'],
  EPERM: ['The server may not write into its folder of objects'],
  EMFILE: ['The server has too many files open', { httpStatus: 503, retrySeconds: 30 }],
  EIO: ['The disk of the server failed'],
}
const connectionCodes = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED'])

/** Puts a failure of the disk, or of the sender's connection while a body is read, into words. @throws always */
export function explainStoreFailure(log: Log, error: unknown): never {
  if (connectionCodes.has(codeOf(error)))
    throw new StorageError('BAD_REQUEST', 'The connection ended before the file did', {}, { cause: error })
  return explainDiskFailure(log, error)
}

/** As `explainStoreFailure` once the body is read: a connection that ends now is the database's. @throws always */
export function explainDiskFailure(log: Log, error: unknown): never {
  if (error instanceof DatabaseAwayError && !reasons[codeOf(error.cause)]) {
    logRefusal(log, 'The database of the server does not answer')
    throw explainAway(error)
  }
  if (error instanceof StoreError) {
    logRefusal(log, error.message)
    throw explainStoreError(error, 'STORE_OPERATION_FAILED')
  }
  const code = codeOf(error instanceof DatabaseAwayError ? error.cause : error)
  const [reason, options] = reasons[code] ?? []
  if (reason) {
    logRefusal(log, reason)
    throw new StorageError('STORE_OPERATION_FAILED', reason, {}, { cause: error, ...options })
  }
  // SQLSTATEs by which the database says that a value cannot be kept: the same file would fail for ever
  if (/^(22|54)\w{3}$/.test(code))
    throw new StorageError('VALIDATION_ERROR', 'The file holds a value that cannot be kept', {}, { cause: error })
  throw error
}

/** Why no object can be stored at all, in words; undefined where it can. */
export async function findStoreFault(store: Pick<ObjectStore, 'assertWritable'>): Promise<string | undefined> {
  try {
    await store.assertWritable()
    return undefined
  } catch (error) {
    if (error instanceof StoreError) return error.message
    const [reason] = reasons[codeOf(error)] ?? []
    if (reason) return reason
    throw error
  }
}

/** Bytes that the store did not give or take, in words. One that does not answer may do so again. */
export function explainStoreError(
  cause: StoreError,
  code: 'STORAGE_EXCEPTION_OCCURRED' | 'STORE_OPERATION_FAILED' = 'STORAGE_EXCEPTION_OCCURRED',
): StorageError {
  const again = cause.fault === 'slow' ? ({ httpStatus: 503, retrySeconds: storeRetrySeconds } as const) : {}
  return new StorageError(code, cause.message, { reason: cause.fault }, { cause, ...again })
}

/** A database that does not answer, as storage and senders are told of it. */
export function explainAway(cause: DatabaseAwayError): StorageError {
  const options = { cause, httpStatus: 503, retrySeconds: databaseRetrySeconds } as const
  return new StorageError('STORE_OPERATION_FAILED', 'The database of the server does not answer', {}, options)
}

/**
 * Whether the same object may be taken another time: a full disk or a lost database passes. Every other failure is the
 * object's own, and a sender that is told to try again would do so for ever.
 */
export function mayPass(error: StorageError): boolean {
  return error.code === 'STORE_OPERATION_FAILED'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
