import type { routeSet } from '@hilum/contract/calls/route'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { checkRule } from './check-rule.command.ts'
import { demandCodes } from './demand-codes.ts'
import { namedPlace } from './named-place.ts'
import { readRule } from './read-rule.ts'
import { lockRule, lockRules, type RuleRow, saveRule } from './route.sql.ts'
import { changesOfRule } from './rule-changes.ts'
import { listRuleTargets } from './rule-target.sql.ts'

export const set: Handler<typeof routeSet> = async (request) => {
  const { services, input, caller, on, fail } = request
  await services.db.transaction().execute(async (tx) => {
    await lockRules(tx, on.ownerUuid)
    const before = await lockRule(tx, input.uuid)
    if (!before) throw fail('NOT_FOUND')
    if (input.row_version !== undefined && input.row_version !== before.row_version) throw fail('STALE')
    const read: RuleRow = { ...readRule(before, input), saved_by: caller.userUuid }
    if (input.namespace_id !== undefined) {
      const place = namedPlace({ namespace_id: input.namespace_id }, await listRuleTargets(tx, on.ownerUuid))
      if (!place) throw fail('INVALID_LINKAGE')
      read.namespace_uuid = place
    }
    // a rule that names something deleted can be switched off and renamed
    const { suspended: _suspended, ...changed } = changesOfRule(before, read)
    const isChecked = Object.keys(changed).length > 0 || (before.suspended && !read.suspended)
    if (isChecked) await demandCodes(request, read)
    const after = isChecked ? await checkRule(tx, read) : read
    await saveRule(tx, after)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'EDIT',
      type: 'Route',
      objectUuid: before.uuid,
      detail: {
        ...(before.name === after.name ? {} : { name: [before.name, after.name] }),
        ...changesOfRule(before, after),
      },
    })
  })
  return {}
}
