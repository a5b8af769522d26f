import { StorageError } from '@hilum/contract/storage-errors'
import { MultipartError, readMultipart } from '../read-multipart.ts'

/** One part of a form. The body of a part is read before the next part is asked for; an unread rest is dropped. */
type FormPart = {
  name: string
  filename: string | undefined
  body: AsyncGenerator<Uint8Array>
}

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
  let count = 0
  try {
    for await (const { headers, body: content, release } of readMultipart(body, boundary)) {
      if (count === MAX_PARTS) throw new StorageError('BAD_REQUEST', 'The form has too many parts')
      count += 1
      yield { ...dispositionOf(headers.get('content-disposition') ?? ''), body: inWords(content) }
      release()
    }
  } catch (error) {
    throw wordsOf(error)
  }
}

async function* inWords(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    throw wordsOf(error)
  }
}

function wordsOf(error: unknown): unknown {
  if (!(error instanceof MultipartError)) return error
  return new StorageError('BAD_REQUEST', 'The form cannot be read to its end', {}, { cause: error })
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

/** @param header its bytes as Latin-1; browsers write names in UTF-8 */
function dispositionOf(header: string): { name: string; filename: string | undefined } {
  const line = `;${Buffer.from(header, 'latin1').toString('utf8')}`
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
