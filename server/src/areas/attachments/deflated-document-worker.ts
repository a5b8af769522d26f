import { answerThread } from '../document/in-thread.ts'
import { type DocumentAnswer, readDocument } from './read-document.ts'

await answerThread(async function* ({ bytes }: { bytes: Uint8Array }): AsyncGenerator<DocumentAnswer> {
  yield readDocument(bytes)
})
