import { randomBytes } from 'node:crypto'

export interface PartOut {
  contentType: string
  location?: string
  length?: number
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** A boundary that no image holds but by a chance of 2^-128. */
export function newBoundary(): string {
  return `hilum-${randomBytes(16).toString('hex')}`
}

/** The bytes of a multipart/related answer, a part at a time. Source: RFC 2387, PS3.18 §8.6.1.2.1. */
export async function* writeMultipart(
  boundary: string,
  parts: AsyncIterable<PartOut> | Iterable<PartOut>,
): AsyncGenerator<Uint8Array> {
  let lead = ''
  for await (const part of parts) {
    const headers = [
      `Content-Type: ${part.contentType}`,
      ...(part.location ? [`Content-Location: ${part.location}`] : []),
      ...(part.length === undefined ? [] : [`Content-Length: ${part.length}`]),
    ]
    yield Buffer.from(`${lead}--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`)
    yield* part.body
    lead = '\r\n'
  }
  yield Buffer.from(`${lead}--${boundary}--\r\n`)
}
