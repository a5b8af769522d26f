import type { routeMove } from '@hilum/contract/calls/route'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { lockRule, lockRules, placeRule } from './route.sql.ts'

export const move: Handler<typeof routeMove> = async ({ services, input, caller, on, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    await lockRules(tx, on.ownerUuid)
    const rule = await lockRule(tx, input.uuid)
    if (!rule) throw fail('NOT_FOUND')
    await placeRule(tx, on.ownerUuid, rule.uuid, input.sequence)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'EDIT',
      type: 'Route',
      objectUuid: rule.uuid,
      detail: { sequence: [rule.sequence, input.sequence] },
    })
  })
  return {}
}
