import { StorageError } from '@hilum/contract/storage-errors'
import { DicomReadError } from '@hilum/dicom/read-error'
import { answerOfThread } from '../document/in-thread.ts'
import { atMost } from './at-most.ts'
import { readStart, type StartRead, type ThreadAnswer } from './read-start.ts'

/** The largest headers read in this thread, as they come and once inflated: some ten milliseconds of work. */
const mostBytesHere = 256 * 1024
const mostInflatedHere = 1024 * 1024
const limits = { stepMs: 30_000, heapMb: 512 }
const worker = new URL('./body-start-worker.ts', import.meta.url)
/** Each may hold a header of 64 MB, and that again inflated. */
const inTurn = atMost(2)

/**
 * Reads the beginning of an image; a large or deflated one in a thread of its own, so that no other request waits.
 * @param size of the whole file
 * @throws DicomReadError
 */
export async function readBodyStart(bytes: Uint8Array, size: number): Promise<StartRead> {
  if (bytes.length > mostBytesHere) return readApart(bytes, size)
  try {
    return readStart(bytes, size, mostInflatedHere)
  } catch (error) {
    if (!(error instanceof DicomReadError) || error.code !== 'too-large-inflated') throw error
    return readApart(bytes, size)
  }
}

async function readApart(bytes: Uint8Array, size: number): Promise<StartRead> {
  const answer = await inTurn(async () => {
    try {
      return await answerOfThread<ThreadAnswer>(worker, { bytes, size }, limits)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      throw new DicomReadError('too-large', 'The header of the file takes more to read than allowed', { cause: error })
    }
  })
  if (answer.kind === 'refused') throw new DicomReadError(answer.code, answer.message)
  return answer
}
