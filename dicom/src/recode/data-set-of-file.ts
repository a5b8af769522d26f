import { findFileStart } from '../file-start.ts'
import { StreamHead } from './stream-head.ts'

/** The data set of a file that streams by: its bytes behind preamble and group 0002, untouched. */
export async function* dataSetOfFile(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head = new StreamHead(file)
  try {
    const start = await head.read(findFileStart)
    head.drop(start.dataSetStart)
    yield* head.take(Number.MAX_SAFE_INTEGER)
  } finally {
    await head.close()
  }
}
