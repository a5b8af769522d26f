import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { MAX_INFLATED_BYTES } from '../limits.ts'
import { DicomReadError } from '../read-error.ts'

/**
 * Inflates a deflated data set with Node's zlib; an input that stops early gives what it holds.
 * @throws DicomReadError too-large-inflated | malformed
 */
export function inflate(input: Uint8Array, maxBytes: number = MAX_INFLATED_BYTES): Uint8Array {
  try {
    return inflateRawSync(input, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new DicomReadError('too-large-inflated', `The data set inflates to more than ${maxBytes} bytes`, {
        cause: error,
      })
    }
    throw new DicomReadError('malformed', 'The deflated data set is damaged', { cause: error })
  }
}

/** Deflates a data set the way PS3.5 §A.5 asks: raw DEFLATE, padded to an even length. */
export function deflate(dataSet: Uint8Array): Uint8Array {
  const compressed = deflateRawSync(dataSet)
  if (compressed.length % 2 === 0) return compressed
  const padded = new Uint8Array(compressed.length + 1)
  padded.set(compressed)
  return padded
}
