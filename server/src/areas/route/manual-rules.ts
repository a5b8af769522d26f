import type { Membership } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'
import { faultOfConditions } from './decide-run.ts'
import { evaluateConditions } from './evaluate-rule.ts'
import { listRulesOfPlace, type RuleRow } from './route.sql.ts'
import type { RuledRecord } from './ruled-study.sql.ts'

/** Rules that somebody may start by hand on a study: those for its place and the person's role that match it. */
export async function listManualRules(
  db: Db,
  study: RuledRecord,
  { roleUuid }: Pick<Membership, 'roleUuid'>,
): Promise<RuleRow[]> {
  if (study.deleted || study.arrival === 'receiving' || study.arrival === 'announced') return []
  const place = { accountUuid: study.account_uuid, namespaceUuid: study.phi_namespace }
  const rules = await listRulesOfPlace(db, place, 'on_manual_route')
  const now = new Date()
  return rules.filter(
    (rule) =>
      (rule.manual_roles.length === 0 || rule.manual_roles.includes(roleUuid)) &&
      (!study.must_approve || rule.options.bypass_approval === 1) &&
      !faultOfConditions(rule) &&
      evaluateConditions(rule, study, now).isMet,
  )
}
