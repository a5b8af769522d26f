import { DicomReadError } from '@hilum/dicom/read-error'
import { Inflate } from 'pako'

const CHUNK_BYTES = 256 * 1024

/**
 * Inflates a deflated data set in the browser; an input that stops early gives what it holds.
 * @throws DicomReadError too-large-inflated | malformed
 */
export function inflateDataSet(input: Uint8Array, maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = []
  let size = 0
  const inflate = new Inflate({ raw: true, chunkSize: CHUNK_BYTES })
  inflate.onData = (chunk) => {
    size += chunk.length
    if (size > maxBytes) {
      throw new DicomReadError('too-large-inflated', `The data set inflates to more than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  const SYNC_FLUSH = 2
  inflate.push(input, SYNC_FLUSH)
  const BUFFER_ERROR = -5
  if (inflate.err !== 0 && inflate.err !== BUFFER_ERROR) {
    throw new DicomReadError('malformed', 'The deflated data set is damaged')
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
