import { randomUUID } from 'node:crypto'
import { ApiError } from '@hilum/contract/errors'
import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { enterAgain } from './ask-again.job.ts'
import { isOpenToRunAgain, lockRouteRun, lockRuleOnStudy } from './route-run.sql.ts'
import { findRule } from './route.sql.ts'
import { findRuledRecord } from './ruled-study.sql.ts'
import { whyNotAsked } from './still-asked.ts'

/**
 * Has a rule do what a failed run of its did not, on record.
 * @throws ApiError NOT_FOUND, ALREADY_EXISTS where a later run decides, ROUTE_NOT_MATCHED with the reason where it would not run
 */
export async function runRuleAgain(
  tx: Tx,
  caller: Caller,
  accountUuid: string,
  { ruleUuid, runUuid }: { ruleUuid: string; runUuid: string },
): Promise<void> {
  const failed = await lockRouteRun(tx, runUuid)
  const rule = await findRule(tx, ruleUuid)
  if (!rule || failed?.rule_uuid !== rule.uuid) throw new ApiError('NOT_FOUND')
  await lockRuleOnStudy(tx, rule.uuid, failed.study_uuid)
  const study = await findRuledRecord(tx, failed.study_uuid)
  if (!study || study.deleted) throw new ApiError('NOT_FOUND')
  if (!(await isOpenToRunAgain(tx, failed.uuid))) throw new ApiError('ALREADY_EXISTS')
  const why = whyNotAsked(rule, study, { ...failed, arrival: null })
  if (why) throw new ApiError('ROUTE_NOT_MATCHED', { subtype: why })
  const run = await enterAgain(tx, rule, study, failed, `again ${randomUUID()}`, caller.userUuid)
  // outside its hours, or its conditions are not met any more
  if (run?.state !== 'waiting') throw new ApiError('ROUTE_NOT_MATCHED', { subtype: run?.reason ?? '' })
  const detail = { name: rule.name, run: failed.uuid }
  await writeAudit(tx, { accountUuid, caller, action: 'SEND', type: 'Route', objectUuid: rule.uuid, detail })
}
