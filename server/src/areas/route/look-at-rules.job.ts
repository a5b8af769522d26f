import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { noteFailingRule } from '../installation/failing-rule.command.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { declaredJobs, type PayloadOf } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { decideRun } from './decide-run.ts'
import { findPriorRun, insertRun, listAwaitingApproval, lockRuleOnStudy, type RunRow } from './route-run.sql.ts'
import { listRulesOfPlace, type RuleRow } from './route.sql.ts'
import { findRuledRecord, type RuledRecord } from './ruled-study.sql.ts'
import { flagOf, isAskedOn } from './still-asked.ts'

type Look = PayloadOf<'lookAtRules'>

/** Has each rule of a study's place decide whether it acts on the study. Done twice it decides once. */
export async function lookAtRules(services: Services, look: Look): Promise<void> {
  const study = await findRuledRecord(services.db, look.studyUuid)
  if (!study || study.deleted) return
  // a share of what still arrives: asked again once all is there
  if (study.arrival === 'receiving' || study.arrival === 'announced') return
  const place = { accountUuid: study.account_uuid, namespaceUuid: study.phi_namespace }
  const rules = await listRulesOfPlace(services.db, place, flagOf[look.trigger])
  for (const rule of rules) {
    await services.db.transaction().execute(async (tx) => {
      await lockRuleOnStudy(tx, rule.uuid, study.uuid)
      const prior = await findPriorRun(tx, rule.uuid, study.uuid)
      // what a rule was to do when it failed is still to be done, by whichever images it is asked
      if (prior?.state === 'failed') await enterRun(tx, rule, study, { ...look, again_of: prior.uuid })
      else if (!prior && isAskedOn(rule, look.number))
        await enterRun(tx, rule, study, { ...look, arrival: look.number })
    })
  }
}

/**
 * Enters what a rule decides on a study, and puts on the queue what is to be done.
 * @returns the run; undefined when the rule looked at the study on this occasion before
 */
export async function enterRun(
  tx: Tx,
  rule: RuleRow,
  study: RuledRecord,
  asked: Pick<RunRow, 'trigger' | 'occasion' | 'chain'> & { by_user?: string; again_of?: string; arrival?: number },
): Promise<RunRow | undefined> {
  const isRound = asked.chain.includes(rule.uuid)
  const decided = isRound
    ? ({ state: 'not_matched', reason: 'LOOP', detail: {}, runAt: null } as const)
    : decideRun(rule, study, new Date())
  const run: RunRow = {
    uuid: randomUUID(),
    rule_uuid: rule.uuid,
    account_uuid: rule.account_uuid,
    phi_namespace: study.phi_namespace,
    study_uuid: study.uuid,
    trigger: asked.trigger,
    occasion: asked.occasion,
    chain: [...asked.chain, rule.uuid],
    state: decided.state,
    reason: decided.reason,
    detail: decided.detail,
    by_user: asked.by_user ?? null,
    again_of: asked.again_of ?? null,
    run_at: decided.runAt,
    arrival: asked.arrival ?? null,
  }
  if (!(await insertRun(tx, run))) return undefined
  if (run.state !== 'waiting') await noteRun(tx, rule, run)
  if (run.state === 'failed') await noteFailingRule(tx, run.account_uuid, rule.uuid)
  if (decided.runAt) await putOnQueue(tx, run.uuid, study.uuid, decided.runAt)
  return run
}

export async function putOnQueue(tx: Tx, runUuid: string, studyUuid: string, runAt: Date): Promise<void> {
  await enqueue(tx, declaredJobs.runRoute, { runUuid }, { key: runUuid, runAt, group: `route ${studyUuid}` })
}

/** Puts a run that ended into the history of its study. */
export async function noteRun(
  tx: Tx,
  rule: Pick<RuleRow, 'uuid' | 'name'>,
  run: Pick<RunRow, 'account_uuid' | 'study_uuid' | 'phi_namespace' | 'state' | 'reason' | 'detail'>,
): Promise<void> {
  const { account_uuid, study_uuid: uuid, phi_namespace, state, reason, detail } = run
  await writeStudyAudit(tx, undefined, { account_uuid, uuid, phi_namespace }, 'ROUTE', {
    with: rule.name,
    route_id: rule.uuid,
    state,
    ...(reason ? { reason } : {}),
    ...detail,
  })
}

/** Has the runs begin that waited for the approval of a study. */
export async function wakeRules(services: Services, { studyUuid }: PayloadOf<'wakeRules'>): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    for (const { uuid } of await listAwaitingApproval(tx, studyUuid)) await putOnQueue(tx, uuid, studyUuid, new Date())
  })
}
