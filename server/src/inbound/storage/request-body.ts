import type { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyRequest } from 'fastify'
import { uploadLimits, withIdleLimit } from './idle-limit.ts'

/**
 * The body of a request as it comes, ended when it comes too slowly.
 * @throws StorageError VALIDATION_ERROR when there is none
 */
export function bodyOf(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  const body = request.body as Readable | undefined
  if (!body) throw new StorageError('VALIDATION_ERROR', 'The file is empty', { reason: 'empty' })
  return withIdleLimit(body, uploadLimits)
}

export function contentLengthOf(request: FastifyRequest): number | undefined {
  const header = request.headers['content-length']
  return header === undefined ? undefined : Number(header)
}
