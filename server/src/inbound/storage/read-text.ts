import type { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyRequest } from 'fastify'
import { uploadLimits, withIdleLimit } from './idle-limit.ts'

/** A short body as text, empty when there is none. @throws StorageError PAYLOAD_TOO_LARGE, BAD_REQUEST */
export async function readText(request: FastifyRequest, maxBytes: number): Promise<string> {
  const body = request.body as Readable | undefined
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of withIdleLimit(body, uploadLimits)) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new StorageError('PAYLOAD_TOO_LARGE', 'The request is larger than allowed')
    chunks.push(chunk)
  }
  return withoutNull(Buffer.concat(chunks).toString('utf8'))
}

/** Text that a database can hold. @throws StorageError BAD_REQUEST */
export function withoutNull(text: string): string {
  if (text.includes('\0')) throw new StorageError('BAD_REQUEST', 'The request holds a null character')
  return text
}
