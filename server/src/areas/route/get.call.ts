import type { routeGet } from '@hilum/contract/calls/route'
import type { Handler } from '../handler.ts'
import { presentRule } from './route.presenter.ts'
import { findRule } from './route.sql.ts'
import { listRuleTargets } from './rule-target.sql.ts'

export const get: Handler<typeof routeGet> = async ({ services, input, on, fail }) => {
  const row = await findRule(services.db, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  return presentRule(row, await listRuleTargets(services.db, on.ownerUuid))
}
