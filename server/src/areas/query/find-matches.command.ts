import type { DicomJson } from '@hilum/dicom/json'
import { Status } from '@hilum/dicom/dimse/status'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Services } from '../../services.ts'
import { readHeaderFields } from '../dicomweb/header-fields.command.ts'
import type { HeaderWanted } from '../dicomweb/header-location.sql.ts'
import { presentInstanceMatch, presentSeriesMatch, presentStudyMatch } from '../dicomweb/qido.presenter.ts'
import { listMatchingInstances, listMatchingSeries, listMatchingStudies } from '../dicomweb/qido.sql.ts'
import { type FindQuery, qidoLevelOf, QueryError, type QueryLevel } from './read-query.ts'

const pageSize = 200
/** Images of a study are asked for together. */
const imagesAtOnce = 1000
/** Images opened for keys that no index serves. */
const maxHeadersMatched = 5000

/** Attributes that tell the matches of a level apart. */
const namesOf: Readonly<Record<QueryLevel, readonly string[]>> = {
  PATIENT: ['00100020', '00100021'],
  STUDY: ['0020000D'],
  SERIES: ['0020000D', '0020000E'],
  IMAGE: ['0020000D', '00080018'],
}

/**
 * The matches of a query, each once, as the record shows them with its corrections; page by page, so that a slow peer
 * holds neither rows nor a transaction.
 * @throws QueryError, behind the last match that is given, when there are more than are given
 */
export async function* findMatches(services: Services, scope: StudyScope, query: FindQuery): AsyncGenerator<DicomJson> {
  const { level, search, most } = query
  const size = level === 'IMAGE' && search.fields.length === 0 ? imagesAtOnce : pageSize
  const mostLooked = search.headerKeys.length > 0 ? Math.min(most, maxHeadersMatched) : most
  const given = new Set<string>()
  for (let offset = 0; ; offset += size) {
    const page = await findPage(services, scope, query, { limit: Math.min(size, mostLooked - offset + 1), offset })
    for (const [place, match] of page.entries()) {
      if (offset + place >= mostLooked) {
        throw new QueryError(Status.OutOfResources, `There are more than ${mostLooked} candidates: narrow the query`)
      }
      // studies that came or went meanwhile move the pages
      const name = namesOf[level].map((tag) => String(match[tag]?.Value?.[0] ?? '')).join('\\')
      if (given.has(name) || !search.headerKeys.every(({ isMet }) => isMet(match))) continue
      given.add(name)
      yield match
    }
    if (page.length < size) return
  }
}

async function findPage(
  services: Services,
  scope: StudyScope,
  { level, search, within }: FindQuery,
  page: { limit: number; offset: number },
): Promise<DicomJson[]> {
  const { db } = services
  const matching = { where: search.where, ...page }
  const headersOf = async (wanted: readonly HeaderWanted[]) =>
    search.fields.length === 0 ? [] : (await readHeaderFields(services, scope, wanted, search.fields)).json
  const shown = (header: DicomJson | undefined) => ({ origin: '', fields: search.fields, header: header ?? {} })
  switch (qidoLevelOf[level]) {
    case 'studies': {
      const found = await listMatchingStudies(db, scope, matching)
      const headers = await headersOf(found)
      return found.map((match, place) => presentStudyMatch(match, shown(headers[place])))
    }
    case 'series': {
      const found = await listMatchingSeries(db, scope, matching, within)
      const headers = await headersOf(found)
      return found.map((match, place) => presentSeriesMatch(match, true, shown(headers[place])))
    }
    case 'instances': {
      const found = await listMatchingInstances(db, scope, matching, within)
      const headers = await headersOf(found)
      const isWith = { study: true, series: true }
      return found.map((match, place) => presentInstanceMatch(match, isWith, shown(headers[place])))
    }
  }
}
