import type { Tx } from '../../db/database.ts'
import { noteFailingRule, noteWellRule } from '../installation/failing-rule.command.ts'
import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { decideRun } from './decide-run.ts'
import { type ActionResult, doAction, type NoteResult } from './do-action.command.ts'
import { noteRun, putOnQueue } from './look-at-rules.job.ts'
import {
  type DoneAction,
  listDoneActions,
  lockRouteRun,
  noteDone,
  type RunRow,
  setDelayFrom,
  updateRun,
} from './route-run.sql.ts'
import { kindOfAction, namedBy } from './named-target.ts'
import type { StoredAction } from './stored-action.ts'
import { findRule, type RuleRow } from './route.sql.ts'
import { listRuleTargets, type RuleTarget } from './rule-target.sql.ts'
import { findRuledRecord, type RuledRecord } from './ruled-study.sql.ts'
import { whyNotAsked } from './still-asked.ts'
import { faultsOfRules } from '../routing/rules-fault.sql.ts'

/**
 * Does the actions of a rule on a study. All of the rule is asked once more, as rule and study may have changed since. Of a
 * study that waits for approval nothing leaves: the run calls its webhooks, and waits with the rest.
 * Each action is done once by a run, however often the run is begun: it is noted in the transaction that does it.
 */
export const runRouteActs: JobActs<PayloadOf<'runRoute'>> = {
  run: async (services, { runUuid }) => {
    const begun = await services.db.transaction().execute((tx) => begin(tx, runUuid))
    if (!begun) return
    const { rule, run, study } = begun
    const results: ActionResult[] = []
    const before = await listDoneActions(services.db, run)
    const targets = await listRuleTargets(services.db, rule.account_uuid)
    const note = notesOf(run)
    let isWithheld = false
    for (const action of rule.actions) {
      const earlier = doneBefore(before, action, targets)
      if (!earlier && study.must_approve && !('webhook' in action)) {
        isWithheld = true
        continue
      }
      const result = earlier ?? (await doAction(services, { rule, run, study }, action, note))
      results.push(result)
      if (earlier || result.result === 'failed') await note(services.db, result)
    }
    if (isWithheld) {
      // its approval wakes the run, in the lane of the study: not before this run has come to its end
      const waiting = {
        state: 'waiting',
        reason: 'AWAITS_APPROVAL',
        detail: { actions: results },
        runAt: null,
      } as const
      await services.db.transaction().execute((tx) => updateRun(tx, run.uuid, waiting))
      services.events.ring()
      return
    }
    const isDone = results.every((one) => one.result !== 'failed')
    await services.db.transaction().execute((tx) =>
      end(tx, rule, run, {
        state: isDone ? 'done' : 'failed',
        reason: isDone ? '' : 'ACTION_FAILED',
        detail: { actions: results },
      }),
    )
    services.events.ring()
  },
  giveUp: async (tx, { runUuid }, _work, { error }) => {
    const run = await lockRouteRun(tx, runUuid)
    const rule = run && (await findRule(tx, run.rule_uuid))
    // with what it did before it stopped
    if (run) await end(tx, rule, run, { state: 'failed', reason: error, detail: run.detail })
    return undefined
  },
}

/** Notes the results of a run one by one, beside those that it has from before it was begun again. */
function notesOf(run: RunRow): NoteResult {
  const noted = [...((run.detail['actions'] ?? []) as ActionResult[])] // as a run keeps them
  return async (db, result) => {
    const at = noted.findIndex(({ kind, target }) => kind === result.kind && target === result.target)
    // what this run has done itself stays noted so
    if (at >= 0 && result.result === 'before') return
    noted.splice(at < 0 ? noted.length : at, 1, result)
    await noteDone(db, run.uuid, noted)
  }
}

/** The result of an action that an earlier run did; where that run kept no target, by a name that no other target has. */
function doneBefore(
  done: readonly DoneAction[],
  action: StoredAction,
  targets: readonly RuleTarget[],
): ActionResult | undefined {
  const { kind, uuid: target } = namedBy(action)
  const isAlone = (name: string) => {
    if ('share_code' in action) return action.to?.name === name
    const named = targets.filter((one) => kindOfAction(one) === kind && one.name === name)
    return named.length === 1 && named[0]?.uuid === target
  }
  const found = done.find(
    (one) => one.kind === kind && (one.target === null ? isAlone(one.name) : one.target === target),
  )
  return found && { kind, target, name: found.name, result: 'before' }
}

type Begun = { rule: RuleRow; run: RunRow; study: RuledRecord }

/** A run that is to be done now; every other one is ended, or put off. */
async function begin(tx: Tx, runUuid: string): Promise<Begun | undefined> {
  const run = await lockRouteRun(tx, runUuid)
  if (run?.state !== 'waiting') return undefined
  const rule = await findRule(tx, run.rule_uuid)
  const study = await findRuledRecord(tx, run.study_uuid)
  const gone = !rule ? 'RULE_DELETED' : !study || study.deleted ? 'STUDY_GONE' : whyNotAsked(rule, study, run)
  if (gone || !rule || !study) {
    await end(tx, rule, run, withDoneActions(run, { state: 'not_matched', reason: gone, detail: {} }))
    return undefined
  }
  const now = new Date()
  const hasBegun = 'actions' in run.detail
  // a run that waited for approval begins its delay now
  const isApproved = run.reason === 'AWAITS_APPROVAL'
  const asked = hasBegun ? restOf(rule) : rule
  const { state, ...decided } = withDoneActions(run, decideRun(asked, study, now, isApproved ? now : run.delay_from))
  if (state !== 'waiting') {
    await end(tx, rule, run, { ...decided, state })
    return undefined
  }
  const isDue = decided.runAt !== null && decided.runAt <= now
  if (!isDue || isApproved) await updateRun(tx, run.uuid, { ...decided, state })
  if (isApproved) await setDelayFrom(tx, run.uuid, now)
  if (decided.runAt && !isDue) await putOnQueue(tx, run.uuid, study.uuid, decided.runAt)
  return isDue ? { rule, run, study } : undefined
}

/**
 * A rule as it is asked for the rest of a run that has begun: its delay is over, and outside of its hours the rest waits for
 * them, so that nothing of it is left undone.
 */
const restOf = (rule: RuleRow): RuleRow => ({
  ...rule,
  delay_seconds: 0,
  delay_from_study_field: '',
  flags: [...rule.flags, 'delay_till_schedule'],
})

/** A decision on a run with the actions that the run has done already. */
function withDoneActions<D extends { detail: object }>(run: RunRow, decided: D) {
  return { ...decided, detail: { ...run.detail, ...decided.detail } }
}

interface Ended {
  state: 'done' | 'failed' | 'not_matched'
  reason: string
  detail: Record<string, unknown>
}

/** Whether a run failed for another reason than its exam. */
function isRulesFault({ state, reason, detail }: Ended): boolean {
  if (state !== 'failed') return false
  const actions = (detail['actions'] ?? []) as ActionResult[] // as a run keeps them
  return reason !== 'ACTION_FAILED' || actions.some((one) => faultsOfRules.includes(one.reason ?? ''))
}

async function end(tx: Tx, rule: Pick<RuleRow, 'uuid' | 'name'> | undefined, run: RunRow, ended: Ended): Promise<void> {
  if (!(await updateRun(tx, run.uuid, { ...ended, runAt: run.run_at }))) return
  await noteRun(tx, rule ?? { uuid: run.rule_uuid, name: '' }, { ...run, ...ended })
  if (ended.state === 'done') await noteWellRule(tx, run.rule_uuid)
  else if (isRulesFault(ended)) await noteFailingRule(tx, run.account_uuid, run.rule_uuid)
}
