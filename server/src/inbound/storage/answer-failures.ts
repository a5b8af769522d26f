import type { Readable } from 'node:stream'
import { StorageError, presentStorageError } from '@hilum/contract/storage-errors'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { explainAway, explainStoreError } from '../../areas/storage/store-failure.ts'
import { DatabaseAwayError } from '../../db/database-away.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'
import { CannotSendError } from '../../areas/altered/cannot-send.ts'
import { isForFrame, sendForFrame } from './answer-for-frame.ts'
import { logOf } from '../http/request-log.ts'

/** How long a refused sender may go on sending before its connection is closed. */
const DRAIN_MS = 15_000
/**
 * All refused senders together are read at this many bytes a second. Each piece read is new memory that V8 collects
 * again: at four times this rate the collecting alone took half a core.
 */
const DRAIN_BYTES_A_SECOND = 4 * 1024 * 1024

/** Answers every failure of this scope with the storage API's envelope. */
export function answerStorageFailures(app: FastifyInstance): void {
  app.setErrorHandler(async (error: FastifyError | StorageError, request, reply) => {
    const failure = storageErrorOf(error)
    if (failure.httpStatus === 500 || error instanceof StoreError) {
      logOf(request).error({
        event: 'storage request failed',
        request: request.id,
        route: request.routeOptions.url,
        err: error,
      })
    }
    endUnreadBody(request)
    return sendStorageError(request, reply, failure)
  })
}

function sendStorageError(request: FastifyRequest, reply: FastifyReply, failure: StorageError): FastifyReply {
  const isVerbose = request.headers['x-ambrahealth-verbose-errors'] === '1'
  const body = presentStorageError(failure, new Date(), isVerbose)
  if (failure.retrySeconds !== undefined) reply.header('retry-after', String(failure.retrySeconds))
  if (isForFrame(request)) return sendForFrame(reply.code(failure.httpStatus), body)
  return reply.code(failure.httpStatus).type('application/json; charset=utf-8').send(body)
}

function storageErrorOf(error: FastifyError | StorageError): StorageError {
  if (error instanceof StorageError) return error
  if (error instanceof DatabaseAwayError) return explainAway(error)
  if (error instanceof StoreError) return explainStoreError(error)
  if (error instanceof CannotSendError)
    return new StorageError('CONFLICT', error.message, { image_uid: error.sopUid }, { cause: error })
  // a stored file that cannot be understood is no failure of ours, and is not repeated in the log with every look at it
  if (error instanceof DicomReadError) return new StorageError('NOT_ACCEPTABLE', error.message, {}, { cause: error })
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 404) return new StorageError('NOT_FOUND', undefined, {}, { cause: error })
  if (status === 413) return new StorageError('PAYLOAD_TOO_LARGE', undefined, {}, { cause: error })
  if (status && status >= 400 && status < 500)
    return new StorageError('BAD_REQUEST', error.message, {}, { cause: error })
  return new StorageError('STORAGE_EXCEPTION_OCCURRED', undefined, {}, { cause: error })
}

/**
 * The rest of a refused body is read and dropped, so that the sender sees the answer: slowly, so that others go before,
 * and not for ever.
 */
export function endUnreadBody(request: FastifyRequest): void {
  const { raw } = request
  if (raw.complete) return
  // Once its reader has let go: a stream with a reader does not flow by itself.
  setImmediate(() => drainSlowly(raw))
  const end = setTimeout(() => raw.destroy(), DRAIN_MS).unref()
  raw.once('close', () => clearTimeout(end))
}

/** When the next piece of any refused body may be read, in milliseconds of this process. */
let nextPieceAt = 0

function drainSlowly(body: Readable): void {
  body.on('data', (chunk: Uint8Array) => {
    const now = performance.now()
    nextPieceAt = Math.max(nextPieceAt, now) + (chunk.length / DRAIN_BYTES_A_SECOND) * 1000
    body.pause()
    setTimeout(() => body.resume(), nextPieceAt - now).unref()
  })
}
