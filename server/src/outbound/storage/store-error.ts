/**
 * Why bytes cannot be had from the store. `missing`: the object is not there. `short`: it ends too early. `foreign`: it is
 * another one. `slow`: no answer in time. `failed`: the store, or its disk, says no.
 */
type StoreFault = 'missing' | 'short' | 'foreign' | 'slow' | 'failed'

const words: Record<StoreFault, string> = {
  missing: 'The stored file is missing from the server’s store',
  short: 'The stored file is shorter than its record says',
  foreign: 'The server’s store gave another file than the one that was stored',
  slow: 'The server’s store does not answer',
  failed: 'The server’s store cannot read the file',
}

/** Bytes that the store did not give; the message is a sentence for people, without keys and paths. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly fault: StoreFault
  constructor(fault: StoreFault, options?: ErrorOptions) {
    super(words[fault], options)
    this.fault = fault
  }
}

/** Puts a failure of the system, met while reading, into words; anything else stays what it was. */
export function explainReading(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  const isMissing = 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  return new StoreError(isMissing ? 'missing' : 'failed', { cause: error })
}
