import { DicomReadError } from '@hilum/dicom/read-error'
import { answerOfThread } from '../document/in-thread.ts'
import { atMost } from '../storage/at-most.ts'
import type { DocumentAnswer } from './read-document.ts'

const limits = { stepMs: 30_000, heapMb: 512 }
const worker = new URL('./deflated-document-worker.ts', import.meta.url)
/** Each holds a file and what it grows to. */
const inTurn = atMost(2)

/**
 * The document inside a deflated file, read in a thread of its own so that no other request waits; undefined when there is none.
 * @throws DicomReadError
 */
export async function readDeflatedDocument(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const answer = await inTurn(() => answerOfThread<DocumentAnswer>(worker, { bytes }, limits))
  if (answer.kind === 'refused') throw new DicomReadError(answer.code, answer.message)
  return answer.bytes
}
