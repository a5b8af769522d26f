import type { routeList } from '@hilum/contract/calls/route'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentRule } from './route.presenter.ts'
import { listRules, ruleColumns, ruleOrder } from './route.sql.ts'
import { listRuleTargets } from './rule-target.sql.ts'

export const list: Handler<typeof routeList> = async ({ services, list: query, caller, on }) => {
  const question = listSql(query, ruleColumns, caller.timeZone, ruleOrder)
  const { rows, page } = toPage(await listRules(services.db, on.ownerUuid, question), query)
  const targets = await listRuleTargets(services.db, on.ownerUuid)
  return { routes: rows.map((row) => presentRule(row, targets)), page }
}
