/** A multipart body that cannot be read on. Parts that came before stand. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError'
}

interface PartIn {
  /** By lower-case name. */
  headers: ReadonlyMap<string, string>
  body: AsyncGenerator<Uint8Array>
  /** Says that nobody reads the body (any more); the next part comes only then. */
  release: () => void
}

const maxPreambleBytes = 64 * 1024
const maxHeaderBytes = 16 * 1024
const crlf = Buffer.from('\r\n')
const headerEnd = Buffer.from('\r\n\r\n')

/**
 * The parts of a multipart body as they come; none of it is held longer than a chunk. A part is read to its end before
 * the next is given, but what is done with it may go on: its reader is not waited for.
 * @throws MultipartError when a boundary, a header or the end is missing; the part that is being read throws it too
 * Source: RFC 2046 §5.1.1.
 */
export async function* readMultipart(chunks: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<PartIn> {
  const reader = new BoundaryReader(chunks, Buffer.from(`\r\n--${boundary}`, 'latin1'))
  try {
    await reader.skipPreamble()
    while (await reader.openPart()) {
      const headers = readHeaders(await reader.readHeaderBlock())
      const released = Promise.withResolvers<void>()
      async function* body(): AsyncGenerator<Uint8Array> {
        try {
          yield* reader.readBody()
        } finally {
          released.resolve()
        }
      }
      yield { headers, body: body(), release: released.resolve }
      await released.promise
      await reader.skipBody()
    }
  } finally {
    await reader.close()
  }
}

/** Bytes between delimiters. The delimiter is `\r\n--boundary`; the body begins as if a line end stood before it. */
class BoundaryReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #delimiter: Buffer
  #held: Buffer = crlf
  #isEnded = false
  /** Between a delimiter and the next. */
  #isInBody = false

  constructor(chunks: AsyncIterable<Uint8Array>, delimiter: Buffer) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#delimiter = delimiter
  }

  async skipPreamble(): Promise<void> {
    this.#isInBody = true
    let skipped = 0
    for await (const chunk of this.readBody()) {
      skipped += chunk.length
      if (skipped > maxPreambleBytes) throw new MultipartError('The body does not begin with its boundary')
    }
  }

  /** Stands behind a delimiter: true when a part follows, false at the closing one. */
  async openPart(): Promise<boolean> {
    await this.#need(2)
    if (this.#held.subarray(0, 2).toString('latin1') === '--') return false
    const lineEnd = await this.#find(crlf, maxHeaderBytes)
    // the line end stays: an empty header block is nothing but it and another
    this.#held = this.#held.subarray(lineEnd)
    return true
  }

  async readHeaderBlock(): Promise<string> {
    const end = await this.#find(headerEnd, maxHeaderBytes)
    const text = this.#held.toString('latin1', 0, end)
    const start = end + headerEnd.length
    // a delimiter may follow at once, its line end being the one that ends an empty header block
    const line = this.#delimiter.subarray(crlf.length)
    await this.#need(start + line.length)
    const isEmpty = this.#held.subarray(start, start + line.length).equals(line)
    this.#held = this.#held.subarray(isEmpty ? start - crlf.length : start)
    this.#isInBody = true
    return text
  }

  async *readBody(): AsyncGenerator<Uint8Array> {
    while (this.#isInBody) {
      const at = await this.#findDelimiter()
      if (at.isFound) {
        const last = this.#held.subarray(0, at.offset)
        this.#held = this.#held.subarray(at.offset + this.#delimiter.length)
        this.#isInBody = false
        if (last.length > 0) yield last
        return
      }
      const safe = this.#held.subarray(0, at.offset)
      this.#held = this.#held.subarray(at.offset)
      if (safe.length > 0) yield safe
      await this.#more()
    }
  }

  async skipBody(): Promise<void> {
    for await (const _chunk of this.readBody()) continue
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  /** Where a delimiter is, or up to where there is certainly none. */
  async #findDelimiter(): Promise<{ isFound: boolean; offset: number }> {
    for (let from = 0; ; ) {
      const offset = this.#held.indexOf(this.#delimiter, from)
      if (offset < 0) {
        const tail = Math.max(from, this.#held.length - this.#delimiter.length + 1)
        const start = this.#held.indexOf(0x0d, tail)
        return { isFound: false, offset: start < 0 ? this.#held.length : start }
      }
      const behind = offset + this.#delimiter.length
      if (this.#held.length < behind + 2) {
        if (this.#isEnded) throw truncated()
        return { isFound: false, offset }
      }
      // a longer boundary that begins like ours is none
      if (/^(--|[ \t\r])/.test(this.#held.toString('latin1', behind, behind + 2))) return { isFound: true, offset }
      from = offset + 1
    }
  }

  async #find(wanted: Buffer, most: number): Promise<number> {
    for (;;) {
      const offset = this.#held.indexOf(wanted)
      if (offset >= 0 && offset <= most) return offset
      if (this.#held.length > most) throw new MultipartError('The header of a part is too long')
      await this.#more()
    }
  }

  async #need(count: number): Promise<void> {
    while (this.#held.length < count) await this.#more()
  }

  async #more(): Promise<void> {
    const next = this.#isEnded ? { done: true as const, value: undefined } : await this.#chunks.next()
    if (next.done) {
      this.#isEnded = true
      throw truncated()
    }
    const { value } = next
    const chunk = Buffer.from(value.buffer, value.byteOffset, value.length)
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
  }
}

function truncated(): MultipartError {
  return new MultipartError('The body ends before its closing boundary')
}

/** Header lines; a line that begins with a blank continues the one before. */
function readHeaders(block: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of block.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}
