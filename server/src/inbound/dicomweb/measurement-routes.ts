import { storeMeasurements } from '@hilum/contract/routes/dicomweb'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { storeMeasurementReport, MAX_REPORT_BYTES } from '../../areas/dicomweb/store-measurements.command.ts'
import type { Services } from '../../services.ts'
import { uploadLimits, withIdleLimit } from '../storage/idle-limit.ts'
import { route } from '../route.ts'
import { DicomwebError } from './answer-errors.ts'

/** The one door by which a viewer writes: measurements as a structured report of the study that it shows. */
export function measurementRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, storeMeasurements, async ({ request, reply, caller, access }) => {
    if (request.headers['content-type'] !== 'application/dicom')
      throw new DicomwebError(415, 'A report is taken as application/dicom')
    const body = request.body as Readable | undefined
    if (!body) throw new DicomwebError(400, 'The body is empty')
    const stored = await storeMeasurementReport(
      services,
      caller,
      access,
      await readWhole(withIdleLimit(body, uploadLimits)),
    )
    if ('refusal' in stored) throw new DicomwebError(stored.status, stored.refusal)
    return reply.send({ series_uid: stored.seriesUid, sop_uid: stored.sopUid })
  })
}

/** @throws DicomwebError 413 */
async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > MAX_REPORT_BYTES) throw new DicomwebError(413, 'The report is larger than 4 MB')
    chunks.push(Uint8Array.from(chunk))
  }
  return Buffer.concat(chunks)
}
