import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lengthOfParts, streamParts } from '../../areas/storage/parts.ts'
import { partsOfInstance } from '../../areas/storage/instance-parts.ts'
import { listInstances, type StoredInstance } from '../../areas/storage/instance.sql.ts'
import type { Services } from '../../services.ts'
import { findMultipart, readAccept } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { newBoundary, type PartOut, writeMultipart } from './multipart.ts'
import { openStudyRequest } from './open-request.ts'

/** WADO-RS of whole instances: a study, a series or one instance, as stored. Source: PS3.18 §10.4.1.1.1. */
export function retrieveRoutes(app: FastifyInstance, services: Services): void {
  const at = '/dicomweb/:namespace/studies/:study'
  for (const url of [at, `${at}/series/:series`, `${at}/series/:series/instances/:instance`]) {
    app.get(url, async (request, reply) => {
      const { access, params } = await openStudyRequest(services, request)
      const { record } = access
      const instances = await listInstances(services.db, record.storage_namespace, record.study_uid, {
        ...(params.series ? { seriesUids: [params.series] } : {}),
        ...(params.instance ? { sopUids: [params.instance] } : {}),
      })
      if (instances.length === 0) throw new DicomwebError(404, 'There is nothing of this name here')
      return sendInstances(services, request, reply, instances)
    })
  }
}

function sendInstances(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  instances: readonly StoredInstance[],
) {
  const ranges = readAccept(request.headers.accept, (request.query as Record<string, unknown>).accept)
  const range = findMultipart(ranges, 'application/dicom')
  const wanted = range?.transferSyntax
  if (!range) throw new DicomwebError(406, 'Instances come as application/dicom')
  if (wanted && wanted !== '*' && instances.some((one) => one.transfer_syntax !== wanted)) {
    throw new DicomwebError(406, 'Instances come in the transfer syntax they are stored in; ask with transfer-syntax=*')
  }
  const [only] = instances
  if (range.media === 'application/dicom' && instances.length === 1 && only) {
    const parts = partsOfInstance(services.store, only)
    const length = lengthOfParts(parts)
    return reply
      .headers({
        'content-type': `application/dicom; transfer-syntax=${only.transfer_syntax}`,
        'content-length': String(length),
      })
      .send(Readable.from(streamParts(parts, 0, length)))
  }
  const boundary = newBoundary()
  reply.header('content-type', `multipart/related; type="application/dicom"; boundary=${boundary}`)
  return reply.send(Readable.from(writeMultipart(boundary, partsOf(services, instances))))
}

function* partsOf(services: Services, instances: readonly StoredInstance[]): Generator<PartOut> {
  for (const instance of instances) {
    const parts = partsOfInstance(services.store, instance)
    const length = lengthOfParts(parts)
    yield {
      contentType: `application/dicom; transfer-syntax=${instance.transfer_syntax}`,
      length,
      body: streamParts(parts, 0, length),
    }
  }
}
