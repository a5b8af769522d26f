import { StorageError } from '@hilum/contract/storage-errors'

/** One part of a form. The body of a part is read before the next part is asked for; an unread rest is dropped. */
type FormPart = {
  name: string
  filename: string | undefined
  body: AsyncGenerator<Uint8Array>
}

const MAX_HEADER_BYTES = 16 * 1024
const MAX_PARTS = 100

/**
 * Reads multipart/form-data as it comes (RFC 7578), holding one chunk at a time.
 * @throws StorageError BAD_REQUEST when it is no form, or ends early
 */
export async function* readMultipartForm(
  contentType: string | undefined,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<FormPart> {
  const boundary = boundaryOf(contentType)
  const reader = new DelimitedReader(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  try {
    await drain(reader.upTo(delimiter))
    for (let count = 0; await reader.hasNextPart(); count += 1) {
      if (count === MAX_PARTS) throw new StorageError('BAD_REQUEST', 'The form has too many parts')
      const header = await collect(reader.upTo(Buffer.from('\r\n\r\n')), MAX_HEADER_BYTES)
      const content = reader.upTo(delimiter)
      yield { ...dispositionOf(header.toString('utf8')), body: content }
      await drain(content)
    }
  } finally {
    // the rest of a refused form can flow off only when nobody reads it any more
    await reader.letGo()
  }
}

/** The text of a short part. @throws StorageError PAYLOAD_TOO_LARGE */
export async function textOfPart(part: FormPart, maxBytes: number): Promise<string> {
  return (await collect(part.body, maxBytes)).toString('utf8')
}

function boundaryOf(contentType: string | undefined): string {
  const match = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '')
  const boundary = match?.[1] ?? match?.[2]
  if (!boundary) throw new StorageError('BAD_REQUEST', 'The file must come as a form (multipart/form-data)')
  return boundary
}

/** Browsers escape just these three in names (WHATWG HTML, multipart form data). */
function unescape(text: string): string {
  return text.replace(/%0D/gi, '\r').replace(/%0A/gi, '\n').replace(/%22/g, '"')
}

function dispositionOf(header: string): { name: string; filename: string | undefined } {
  const line = header.split('\r\n').find((one) => /^content-disposition:/i.test(one)) ?? ''
  const plain = (key: string) => {
    const match = new RegExp(`;\\s*${key}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(line)
    const text = match?.[1] ?? match?.[2]
    return text === undefined ? undefined : unescape(text)
  }
  const encoded = /;\s*filename\*=utf-8''([^;\s]+)/i.exec(line)?.[1]
  return { name: plain('name') ?? '', filename: encoded === undefined ? plain('filename') : decode(encoded) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw new StorageError('BAD_REQUEST', 'The name of the file is not readable', {}, { cause: error })
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const taken: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new StorageError('PAYLOAD_TOO_LARGE', 'A field of the form is larger than allowed')
    taken.push(chunk)
  }
  return Buffer.concat(taken)
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of chunks) {
    // a part that nobody asked for
  }
}

/** Hands a body on up to a delimiter, which may be cut anywhere by the chunks. */
class DelimitedReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  /** The first delimiter has no line end in front of it. */
  #buffer: Buffer = Buffer.from('\r\n')

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]()
  }

  async letGo(): Promise<void> {
    await this.#chunks.return?.()
  }

  /** The bytes in front of the delimiter, which is taken away with them. */
  async *upTo(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#buffer.indexOf(delimiter)
      if (at >= 0) {
        const last = this.#buffer.subarray(0, at)
        this.#buffer = this.#buffer.subarray(at + delimiter.length)
        if (last.length > 0) yield last
        return
      }
      const sure = this.#buffer.length - delimiter.length + 1
      if (sure > 0) {
        const passed = this.#buffer.subarray(0, sure)
        this.#buffer = this.#buffer.subarray(sure)
        yield passed
      }
      await this.#more()
    }
  }

  /** Whether a part follows the delimiter just read; two dashes end the form. */
  async hasNextPart(): Promise<boolean> {
    while (this.#buffer.length < 2) await this.#more()
    return !this.#buffer.subarray(0, 2).equals(Buffer.from('--'))
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done) throw new StorageError('BAD_REQUEST', 'The form ends before its last part')
    this.#buffer = Buffer.concat([this.#buffer, next.value])
  }
}
