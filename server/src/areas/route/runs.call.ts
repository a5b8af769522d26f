import type { routeRuns } from '@hilum/contract/calls/route'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { listRuns, runColumns, runOrder } from './route-run.sql.ts'
import { listSeenPlaces } from './seen-places.ts'

export const runs: Handler<typeof routeRuns> = async ({ services, input, list: query, caller }) => {
  const question = listSql(query, runColumns, caller.timeZone, runOrder)
  const found = await listRuns(services.db, input.uuid, await listSeenPlaces(caller), question)
  const { rows, page } = toPage(found, query)
  return { runs: rows, page }
}
