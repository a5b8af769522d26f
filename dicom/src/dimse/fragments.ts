/**
 * Cuts a data set into fragments of just `size` bytes, the last one shorter; each is a list of chunks, so that nothing
 * is copied. Fragments have even lengths (PS3.8 Annex E); a last odd byte gets a zero beside it.
 */
export async function* fragmentsOf(
  data: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ chunks: Uint8Array[]; length: number; isLast: boolean }> {
  const evenSize = size - (size % 2)
  let chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of data) {
    let rest = chunk
    while (rest.length > 0) {
      // a full fragment leaves only when there is more: the last one must be marked
      if (length === evenSize) {
        yield { chunks, length, isLast: false }
        chunks = []
        length = 0
      }
      const part = rest.subarray(0, evenSize - length)
      chunks.push(part)
      length += part.length
      rest = rest.subarray(part.length)
    }
  }
  if (length % 2 === 1) {
    chunks.push(Uint8Array.of(0))
    length += 1
  }
  yield { chunks, length, isLast: true }
}
