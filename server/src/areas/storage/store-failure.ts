import { StorageError } from '@hilum/contract/storage-errors'

const reasons: Record<string, string> = {
  ENOSPC: 'The disk of the server is full',
  EDQUOT: 'The disk quota of the server is used up',
  EROFS: 'The disk of the server is read-only',
  EMFILE: 'The server has too many files open',
  EIO: 'The disk of the server failed',
}
const connectionCodes = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED'])

/** Puts a failure of the disk, or of the sender's connection while a body is read, into words. @throws always */
export function explainStoreFailure(error: unknown): never {
  if (connectionCodes.has(codeOf(error)))
    throw new StorageError('BAD_REQUEST', 'The connection ended before the file did', {}, { cause: error })
  return explainDiskFailure(error)
}

/** As `explainStoreFailure` once the body is read: a connection that ends now is the database's. @throws always */
export function explainDiskFailure(error: unknown): never {
  const reason = reasons[codeOf(error)]
  if (reason) throw new StorageError('STORE_OPERATION_FAILED', reason, {}, { cause: error })
  throw error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
