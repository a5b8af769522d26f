import type { routeAdd } from '@hilum/contract/calls/route'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { checkRule } from './check-rule.command.ts'
import { demandCodes } from './demand-codes.ts'
import { namedPlace } from './named-place.ts'
import { newRule } from './new-rule.ts'
import { readRule } from './read-rule.ts'
import { lockRules, saveRule } from './route.sql.ts'
import { changesOfRule } from './rule-changes.ts'
import { listRuleTargets } from './rule-target.sql.ts'

export const add: Handler<typeof routeAdd> = async (request) => {
  const { services, input, caller, on, fail } = request
  const place = namedPlace(input, await listRuleTargets(services.db, on.ownerUuid))
  if (!place) throw fail('INVALID_LINKAGE')
  const empty = newRule(on.ownerUuid, place, caller.userUuid)
  const sent = readRule(empty, input)
  const read = { ...sent, actions: await demandCodes(request, sent) }
  await services.db.transaction().execute(async (tx) => {
    await lockRules(tx, on.ownerUuid)
    const rule = await checkRule(tx, read)
    await saveRule(tx, rule)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'CREATE',
      type: 'Route',
      objectUuid: rule.uuid,
      detail: { name: rule.name, ...changesOfRule(empty, rule) },
    })
  })
  return { uuid: read.uuid }
}
