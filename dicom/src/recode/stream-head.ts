import { FIRST_READ_BYTES } from '../limits.ts'
import { DicomReadError, NeedMoreBytes } from '../read-error.ts'

/** The most of an object that is gathered in memory: everything but its pixels. */
const MAX_HEAD_BYTES = 64 * 1024 * 1024

/** Tried first. A store's first piece is longer, even without preamble and group 0002: nothing is joined, and so copied. */
const ENOUGH_BYTES = FIRST_READ_BYTES / 2

/** The beginning of a stream, gathered until it can be understood, and the rest behind it. */
export class StreamHead {
  #bytes: Buffer = Buffer.alloc(0)
  #isAtEnd = false
  readonly #chunks: AsyncIterator<Uint8Array>

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /**
   * Tries `read` with what is there, and again with more when it throws NeedMoreBytes.
   * @param read gets the bytes and the size of the stream, which is out of sight until its end is there
   * @throws DicomReadError
   */
  async read<T>(read: (bytes: Buffer, size: number) => T): Promise<T> {
    await this.#grow(ENOUGH_BYTES)
    for (;;) {
      try {
        return read(this.#bytes, this.#isAtEnd ? this.#bytes.length : Number.MAX_SAFE_INTEGER)
      } catch (error) {
        if (!(error instanceof NeedMoreBytes)) throw error
        if (this.#isAtEnd) throw new DicomReadError('truncated', 'The file ends inside an element')
        await this.#grow(Math.max(error.atLeastBytes, this.#bytes.length * 2))
      }
    }
  }

  /** Lets go of the first bytes, which were gathered before. */
  drop(count: number): void {
    this.#bytes = this.#bytes.subarray(count)
  }

  /** The next `count` bytes as they come; all of them when there are fewer. */
  async *take(count: number): AsyncGenerator<Uint8Array> {
    let left = count
    while (left > 0) {
      if (this.#bytes.length === 0 && !(await this.#more())) return
      const part = this.#bytes.subarray(0, left)
      this.#bytes = this.#bytes.subarray(part.length)
      left -= part.length
      yield part
    }
  }

  /** Everything that is left, in memory. */
  async rest(): Promise<Buffer> {
    await this.#grow(MAX_HEAD_BYTES + 1)
    if (!this.#isAtEnd) throw tooLong()
    return this.#bytes
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #grow(count: number): Promise<void> {
    if (count > MAX_HEAD_BYTES + 1) throw tooLong()
    const parts = [this.#bytes]
    let length = this.#bytes.length
    while (length < count && !this.#isAtEnd) {
      const { done, value } = await this.#chunks.next()
      if (done) this.#isAtEnd = true
      else {
        parts.push(asBuffer(value))
        length += value.length
      }
    }
    if (parts.length > 1) this.#bytes = Buffer.concat(parts)
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) this.#isAtEnd = true
    else this.#bytes = asBuffer(value)
    return !done
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function tooLong(): DicomReadError {
  return new DicomReadError('malformed', `The header of the file is larger than ${MAX_HEAD_BYTES} bytes`)
}
