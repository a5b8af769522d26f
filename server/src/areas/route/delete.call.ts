import type { routeDelete } from '@hilum/contract/calls/route'
import { ApiError } from '@hilum/contract/errors'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { checkRule } from './check-rule.command.ts'
import { demandCodes } from './demand-codes.ts'
import { findDeletedRule, lockRules, markRuleDeleted, saveRule } from './route.sql.ts'

export const remove: Handler<typeof routeDelete> = async (request) => {
  const { services, input, caller, on, fail } = request
  const isDeleted = input.undo !== 1
  // codes are searched for by connections of their own, for which nothing that is locked may wait
  const hasBadCodes = !isDeleted && (await areCodesRefused(request))
  return services.db.transaction().execute(async (tx) => {
    await lockRules(tx, on.ownerUuid)
    const rule = await markRuleDeleted(tx, input.uuid, isDeleted)
    if (!rule) throw fail('NOT_FOUND')
    if (input.row_version !== undefined && rule.row_version !== input.row_version + 1) throw fail('STALE')
    const isSwitchedOff =
      !isDeleted && !rule.suspended && (hasBadCodes || (await isRefused(() => checkRule(tx, rule, rule.manual_roles))))
    if (isSwitchedOff) await saveRule(tx, { ...rule, suspended: true })
    const undone = { undo: 1, ...(isSwitchedOff ? { suspended: [false, true] } : {}) }
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: isDeleted ? 'DELETE' : 'CREATE',
      type: 'Route',
      objectUuid: input.uuid,
      detail: { name: rule.name, ...(isDeleted ? {} : undone) },
    })
    return isSwitchedOff
      ? { row_version: rule.row_version + 1, suspended: 1 as const }
      : { row_version: rule.row_version }
  })
}

/** Whether the caller may not share by the codes of a deleted rule that was switched on, or one leads elsewhere by now. */
async function areCodesRefused({ services, input, caller, on }: CallRequest<typeof routeDelete>): Promise<boolean> {
  const rule = await findDeletedRule(services.db, input.uuid)
  if (!rule || rule.suspended) return false
  const fail = (...why: ConstructorParameters<typeof ApiError>) => new ApiError(...why)
  return isRefused(() => demandCodes({ services, caller, on, fail }, rule))
}

async function isRefused(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check()
    return false
  } catch (error) {
    if (error instanceof ApiError) return true
    throw error
  }
}
