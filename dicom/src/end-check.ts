import { ITEM, readElementHeader, SEQUENCE_DELIMITER, sourceOf, UNDEFINED_LENGTH } from './elements.ts'
import { DicomReadError } from './read-error.ts'
import type { DicomHeader } from './read.ts'
import { transferSyntaxOf } from './transfer-syntaxes.ts'

/** Bytes of the longest element header. */
const HEADER_BYTES = 12

/**
 * Tells, while a file streams by, whether its pixel data is all there: a cut-off file must not count as received.
 * Feed every byte of the file from the first one, then call finish. Keeps only a few bytes.
 * Needs a header that was read with untilPixelData. A deflated data set is not looked into.
 */
export class EndCheck {
  /** Offset in the file of the next byte that will be pushed. */
  #position = 0
  /** Offset of the header that is read next; undefined when nothing is left to follow. */
  #wantedOffset: number | undefined
  #wantedBytes = HEADER_BYTES
  #collected: number[] = []
  #phase: 'element' | 'items' = 'element'
  #neededSize = 0
  readonly #encoding: { isExplicit: boolean; isLittleEndian: boolean }

  constructor(
    header: Pick<DicomHeader, 'pixelOffset' | 'transferSyntax'> & { dataSet: Pick<DicomHeader['dataSet'], 'encoding'> },
  ) {
    this.#wantedOffset = header.pixelOffset
    this.#encoding = header.dataSet.encoding
    if (transferSyntaxOf(header.transferSyntax).isDeflated) this.#wantedOffset = undefined
  }

  /** Takes the next bytes of the file. */
  push(chunk: Uint8Array): void {
    const chunkStart = this.#position
    const chunkEnd = chunkStart + chunk.length
    this.#position = chunkEnd
    while (this.#wantedOffset !== undefined) {
      const from = this.#wantedOffset + this.#collected.length
      const until = Math.min(this.#wantedOffset + this.#wantedBytes, chunkEnd)
      if (from >= chunkEnd) return
      this.#collected.push(...chunk.subarray(from - chunkStart, until - chunkStart))
      if (this.#collected.length < this.#wantedBytes) return
      this.#follow(this.#wantedOffset, Uint8Array.from(this.#collected))
      this.#collected = []
    }
  }

  /** @throws DicomReadError truncated | malformed when the file ended too early */
  finish(): void {
    // Twelve bytes are read of an element header, of which an implicit or short one has only eight.
    if (this.#phase === 'element' && this.#wantedOffset !== undefined && this.#collected.length >= 8) {
      this.#follow(this.#wantedOffset, Uint8Array.from([...this.#collected, 0, 0, 0, 0]).subarray(0, HEADER_BYTES))
    }
    if (this.#wantedOffset !== undefined || this.#neededSize > this.#position) throw truncated()
  }

  #follow(offset: number, bytes: Uint8Array): void {
    const source = sourceOf(bytes, this.#encoding)
    if (this.#phase === 'element') {
      // the bytes that follow are out of sight, so no end of the data is named
      const header = readElementHeader(source, 0, Number.POSITIVE_INFINITY, this.#encoding.isExplicit)
      if (header.length === UNDEFINED_LENGTH) this.#expectItem(offset + header.valueStart)
      else this.#end(offset + header.valueStart + header.length)
      return
    }
    const little = this.#encoding.isLittleEndian
    const tag = ((source.view.getUint16(0, little) << 16) | source.view.getUint16(2, little)) >>> 0
    if (tag === SEQUENCE_DELIMITER) this.#end(offset + 8)
    else if (tag === ITEM) this.#expectItem(offset + 8 + source.view.getUint32(4, little))
    else throw new DicomReadError('malformed', 'The pixel data holds something that is not a fragment')
  }

  #expectItem(offset: number): void {
    this.#phase = 'items'
    this.#wantedBytes = 8
    this.#wantedOffset = offset
  }

  #end(offset: number): void {
    this.#neededSize = offset
    this.#wantedOffset = undefined
  }
}

function truncated(): DicomReadError {
  return new DicomReadError('truncated', 'The file ends inside its pixel data')
}
