import { DicomReadError } from '@hilum/dicom/read-error'
import { answerThread } from '../document/in-thread.ts'
import { maxInflatedHeader, readStart, type ThreadAnswer } from './read-start.ts'

type Given = { buffer: ArrayBuffer; length: number; size: number }

await answerThread(
  async function* ({ buffer, length, size }: Given): AsyncGenerator<ThreadAnswer> {
    try {
      yield { ...readStart(new Uint8Array(buffer, 0, length), size, maxInflatedHeader), buffer }
    } catch (error) {
      if (!(error instanceof DicomReadError)) throw error
      yield { kind: 'refused', code: error.code, message: error.message, buffer }
    }
  },
  ({ buffer }) => [buffer],
)
