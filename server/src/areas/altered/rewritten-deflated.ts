import { MAX_INFLATED_BYTES } from '@hilum/dicom/limits'
import { StorageError } from '@hilum/contract/storage-errors'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import { answerOfThread } from '../document/in-thread.ts'
import { atMost } from '../storage/at-most.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { storeOf } from '../storage/own-bytes.ts'
import {
  type DeflatedFile,
  type RewriteAnswer,
  rewriteDeflated,
  type RewrittenFile,
  type Rewriting,
} from './rewrite-deflated.ts'

/** The size up to which a data set is rewritten among other requests: some ten milliseconds of work. */
const mostInflatedHere = 1024 * 1024
const limits = { stepMs: 60_000, heapMb: 512 }
const worker = new URL('./rewrite-deflated-worker.ts', import.meta.url)
/** Each holds a file, and twice what it grows to. */
const inTurn = atMost(2)

/**
 * A deflated instance written anew as a whole; one that grows large in a thread of its own, so that no other request waits.
 * @throws DicomReadError
 */
export async function rewrittenDeflated(
  store: ObjectStore,
  instance: StoredInstance,
  rewriting: Rewriting,
): Promise<RewrittenFile> {
  const { object_key, byte_offset, length } = instance
  if (length > MAX_INFLATED_BYTES) {
    throw new DicomReadError('too-large', `A deflated file of more than ${MAX_INFLATED_BYTES} bytes is not rewritten`)
  }
  const file = { bytes: await storeOf(store, instance).read(object_key, byte_offset, length), rewriting }
  if (length > mostInflatedHere) return rewrittenApart(file)
  try {
    return rewriteDeflated(file, mostInflatedHere)
  } catch (error) {
    if (!(error instanceof DicomReadError) || error.code !== 'too-large-inflated') throw error
    return rewrittenApart(file)
  }
}

async function rewrittenApart(file: DeflatedFile): Promise<RewrittenFile> {
  const answer = await inTurn(async () => {
    try {
      return await answerOfThread<RewriteAnswer>(worker, file, limits)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      throw new DicomReadError('too-large', 'The deflated file takes more to rewrite than allowed', { cause: error })
    }
  })
  if (answer.kind === 'refused') throw new DicomReadError(answer.code, answer.message)
  return answer
}
