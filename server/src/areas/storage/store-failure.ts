import { StorageError } from '@hilum/contract/storage-errors'

const reasons: Record<string, string> = {
  ENOSPC: 'The disk of the server is full',
  EDQUOT: 'The disk quota of the server is used up',
  EROFS: 'The disk of the server is read-only',
  EMFILE: 'The server has too many files open',
  EIO: 'The disk of the server failed',
}
const connectionCodes = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED'])

/** Puts a failure of disk or connection into words. @throws always */
export function explainStoreFailure(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasons[code]
  if (reason) throw new StorageError('STORE_OPERATION_FAILED', reason, {}, { cause: error })
  if (connectionCodes.has(code))
    throw new StorageError('BAD_REQUEST', 'The connection ended before the file did', {}, { cause: error })
  throw error
}
