import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { openDicomwebScope } from '../../access/dicomweb-access.ts'
import { authorise } from '../../access/storage-access.ts'
import { presentInstanceMatch, presentSeriesMatch, presentStudyMatch } from '../../areas/dicomweb/qido.presenter.ts'
import { searchInstances, searchSeries, searchStudies } from '../../areas/dicomweb/qido.sql.ts'
import { type QidoLevel, readSearch, type Search } from '../../areas/dicomweb/read-search.ts'
import type { Services } from '../../services.ts'
import { accepts, readAccept } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'

interface SearchParams {
  namespace: string
  study?: string
  series?: string
}

/** QIDO-RS at its three levels. Source: PS3.18 §10.6. */
export function searchRoutes(app: FastifyInstance, services: Services): void {
  const at = '/dicomweb/:namespace'
  app.get(`${at}/studies`, async (request, reply) => {
    const { scope, search } = await openSearch(services, request, 'studies')
    const found = await searchStudies(services.db, scope, oneMore(search))
    return answer(reply, request, search, found.map(presentStudyMatch))
  })
  for (const url of [`${at}/series`, `${at}/studies/:study/series`]) {
    app.get(url, async (request, reply) => {
      const { scope, search, params } = await openSearch(services, request, 'series')
      const found = await searchSeries(services.db, scope, oneMore(search))
      return answer(
        reply,
        request,
        search,
        found.map((match) => presentSeriesMatch(match, !params.study)),
      )
    })
  }
  for (const url of [
    `${at}/instances`,
    `${at}/studies/:study/instances`,
    `${at}/studies/:study/series/:series/instances`,
  ]) {
    app.get(url, async (request, reply) => {
      const { scope, search, params } = await openSearch(services, request, 'instances')
      const found = await searchInstances(services.db, scope, oneMore(search))
      const isWith = { study: !params.study, series: !params.series }
      return answer(
        reply,
        request,
        search,
        found.map((match) => presentInstanceMatch(match, isWith)),
      )
    })
  }
}

async function openSearch(services: Services, request: FastifyRequest, level: QidoLevel) {
  const params = request.params as SearchParams
  const caller = await authorise(services, request)
  const scope = await openDicomwebScope(caller, params.namespace)
  if (!scope) throw new DicomwebError(404, 'There is no such namespace here')
  if (
    !accepts(
      readAccept(request.headers.accept, (request.query as Record<string, unknown>).accept),
      'application/dicom+json',
    )
  ) {
    throw new DicomwebError(406, 'Searches answer application/dicom+json')
  }
  const search = readSearch(level, request.query as Record<string, unknown>)
  const inside = [
    search.where,
    ...(params.study ? [sql`s.study_uid = ${params.study}`] : []),
    ...(params.series ? [sql`e.series_uid = ${params.series}`] : []),
  ]
  return { scope, params, search: { ...search, where: sql.join(inside, sql` and `) } }
}

/** One match beyond the limit tells whether there are more. */
function oneMore(search: Search): Search {
  return { ...search, limit: search.limit + 1 }
}

function answer(reply: FastifyReply, request: FastifyRequest, search: Search, matches: unknown[]) {
  const warnings = [
    ...(search.ignored.length > 0
      ? [
          `299 ${request.host} "These were not understood and did not narrow the search: ${search.ignored.map(printable).join(', ')}"`,
        ]
      : []),
    ...(matches.length > search.limit
      ? [`299 ${request.host} "There are more matches; ask with offset=${search.offset + search.limit}"`]
      : []),
  ]
  if (warnings.length > 0) reply.header('warning', warnings.join(', '))
  return reply.type('application/dicom+json').send(JSON.stringify(matches.slice(0, search.limit)))
}

function printable(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 64)
}
