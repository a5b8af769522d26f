import { setImmediate as nextTurn } from 'node:timers/promises'

/** Bytes that can be read in ranges: a file, a part of a file, or memory. */
export interface ByteSource {
  readonly size: number
  /** Gives fewer bytes than asked only at the end of the source. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/** Gives other work of the thread its turn before each read, as a file does: a walk may take millions of steps. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    async read(offset, length) {
      await nextTurn()
      return bytes.subarray(offset, Math.max(offset, offset + length))
    },
  }
}

/**
 * Small reads served from one window of the source, so that walking headers costs few system calls.
 * Values larger than the window are read directly.
 */
export class WindowedReader {
  readonly source: ByteSource
  readonly #windowBytes: number
  #start = 0
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(source: ByteSource, windowBytes: number) {
    this.source = source
    this.#windowBytes = windowBytes
  }

  /** The bytes when they lie in the window; else undefined, and `fetch` brings them. */
  peek(offset: number, length: number): Uint8Array | undefined {
    const from = offset - this.#start
    if (from < 0 || from + length > this.#bytes.length) return undefined
    return this.#bytes.subarray(from, from + length)
  }

  /** Fewer bytes at the end of the source, none behind it: damaged tables point there. */
  async fetch(offset: number, length: number): Promise<Uint8Array> {
    if (offset >= this.source.size) return new Uint8Array(0)
    const held = this.peek(offset, length)
    if (held) return held
    if (length > this.#windowBytes) return this.source.read(offset, length)
    this.#bytes = await this.source.read(offset, this.#windowBytes)
    this.#start = offset
    return this.#bytes.subarray(0, length)
  }
}
