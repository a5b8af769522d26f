import {
  searchInstances as instancesRoute,
  searchSeries as seriesRoute,
  searchSeriesInstances,
  searchStudies as studiesRoute,
  searchStudyInstances,
  searchStudySeries,
} from '@hilum/contract/routes/dicomweb'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { StudyScope } from '../../access/study-scope.ts'
import type { DicomJson } from '@hilum/dicom/json'
import { maxHeadersRead, readHeaderFields } from '../../areas/dicomweb/header-fields.command.ts'
import type { HeaderWanted } from '../../areas/dicomweb/header-location.sql.ts'
import { allOf, type SearchCondition, ofSeries, ofStudy } from '../../areas/dicomweb/match-key.sql.ts'
import type { QidoLevel } from '../../areas/dicomweb/qido-keys.ts'
import {
  type MatchPresentation,
  presentInstanceMatch,
  presentSeriesMatch,
  presentStudyMatch,
} from '../../areas/dicomweb/qido.presenter.ts'
import {
  listMatchingInstances,
  listMatchingSeries,
  listMatchingStudies,
  type StudyMatch,
} from '../../areas/dicomweb/qido.sql.ts'
import { maxMatches, maxMatchesInStudy, readSearch, type Search } from '../../areas/dicomweb/read-search.ts'
import type { Services } from '../../services.ts'
import { accepts, rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { originOf } from './origin.ts'
import { isUsable } from './open-subject.ts'
import { type Opened, route } from '../route.ts'

const dicomJson = 'application/dicom+json'
/** Headers opened for keys that no index serves. */
const headersAtOnce = 200
const maxHeadersMatched = 5000

/** A request for a search, let in. */
type OpenedSearch = Pick<Opened, 'request' | 'reply'> & {
  scope: StudyScope
  params: Readonly<Record<'namespace', string>> & { readonly study?: string; readonly series?: string }
}

/** QIDO-RS at its three levels. Source: PS3.18 §10.6. */
export function searchRoutes(app: FastifyInstance, services: Services): void {
  const { db } = services
  route(app, services, studiesRoute, async (opened) => {
    const { search, matching } = openSearch(opened, 'studies')
    return answer(services, opened, search, {
      find: (page) => listMatchingStudies(db, opened.scope, { ...matching, ...page }),
      wantedOf: studyOf,
      present: presentStudyMatch,
    })
  })
  for (const declared of [seriesRoute, searchStudySeries]) {
    route(app, services, declared, async (opened: OpenedSearch) => {
      const { search, matching, within } = openSearch(opened, 'series')
      return answer(services, opened, search, {
        find: (page) => listMatchingSeries(db, opened.scope, { ...matching, ...page }, within),
        wantedOf: (match) => ({ ...studyOf(match), series_uid: match.series_uid }),
        present: (match, shown) => presentSeriesMatch(match, !opened.params.study, shown),
      })
    })
  }
  for (const declared of [instancesRoute, searchStudyInstances, searchSeriesInstances]) {
    route(app, services, declared, async (opened: OpenedSearch) => {
      const { search, matching, within } = openSearch(opened, 'instances')
      const isWith = { study: !opened.params.study, series: !opened.params.series }
      return answer(services, opened, search, {
        find: (page) => listMatchingInstances(db, opened.scope, { ...matching, ...page }, within),
        wantedOf: (match) => ({ ...studyOf(match), series_uid: match.series_uid, sop_uid: match.sop_uid }),
        present: (match, shown) => presentInstanceMatch(match, isWith, shown),
      })
    })
  }
}

function studyOf({ storage_namespace, study_key }: StudyMatch): HeaderWanted {
  return { storage_namespace, study_key }
}

/** @throws DicomwebError 406, 400 */
function openSearch(
  { request, params: { study, series } }: OpenedSearch,
  level: QidoLevel,
): { search: Search; matching: Pick<Search, 'where'>; within: SearchCondition } {
  const ranges = rangesOf(request)
  if (!accepts(ranges, dicomJson) && !accepts(ranges, 'application/json'))
    throw new DicomwebError(406, 'Searches answer application/dicom+json')
  const search = readSearch(level, request.query as Record<string, unknown>, study ? maxMatchesInStudy : maxMatches)
  if (!isUsable(`${study}${series}`)) throw new DicomwebError(400, 'An identifier is not usable')
  const within = ofStudy(study)
  const where = allOf([search.where, within, ...(series ? [ofSeries(series)] : [])])
  return { search, matching: { where }, within }
}

/** How the matches of one level are found, read and shown. */
interface Level<Match extends StudyMatch> {
  find: (page: { limit: number; offset: number }) => Promise<Match[]>
  wantedOf: (match: Match) => HeaderWanted
  present: (match: Match, shown: MatchPresentation) => DicomJson
}

async function answer<Match extends StudyMatch>(
  services: Services,
  { request, reply, scope }: Pick<OpenedSearch, 'request' | 'reply' | 'scope'>,
  search: Search,
  level: Level<Match>,
): Promise<FastifyReply> {
  const shown = { origin: originOf(request), fields: search.fields }
  const look = async (found: readonly Match[]) => {
    const headers = await readHeaderFields(services, scope, found.map(level.wantedOf), search.fields)
    const json = found.map((match, place) => level.present(match, { ...shown, header: headers.json[place] ?? {} }))
    return { json, unread: headers.unread }
  }
  const { list, unread, isMore } =
    search.headerKeys.length > 0
      ? await findByHeader(search, level.find, look)
      : await findByIndex(search, level.find, look)
  const warnings = warningsOf(search, isMore, unread)
  const service = `${originOf(request)}/dicomweb`
  if (warnings.length > 0) reply.header('warning', warnings.map((text) => `299 ${service} "${text}"`).join(', '))
  const contentType = accepts(rangesOf(request), dicomJson) ? dicomJson : 'application/json'
  // as bytes: to text the framework would add a charset parameter, which the media type does not have
  return reply.header('content-type', contentType).send(Buffer.from(JSON.stringify(list)))
}

type Found = { list: DicomJson[]; unread: number; isMore: boolean }
type Find<Match> = Level<Match & StudyMatch>['find']
type Look<Match> = (found: readonly Match[]) => Promise<{ json: DicomJson[]; unread: number }>

async function findByIndex<Match>(search: Search, find: Find<Match>, look: Look<Match>): Promise<Found> {
  const { limit, offset } = search
  const found = await find({ limit: limit + 1, offset })
  const { json, unread } = await look(found.slice(0, limit))
  return { list: json, unread, isMore: found.length > limit }
}

/**
 * Matches whose header has what no index keeps. Candidates are looked at in the order of the answer, so that a page begins
 * where the one before ended.
 * @throws DicomwebError 400 when there are more candidates than are opened for one search
 */
async function findByHeader<Match>(search: Search, find: Find<Match>, look: Look<Match>): Promise<Found> {
  const list: DicomJson[] = []
  const enough = search.offset + search.limit + 1
  for (let offset = 0; list.length < enough; offset += headersAtOnce) {
    const found = await find({ limit: headersAtOnce, offset })
    if (found.length > 0 && offset >= maxHeadersMatched) {
      const names = search.headerKeys.map(({ name }) => name).join(', ')
      throw new DicomwebError(
        400,
        `${printable([names])} is matched by opening images, at most ${maxHeadersMatched} of them; narrow the search by date, patient or modality`,
      )
    }
    const { json } = await look(found)
    list.push(...json.filter((one) => search.headerKeys.every(({ isMet }) => isMet(one))))
    if (found.length < headersAtOnce) break
  }
  const { offset, limit } = search
  return { list: list.slice(offset, offset + limit), unread: 0, isMore: list.length > offset + limit }
}

function warningsOf(search: Search, isMore: boolean, unread: number): string[] {
  return [
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
