import { DicomReadError } from '@hilum/dicom/read-error'
import { answerThread } from '../document/in-thread.ts'
import { type DeflatedFile, type RewriteAnswer, rewriteDeflated } from './rewrite-deflated.ts'

await answerThread(async function* (file: DeflatedFile): AsyncGenerator<RewriteAnswer> {
  try {
    yield rewriteDeflated(file)
  } catch (error) {
    if (!(error instanceof DicomReadError)) throw error
    yield { kind: 'refused', code: error.code, message: error.message }
  }
})
