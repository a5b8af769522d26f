import type { routeDelete } from '@hilum/contract/calls/route'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { lockRules, markRuleDeleted } from './route.sql.ts'

export const remove: Handler<typeof routeDelete> = async ({ services, input, caller, on, fail }) => {
  const isDeleted = input.undo !== 1
  await services.db.transaction().execute(async (tx) => {
    await lockRules(tx, on.ownerUuid)
    const rule = await markRuleDeleted(tx, input.uuid, isDeleted)
    if (!rule) throw fail('NOT_FOUND')
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: isDeleted ? 'DELETE' : 'CREATE',
      type: 'Route',
      objectUuid: input.uuid,
      detail: { name: rule.name, ...(isDeleted ? {} : { undo: 1 }) },
    })
  })
  return {}
}
