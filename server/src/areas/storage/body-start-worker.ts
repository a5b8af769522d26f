import { DicomReadError } from '@hilum/dicom/read-error'
import { answerThread } from '../document/in-thread.ts'
import { maxInflatedHeader, readStart, type ThreadAnswer } from './read-start.ts'

await answerThread(async function* ({
  bytes,
  size,
}: {
  bytes: Uint8Array
  size: number
}): AsyncGenerator<ThreadAnswer> {
  try {
    yield readStart(bytes, size, maxInflatedHeader)
  } catch (error) {
    if (!(error instanceof DicomReadError)) throw error
    yield { kind: 'refused', code: error.code, message: error.message }
  }
})
