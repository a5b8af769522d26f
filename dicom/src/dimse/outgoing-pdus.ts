import { MAX_PDU_BYTES } from './association-limits.ts'
import { encodeFragmentHeader, FRAGMENT_HEADER_BYTES } from './pdu.ts'

/** Pieces of PDUs in their order, headers and data, to be written together. */
type PduPieces = Uint8Array[]

/**
 * A data set as PDUs of one fragment each, cut without copying. PDUs that are ready together come together, a peer's
 * small ones (16 KB is the usual most) up to the size of our longest: a system call for each cost more than reading the
 * files. Fragments have even lengths (PS3.8 Annex E); a last odd byte gets a zero beside it.
 * @param maxPduBytes what the peer takes, without the header of the PDU
 */
export async function* pdusOf(
  data: AsyncIterable<Uint8Array>,
  contextId: number,
  maxPduBytes: number,
): AsyncGenerator<PduPieces> {
  const room = maxPduBytes - FRAGMENT_HEADER_BYTES
  const size = room - (room % 2)
  const together = Math.max(1, Math.floor(MAX_PDU_BYTES / maxPduBytes))
  let ready: PduPieces = []
  let readyPdus = 0
  let chunks: Uint8Array[] = []
  let length = 0
  const end = (isLast: boolean) => {
    ready.push(encodeFragmentHeader(contextId, { isCommand: false, isLast, length }), ...chunks)
    readyPdus += 1
    chunks = []
    length = 0
  }
  const takeTogether = () => {
    const pieces = ready
    ready = []
    readyPdus = 0
    return pieces
  }
  for await (const chunk of data) {
    for (let at = 0; at < chunk.length; ) {
      // a full fragment leaves only when there is more: the last one must be marked
      if (length === size) end(false)
      if (readyPdus === together) yield takeTogether()
      const part = chunk.subarray(at, at + size - length)
      chunks.push(part)
      length += part.length
      at += part.length
    }
    if (readyPdus > 0) yield takeTogether()
  }
  if (length % 2 === 1) {
    chunks.push(Uint8Array.of(0))
    length += 1
  }
  end(true)
  yield takeTogether()
}
