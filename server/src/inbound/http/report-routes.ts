import { reportZip } from '@hilum/contract/routes/others'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import { knowReplies } from '../../access/door-of-request.ts'
import { type StreamedFile, streamZip } from '../../areas/archive/zip-layout.ts'
import { fetchReport } from '../../areas/report/fetch-report.command.ts'
import type { Services } from '../../services.ts'
import { route } from '../route.ts'
import { answerStorageFailures } from '../storage/answer-failures.ts'
import { contentDisposition } from '../storage/send-parts.ts'

/** The files of reports. */
export async function reportRoutes(app: FastifyInstance, services: Services): Promise<void> {
  answerStorageFailures(app)
  knowReplies(app)
  route(app, services, reportZip, async ({ reply, caller, report }) => {
    const file = await fetchReport(services.db, caller, report)
    if (!file) throw new StorageError('NOT_FOUND')
    const { name } = report
    const chunks: Uint8Array[] = []
    for await (const chunk of streamZip(only({ name: `${name}.csv`, modified: file.created, bytes: file.csv })))
      chunks.push(chunk)
    return reply
      .type('application/zip')
      .header('content-disposition', contentDisposition(`${name}.zip`, false))
      .send(Buffer.concat(chunks))
  })
}

async function* only(file: StreamedFile): AsyncGenerator<StreamedFile> {
  yield file
}
