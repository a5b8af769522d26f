import { storeInstances as storeRoute, storeInstancesOfStudy } from '@hilum/contract/routes/dicomweb'
import type { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'
import { isAcceptableUid } from '@hilum/dicom/uid'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Membership } from '../../access/caller.ts'
import { type IncomingPart, storeSentInstances } from '../../areas/dicomweb/store-instances.command.ts'
import { presentStored } from '../../areas/dicomweb/stow.presenter.ts'
import { MAX_IMAGE_BYTES } from '../../areas/ingest/read-image-body.ts'
import {
  type ImageArrival,
  TRANSFER_QUIET_SECONDS,
  UPLOAD_QUIET_SECONDS,
} from '../../areas/ingest/receive-image.command.ts'
import type { Services } from '../../services.ts'
import { endUnreadBody } from '../storage/answer-failures.ts'
import { uploadLimits, withIdleLimit } from '../storage/idle-limit.ts'
import { accepts, rangesOf, readMediaRange } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { makeBreather } from '../breather.ts'
import { originOf } from './origin.ts'
import { route } from '../route.ts'
import { MultipartError, readMultipart } from '../read-multipart.ts'

/** A study of 10,000 images fits into one request; what goes beyond is a mistake or worse. */
const maxParts = 10_000
const maxBoundaryChars = 256

/** STOW-RS: instances as they are, in parts or alone. Source: PS3.18 §10.5. */
export function storeRoutes(app: FastifyInstance, services: Services): void {
  for (const declared of [storeRoute, storeInstancesOfStudy]) {
    route(app, services, declared, async ({ request, reply, caller, place, params }) => {
      const { study }: { study?: string } = params
      if (study !== undefined && !isAcceptableUid(study)) throw new DicomwebError(400, 'The address names no study')
      if (!['application/dicom+json', 'application/json'].some((media) => accepts(rangesOf(request), media)))
        throw new DicomwebError(406, 'What was stored is told as application/dicom+json')
      const arrival: ImageArrival = {
        namespaceUuid: place.namespaceUuid,
        accountUuid: place.accountUuid,
        source: 'upload',
        actor: caller.userUuid,
        isByKey: caller.kind === 'key',
        // people may pause an upload; programs send on until all is there
        quietSeconds: caller.kind === 'key' ? TRANSFER_QUIET_SECONDS : UPLOAD_QUIET_SECONDS,
        ownsBody: true,
        ...(study === undefined ? {} : { expectedStudyUid: study }),
      }
      const results = await storeSentInstances(services, arrival, openParts(request))
      if (results.length === 0) throw new DicomwebError(400, 'The body holds no instance')
      return answer(request, reply, place, results)
    })
  }
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  place: Membership,
  results: Awaited<ReturnType<typeof storeSentInstances>>,
): FastifyReply {
  const { status, retrySeconds, json } = presentStored(results, `${originOf(request)}/dicomweb/${place.namespaceUuid}`)
  if (retrySeconds !== undefined) reply.header('retry-after', String(retrySeconds))
  endUnreadBody(request)
  return reply
    .code(status)
    .header('content-type', 'application/dicom+json')
    .send(Buffer.from(JSON.stringify(json)))
}

/** The instances of a body, by its Content-Type. @throws DicomwebError 415, 413, 400 */
function openParts(request: FastifyRequest): AsyncIterable<IncomingPart> {
  const sent = readMediaRange(request.headers['content-type'] ?? '')
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new DicomwebError(415, 'Bodies are taken without Content-Encoding')
  const body = request.body as Readable | undefined
  if (!body) throw new DicomwebError(400, 'The body is empty')
  const chunks = withIdleLimit(body, uploadLimits)
  if (sent.media === 'application/dicom') {
    if (Number(request.headers['content-length'] ?? 0) > MAX_IMAGE_BYTES)
      throw new DicomwebError(413, 'The instance is larger than any that is taken')
    return single(chunks)
  }
  if (sent.media !== 'multipart/related' || !['', 'application/dicom'].includes(sent.type)) {
    const what = sent.media === 'multipart/related' ? `multipart/related of ${sent.type}` : sent.media || 'no type'
    throw new DicomwebError(
      415,
      `Instances are taken as multipart/related; type="application/dicom", or one as application/dicom; not as ${what}`,
    )
  }
  const { boundary } = sent
  if (!boundary || boundary.length > maxBoundaryChars)
    throw new DicomwebError(400, 'The Content-Type names no usable boundary')
  return counted(readMultipart(chunks, boundary))
}

async function* single(body: AsyncIterable<Uint8Array>): AsyncGenerator<IncomingPart> {
  const released = Promise.withResolvers<void>()
  yield { body, release: released.resolve }
  await released.promise
}

/** Parts until one cannot be read: that is told as a failure of its own, so that the others keep their answer. */
async function* counted(parts: AsyncIterable<IncomingPart>): AsyncGenerator<IncomingPart> {
  let count = 0
  let isLastCut = false
  const breathe = makeBreather()
  try {
    for await (const part of parts) {
      count += 1
      await breathe()
      if (count > maxParts) {
        yield unreadable(new StorageError('PAYLOAD_TOO_LARGE', `At most ${maxParts} instances are taken at once`))
        return
      }
      yield { ...part, body: inWords(part.body, () => (isLastCut = true)) }
    }
  } catch (error) {
    if (!(error instanceof MultipartError) || count === 0) throw error
    if (!isLastCut) yield unreadable(new StorageError('BAD_REQUEST', error.message, {}, { cause: error }))
  }
}

async function* inWords(body: AsyncIterable<Uint8Array>, noteCut: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error
    noteCut()
    throw new StorageError('BAD_REQUEST', error.message, {}, { cause: error })
  }
}

function unreadable(error: StorageError): IncomingPart {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(0)
    throw error
  }
  return { body: body(), release: () => undefined }
}
