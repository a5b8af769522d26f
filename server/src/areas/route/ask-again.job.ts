import type { Db, Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { findOutgoingRecord } from '../altered/outgoing-record.sql.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { enterRun } from './look-at-rules.job.ts'
import { findPriorRun, listFailedRuns, lockRuleOnStudy, type RunRow } from './route-run.sql.ts'
import { findRule, type RuleRow } from './route.sql.ts'
import { findRuledRecord, type RuledRecord } from './ruled-study.sql.ts'
import { whyNotAsked } from './still-asked.ts'

/** Has each rule that failed on a study decide anew. Done twice it decides once. */
export async function askRulesAgain(
  services: Services,
  { studyUuid }: PayloadOf<'askRulesAgain'>,
  { work }: { work: string },
): Promise<void> {
  const { db } = services
  const study = await findRuledRecord(db, studyUuid)
  if (!study || study.deleted || study.arrival === 'receiving' || study.arrival === 'announced') return
  // nothing of a study of several patients leaves by a rule
  if ((await findOutgoingRecord(db, study.phi_namespace, study.uuid))?.mixed_patients) return
  for (const failed of await listFailedRuns(db, study.uuid)) {
    const rule = await findListening(db, failed, study)
    if (!rule) continue
    await db.transaction().execute(async (tx) => {
      await lockRuleOnStudy(tx, rule.uuid, study.uuid)
      const prior = await findPriorRun(tx, rule.uuid, study.uuid)
      if (prior?.state === 'failed') await enterAgain(tx, rule, study, prior, `again ${work}`)
    })
  }
}

/** The rule of a run where it is switched on and still looks at such a study. */
async function findListening(db: Db, failed: RunRow, study: RuledRecord): Promise<RuleRow | undefined> {
  const rule = await findRule(db, failed.rule_uuid)
  if (!rule || failed.trigger === 'manual') return undefined
  return whyNotAsked(rule, study, { ...failed, arrival: null }) ? undefined : rule
}

/** Enters a run that does what a failed one did not. */
export async function enterAgain(
  tx: Tx,
  rule: RuleRow,
  study: RuledRecord,
  failed: RunRow,
  occasion: string,
  byUser?: string,
): Promise<RunRow | undefined> {
  const chain = failed.chain.filter((one) => one !== rule.uuid)
  const by = byUser ?? failed.by_user
  return enterRun(tx, rule, study, {
    trigger: failed.trigger,
    occasion,
    chain,
    again_of: failed.uuid,
    ...(by ? { by_user: by } : {}),
  })
}
