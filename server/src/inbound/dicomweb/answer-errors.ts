import { StorageError } from '@hilum/contract/storage-errors'
import { DicomReadError } from '@hilum/dicom/read-error'
import { RenderError } from '@hilum/dicom/render/render-error'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { SearchError } from '../../areas/dicomweb/read-search.ts'
import { endUnreadBody } from '../storage/answer-failures.ts'
import { MultipartError } from './read-multipart.ts'

/** A DICOMweb request that ends with a status and a reason in words. */
export class DicomwebError extends Error {
  override readonly name = 'DicomwebError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Status and words for whatever a request ended with. Source: PS3.18 §8.5. */
export async function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, reason } = explain(error)
  if (status === 500) request.log.error({ event: 'dicomweb request failed', request: request.id, err: error })
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  endUnreadBody(request)
  if (status === 503) reply.header('retry-after', '2')
  return reply.code(status).type('application/json').send({ error: reason })
}

function explain(error: FastifyError | Error): { status: number; reason: string } {
  if (error instanceof DicomwebError) return { status: error.status, reason: error.message }
  if (error instanceof SearchError || error instanceof MultipartError) return { status: 400, reason: error.message }
  if (error instanceof RenderError) return { status: statusOfRender(error), reason: error.message }
  if (error instanceof DicomReadError) return { status: 406, reason: error.message }
  // no session is 401 here: a client of the standard signs in on that, not on 403
  if (error instanceof StorageError)
    return { status: error.code === 'ACCESS_DENIED' ? 401 : error.httpStatus, reason: error.message }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  return status >= 400 && status < 500
    ? { status, reason: error.message }
    : { status: 500, reason: 'Something failed; the log has it' }
}

function statusOfRender(error: RenderError): number {
  if (error.fault === 'noSuchFrame') return 404
  return error.fault === 'busy' || error.fault === 'timedOut' || error.fault === 'closed' ? 503 : 406
}
