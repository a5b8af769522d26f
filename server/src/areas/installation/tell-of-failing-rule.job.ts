import type { Services } from '../../services.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { ruleMail } from '../mail/mail-texts.ts'
import { warningOfRule } from './failing-rule.command.ts'
import { mailAdministrators } from './mail-administrators.command.ts'
import { listFailingRules } from './stuck.sql.ts'

/** Mails the administrators of its account, once, that a routing rule fails, where it still stands under What is stuck. */
export async function tellOfFailingRule(
  services: Services,
  { accountUuid, ruleUuid }: PayloadOf<'tellOfFailingRule'>,
): Promise<void> {
  const failing = await listFailingRules(services.db, accountUuid)
  if (!failing.some(({ rule_id: rule }) => rule === ruleUuid)) return
  await mailAdministrators(services, { warning: warningOfRule(ruleUuid), accountUuid, write: ruleMail })
}
