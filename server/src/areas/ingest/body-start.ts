import { StorageError } from '@hilum/contract/storage-errors'
import { DicomReadError } from '@hilum/dicom/read-error'
import { answerOfThread } from '../document/in-thread.ts'
import { atMost } from '../storage/at-most.ts'
import type { GatheredBytes } from './gathered-bytes.ts'
import { readStart, type StartRead, type ThreadAnswer } from './read-start.ts'

/** The largest headers read in this thread, as they come and once inflated: some ten milliseconds of work. */
export const MOST_BYTES_HERE = 256 * 1024
const mostInflatedHere = 1024 * 1024
const limits = { stepMs: 30_000, heapMb: 512 }
const worker = new URL('./body-start-worker.ts', import.meta.url)
/** Each may hold a header of 64 MB, and that again inflated. */
const inTurn = atMost(2)

/**
 * Reads the beginning of an image in this thread; undefined where that would keep other requests waiting.
 * @param size of the whole file
 * @throws DicomReadError
 */
export function readStartHere(bytes: Uint8Array, size: number): StartRead | undefined {
  if (bytes.length > MOST_BYTES_HERE) return undefined
  try {
    return readStart(bytes, size, mostInflatedHere)
  } catch (error) {
    if (!(error instanceof DicomReadError) || error.code !== 'too-large-inflated') throw error
    return undefined
  }
}

/** Reads a large or deflated beginning of an image in a thread of its own. @throws DicomReadError */
export async function readStartApart(gathered: GatheredBytes, size: number): Promise<StartRead> {
  const answer = await inTurn(() => gathered.lend((lent) => readInThread(lent, size)))
  if (answer.kind === 'refused') throw new DicomReadError(answer.code, answer.message)
  return answer
}

async function readInThread(lent: { buffer: ArrayBuffer; length: number }, size: number) {
  try {
    const { buffer, ...answer } = await answerOfThread<ThreadAnswer>(worker, { ...lent, size }, limits, [lent.buffer])
    return { buffer, answer }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new DicomReadError('too-large', 'The header of the file takes more to read than allowed', { cause: error })
  }
}
