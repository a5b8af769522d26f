import { randomUUID } from 'node:crypto'
import type { routeRunAgain } from '@hilum/contract/calls/route'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { enterAgain, isOfPlace } from './ask-again.job.ts'
import { isOpenToRunAgain, lockRouteRun, lockRuleOnStudy } from './route-run.sql.ts'
import { findRule } from './route.sql.ts'
import { findRuledRecord } from './ruled-study.sql.ts'

export const runAgain: Handler<typeof routeRunAgain> = async ({ services, input, caller, on, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    const failed = await lockRouteRun(tx, input.run_id)
    const rule = await findRule(tx, input.uuid)
    if (!rule || failed?.rule_uuid !== rule.uuid) throw fail('NOT_FOUND')
    await lockRuleOnStudy(tx, rule.uuid, failed.study_uuid)
    const study = await findRuledRecord(tx, failed.study_uuid)
    if (!study || study.deleted) throw fail('NOT_FOUND')
    if (!(await isOpenToRunAgain(tx, failed.uuid))) throw fail('ALREADY_EXISTS')
    if (rule.suspended) throw fail('ROUTE_NOT_MATCHED', { subtype: 'RULE_DISABLED' })
    if (!isOfPlace(rule, study)) throw fail('ROUTE_NOT_MATCHED', { subtype: 'OTHER_PLACE' })
    const run = await enterAgain(tx, rule, study, failed, `again ${randomUUID()}`, caller.userUuid)
    // outside its hours, or its conditions are not met any more
    if (run?.state !== 'waiting') throw fail('ROUTE_NOT_MATCHED', { subtype: run?.reason ?? '' })
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'SEND',
      type: 'Route',
      objectUuid: rule.uuid,
      detail: { name: rule.name, run: failed.uuid },
    })
  })
  return {}
}
