import { mostRunsAgain, type routeRunsAgain } from '@hilum/contract/calls/route'
import { ApiError } from '@hilum/contract/errors'
import type { Handler } from '../handler.ts'
import { runRuleAgain } from './run-again.command.ts'
import { listFaultyRuns } from './route-run.sql.ts'

export const runsAgain: Handler<typeof routeRunsAgain> = async ({ services, input, caller, on }) => {
  const { db } = services
  let again = 0
  let notAgain = 0
  const { runs, left } = await listFaultyRuns(db, input.uuid, { after: input.after_run_id, limit: mostRunsAgain })
  for (const runUuid of runs) {
    const named = { ruleUuid: input.uuid, runUuid }
    try {
      // each by itself: what is left of the others stands whatever comes of one
      await db.transaction().execute((tx) => runRuleAgain(tx, caller, on.ownerUuid, named))
      again += 1
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // of one that is gone, or that somebody ran meanwhile, nothing is left to do
      if (error.code === 'ROUTE_NOT_MATCHED') notAgain += 1
    }
  }
  return { again, not_again: notAgain, left, last_run_id: runs.at(-1) ?? '' }
}
