import { createReadStream } from 'node:fs'
import { fullViewer, viewerPage } from '@hilum/contract/routes/others'
import { findProviewerFile, findViewerFile, type FoundFile, isViewerPrepared } from '@hilum/viewer/viewer-files'
import { VIEWER_BASE } from '@hilum/viewer/viewer-base'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openRoute } from '../route.ts'

/** Where the prepared full viewer lies; undefined until it is ready, or when it could not be fetched. */
export interface ViewerPlace {
  folder: string | undefined
  /** Where it will lie. Another process may be the first to prepare it there, and names its files to pages already. */
  expected?: string | undefined
}

/** The page behind `/proviewer/` and the full viewer that it frames under `/viewer/`. Nothing here is secret: the images are. */
export async function viewerRoutes(app: FastifyInstance, place: ViewerPlace, pageFolder: string): Promise<void> {
  openRoute(app, viewerPage, async (request, reply) =>
    sendFile(request, reply, await findProviewerFile(pageFolder, pathOf(request), request.headers['accept-encoding'])),
  )
  openRoute(app, fullViewer, async (request, reply) => {
    const folder = await readyFolder(place)
    // a list that is asked for by every page is no failure while there is nothing to list
    if (!folder && pathOf(request) === `${VIEWER_BASE}ahead.json`) return reply.send([])
    if (!folder) {
      return reply
        .code(503)
        .header('retry-after', '10')
        .type('text/plain; charset=utf-8')
        .send('The full viewer is not ready. It is fetched at the first start; the quick viewer works meanwhile.')
    }
    return sendFile(request, reply, await findViewerFile(folder, pathOf(request), request.headers['accept-encoding']))
  })
}

async function readyFolder(place: ViewerPlace): Promise<string | undefined> {
  const { expected } = place
  if (place.folder === undefined && expected !== undefined && (await isViewerPrepared(expected)))
    place.folder = expected
  return place.folder
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: FoundFile | undefined) {
  if (!file) return reply.code(404).type('text/plain').send('Not found')
  if (request.headers['if-none-match'] === file.headers.etag) return reply.code(304).headers(file.headers).send()
  return reply.headers(file.headers).send(createReadStream(file.path))
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}
