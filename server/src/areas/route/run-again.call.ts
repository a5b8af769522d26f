import type { routeRunAgain } from '@hilum/contract/calls/route'
import type { Handler } from '../handler.ts'
import { runRuleAgain } from './run-again.command.ts'

export const runAgain: Handler<typeof routeRunAgain> = async ({ services, input, caller, on }) => {
  const named = { ruleUuid: input.uuid, runUuid: input.run_id }
  await services.db.transaction().execute((tx) => runRuleAgain(tx, caller, on.ownerUuid, named))
  return {}
}
