import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { forgetOverWarning, forgetWarning, noteWarningOver, wasWarned } from './warning.sql.ts'

/** A rule that fails on some exams and runs well on others is mailed of once in so many hours. */
const quietHours = 24

/** Names the warning that a routing rule fails. */
export function warningOfRule(ruleUuid: string): string {
  return `rule ${ruleUuid}`
}

/**
 * Has the administrators told that a routing rule fails: at once where they were not told before or dismissed it, and
 * where it ran well since, a day after they were told last at the earliest.
 */
export async function noteFailingRule(tx: Tx, accountUuid: string, ruleUuid: string): Promise<void> {
  await forgetOverWarning(tx, warningOfRule(ruleUuid), quietHours)
  if (await wasWarned(tx, warningOfRule(ruleUuid), undefined)) return
  await enqueue(tx, declaredJobs.tellOfFailingRule, { accountUuid, ruleUuid }, { key: ruleUuid })
}

/** Keeps with the warning of a rule that it ran well since. */
export async function noteWellRule(tx: Tx, ruleUuid: string): Promise<void> {
  await noteWarningOver(tx, warningOfRule(ruleUuid))
}

/** After a dismissal people are told of the next failure. */
export async function forgetFailingRule(tx: Tx, ruleUuid: string): Promise<void> {
  await forgetWarning(tx, warningOfRule(ruleUuid))
}
