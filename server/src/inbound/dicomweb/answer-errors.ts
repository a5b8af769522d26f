import { StorageError } from '@hilum/contract/storage-errors'
import { DicomReadError } from '@hilum/dicom/read-error'
import { RenderError } from '@hilum/dicom/render/render-error'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { SearchError } from '../../areas/dicomweb/search-error.ts'
import { explainAway, explainStoreError } from '../../areas/storage/store-failure.ts'
import { DatabaseAwayError } from '../../db/database-away.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'
import { CannotSendError } from '../../areas/altered/cannot-send.ts'
import { endUnreadBody } from '../storage/answer-failures.ts'
import { MultipartError } from '../read-multipart.ts'
import { logOf } from '../http/request-log.ts'

/** A DICOMweb request that ends with a status and a reason in words. */
export class DicomwebError extends Error {
  override readonly name = 'DicomwebError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Drawing that is busy may be asked again after as long. */
const busySeconds = 2

/** Status and words for whatever a request ended with. Source: PS3.18 §8.5. */
export async function answerError(failure: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  const error = inWords(failure)
  const { status, reason } = explain(error)
  if (status === 500 || failure instanceof StoreError)
    logOf(request).error({ event: 'dicomweb request failed', request: request.id, err: error })
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  endUnreadBody(request)
  const retrySeconds = error instanceof StorageError ? error.retrySeconds : status === 503 ? busySeconds : undefined
  if (retrySeconds !== undefined) reply.header('retry-after', String(retrySeconds))
  return reply.code(status).type('application/json').send({ error: reason })
}

function inWords(failure: FastifyError | Error): FastifyError | Error {
  if (failure instanceof DatabaseAwayError) return explainAway(failure)
  return failure instanceof StoreError ? explainStoreError(failure) : failure
}

function explain(error: FastifyError | Error): { status: number; reason: string } {
  if (error instanceof DicomwebError) return { status: error.status, reason: error.message }
  if (error instanceof SearchError || error instanceof MultipartError) return { status: 400, reason: error.message }
  if (error instanceof RenderError) return { status: statusOfRender(error), reason: error.message }
  if (error instanceof CannotSendError) {
    const otherwise = error.isOpenAsReceived ? '; as_received=1 gives it as it came' : ''
    return { status: 409, reason: `${error.sopUid}: ${error.message}${otherwise}` }
  }
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
  if (error.fault === 'unreadable') return 500
  return error.fault === 'busy' || error.fault === 'timedOut' || error.fault === 'closed' ? 503 : 406
}
