import type { routeSet } from '@hilum/contract/calls/route'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { checkRule } from './check-rule.command.ts'
import { demandCodes } from './demand-codes.ts'
import { namedPlace } from './named-place.ts'
import { readRule } from './read-rule.ts'
import { askWaitingRuns } from './route-run.sql.ts'
import { findRule, lockRule, lockRules, type RuleRow, saveRule } from './route.sql.ts'
import { changesOfRule } from './rule-changes.ts'
import { listRuleTargets } from './rule-target.sql.ts'

export const set: Handler<typeof routeSet> = async (request) => {
  const { services, input, caller, on, fail } = request
  const place =
    input.namespace_id === undefined
      ? undefined
      : namedPlace({ namespace_id: input.namespace_id }, await listRuleTargets(services.db, on.ownerUuid))
  const found = readChange(request, place, await findRule(services.db, input.uuid))
  // codes are searched for by connections of their own, for which nothing that is locked may wait
  const actions = found.isChecked ? await demandCodes(request, found.read) : undefined
  const answer = await services.db.transaction().execute(async (tx) => {
    await lockRules(tx, on.ownerUuid)
    const { before, read, isChecked } = readChange(request, place, await lockRule(tx, input.uuid))
    const hasCodes = read.actions.some((one) => 'share_code' in one)
    if (isChecked && hasCodes && before.row_version !== found.before.row_version) throw fail('STALE')
    const named = { ...read, actions: (hasCodes && actions) || read.actions }
    const after = isChecked ? await checkRule(tx, named, before.manual_roles) : read
    await saveRule(tx, after)
    if (!after.suspended && hasOtherTimes(before, after)) await askWaitingRuns(tx, after.uuid)
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
    return { row_version: before.row_version + 1 }
  })
  services.events.ring()
  return answer
}

/** Whether runs of a rule that wait would begin at another time now. */
function hasOtherTimes(before: RuleRow, after: RuleRow): boolean {
  const timesOf = (one: RuleRow) =>
    JSON.stringify([
      one.delay_seconds,
      one.delay_from_study_field,
      one.delay_from_study_seconds,
      one.schedule,
      one.flags.includes('delay_till_schedule'),
    ])
  return timesOf(before) !== timesOf(after)
}

/** A rule with what was sent put over it, and whether everything that it names has to be there. */
function readChange(
  { input, caller, fail }: CallRequest<typeof routeSet>,
  place: string | undefined,
  before: RuleRow | undefined,
) {
  if (!before) throw fail('NOT_FOUND')
  if (input.row_version !== undefined && input.row_version !== before.row_version) throw fail('STALE')
  const sent: RuleRow = { ...readRule(before, input), saved_by: caller.userUuid }
  if (input.namespace_id !== undefined && !place) throw fail('INVALID_LINKAGE')
  const read = { ...sent, namespace_uuid: place ?? before.namespace_uuid }
  // a rule that names something deleted can be switched off and renamed
  const { suspended: _suspended, ...changed } = changesOfRule(before, read)
  return { before, read, isChecked: Object.keys(changed).length > 0 || (before.suspended && !read.suspended) }
}
