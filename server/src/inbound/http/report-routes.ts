import { reportZip } from '@hilum/contract/routes/others'
import { uuidForm } from '@hilum/contract/wire'
import type { FastifyInstance } from 'fastify'
import { findCaller } from '../../access/find-caller.ts'
import { sidOfRequest } from '../../access/sid-of-request.ts'
import { type StreamedFile, streamZip } from '../../areas/archive/zip-layout.ts'
import { fetchReport } from '../../areas/report/fetch-report.command.ts'
import { findOwnReport } from '../../areas/report/find-own-report.ts'
import type { Services } from '../../services.ts'
import { openRoute } from '../route.ts'
import { contentDisposition } from '../storage/send-parts.ts'

/** The files of reports. */
export async function reportRoutes(app: FastifyInstance, { db }: Services): Promise<void> {
  openRoute(app, reportZip, async (request, reply) => {
    const uuid = String((request.query as Record<string, unknown>)['report_id'] ?? '')
    const sid = sidOfRequest(request, { cookieToo: true })
    const asker = sid ? await findCaller(db, sid, request.ip) : undefined
    const own = asker && uuidForm.test(uuid) ? await findOwnReport(db, asker, uuid) : undefined
    const file = own && (await fetchReport(db, own.caller, own.report))
    if (!file) return reply.code(404).type('text/plain').send('Not found')
    const { name } = own.report
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
