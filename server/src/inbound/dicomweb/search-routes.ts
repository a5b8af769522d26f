import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { openDicomwebScope, openDicomwebStudy } from '../../access/dicomweb-access.ts'
import { authorise } from '../../access/storage-access.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { maxHeadersRead, readHeaderFields } from '../../areas/dicomweb/header-fields.command.ts'
import type { QidoLevel } from '../../areas/dicomweb/qido-keys.ts'
import {
  type Presentation,
  presentInstanceMatch,
  presentSeriesMatch,
  presentStudyMatch,
} from '../../areas/dicomweb/qido.presenter.ts'
import { searchInstances, searchSeries, searchStudies, type StudyMatch } from '../../areas/dicomweb/qido.sql.ts'
import { maxMatches, maxMatchesInStudy, readSearch, type Search } from '../../areas/dicomweb/read-search.ts'
import type { Services } from '../../services.ts'
import { accepts, rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { originOf } from './origin.ts'

const dicomJson = 'application/dicom+json'

interface SearchParams {
  namespace: string
  study?: string
  series?: string
}

interface Opened {
  scope: StudyScope
  params: SearchParams
  /** Asks for one match beyond the limit, which tells whether there are more. */
  matching: Pick<Search, 'where' | 'limit' | 'offset'>
  search: Search
  within: RawBuilder<unknown>
}

/** QIDO-RS at its three levels. Source: PS3.18 §10.6. */
export function searchRoutes(app: FastifyInstance, services: Services): void {
  const at = '/dicomweb/:namespace'
  const { db } = services
  app.get(`${at}/studies`, async (request, reply) => {
    const { scope, search, matching } = await openSearch(services, request, 'studies')
    const found = await searchStudies(db, scope, matching)
    const wanted = found.map(({ storage_namespace, study_uid }) => ({ storage_namespace, study_uid }))
    return answer(services, request, reply, search, found, wanted, presentStudyMatch)
  })
  for (const url of [`${at}/series`, `${at}/studies/:study/series`]) {
    app.get(url, async (request, reply) => {
      const { scope, search, matching, params, within } = await openSearch(services, request, 'series')
      const found = await searchSeries(db, scope, matching, within)
      const wanted = found.map(({ storage_namespace, study_uid, series_uid }) => ({
        storage_namespace,
        study_uid,
        series_uid,
      }))
      return answer(services, request, reply, search, found, wanted, (match, shown) =>
        presentSeriesMatch(match, !params.study, shown),
      )
    })
  }
  for (const url of [
    `${at}/instances`,
    `${at}/studies/:study/instances`,
    `${at}/studies/:study/series/:series/instances`,
  ]) {
    app.get(url, async (request, reply) => {
      const { scope, search, matching, params, within } = await openSearch(services, request, 'instances')
      const found = await searchInstances(db, scope, matching, within)
      const wanted = found.map(({ storage_namespace, study_uid, series_uid, sop_uid }) => ({
        storage_namespace,
        study_uid,
        series_uid,
        sop_uid,
      }))
      const isWith = { study: !params.study, series: !params.series }
      return answer(services, request, reply, search, found, wanted, (match, shown) =>
        presentInstanceMatch(match, isWith, shown),
      )
    })
  }
}

async function openSearch(services: Services, request: FastifyRequest, level: QidoLevel): Promise<Opened> {
  const params = request.params as SearchParams
  const caller = await authorise(services, request)
  const scope = await openDicomwebScope(caller, params.namespace)
  if (!scope) throw new DicomwebError(404, 'There is no such namespace here')
  const ranges = rangesOf(request)
  if (!accepts(ranges, dicomJson) && !accepts(ranges, 'application/json'))
    throw new DicomwebError(406, 'Searches answer application/dicom+json')
  const query = request.query as Record<string, unknown>
  const search = readSearch(level, query, params.study ? maxMatchesInStudy : maxMatches)
  if (`${params.study}${params.series}`.includes('\0')) throw new DicomwebError(400, 'An identifier is not usable')
  if (params.study) await recordListing(services, caller, params.namespace, params.study)
  const within = params.study ? sql`s.study_uid = ${params.study}` : sql`true`
  const inside = [search.where, within, ...(params.series ? [sql`e.series_uid = ${params.series}`] : [])]
  const matching = { where: sql.join(inside, sql` and `), limit: search.limit + 1, offset: search.offset }
  return { scope, params, search, matching, within }
}

/** What a study holds is shown to who lists its series: that is on record like opening it. */
async function recordListing(services: Services, caller: Caller, namespace: string, study: string): Promise<void> {
  const access = await openDicomwebStudy(services, caller, namespace, study)
  if (access) await recordAccess(services.db, caller, access, 'STUDY_VIEW')
}

async function answer<Match extends StudyMatch>(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  search: Search,
  found: readonly Match[],
  wanted: Parameters<typeof readHeaderFields>[1],
  present: (match: Match, shown: Presentation) => unknown,
): Promise<FastifyReply> {
  const matches = found.slice(0, search.limit)
  const headers = await readHeaderFields(services, wanted.slice(0, search.limit), search.fields)
  const warnings = warningsOf(search, found.length > search.limit, headers.unread)
  const service = `${originOf(request)}/dicomweb`
  if (warnings.length > 0) reply.header('warning', warnings.map((text) => `299 ${service} "${text}"`).join(', '))
  const shown = { origin: originOf(request), fields: search.fields }
  const list = matches.map((match, place) => present(match, { ...shown, header: headers.json[place] ?? {} }))
  const contentType = accepts(rangesOf(request), dicomJson) ? dicomJson : 'application/json'
  // as bytes: to text the framework would add a charset parameter, which the media type does not have
  return reply
    .header('content-type', contentType)
    .header('cache-control', 'private, no-cache')
    .send(Buffer.from(JSON.stringify(list)))
}

function warningsOf(search: Search, isMore: boolean, unread: number): string[] {
  return [
    ...(search.ignored.length > 0
      ? [`These were not understood and did not narrow the search: ${printable(search.ignored)}`]
      : []),
    ...(search.leftOut.length > 0
      ? [`These fields are not given by a search at this level: ${printable(search.leftOut)}`]
      : []),
    ...(unread > 0
      ? [`Attributes beyond the index were read for ${maxHeadersRead} matches only; ask with a limit for the others`]
      : []),
    ...(isMore
      ? [`There are additional results that can be requested with offset=${search.offset + search.limit}`]
      : []),
  ]
}

/** Names as the client sent them, harmless in a header; a few are enough to see the mistake. */
function printable(names: readonly string[]): string {
  return names
    .slice(0, 10)
    .map((name) => name.replace(/[^\w.-]/g, '?').slice(0, 64))
    .join(', ')
}
