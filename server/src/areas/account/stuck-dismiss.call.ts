import type { accountStuckDismiss } from '@hilum/contract/calls/account'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { forgetFailingRule } from '../installation/failing-rule.command.ts'
import { dismissFailedPushes, dismissFailedRuns } from '../installation/stuck.sql.ts'

export const stuckDismiss: Handler<typeof accountStuckDismiss> = async ({ services, input, caller, on, fail }) => {
  const { destination_id: destination, rule_id: rule } = input
  if (!destination && !rule) throw fail('MISSING_FIELDS', { subtype: ['destination_id', 'rule_id'] })
  await services.db.transaction().execute(async (tx) => {
    const pushes = destination ? await dismissFailedPushes(tx, on.ownerUuid, destination) : 0
    const runs = rule ? await dismissFailedRuns(tx, on.ownerUuid, rule) : 0
    if ((destination && pushes === 0) || (rule && runs === 0)) throw fail('NOT_FOUND')
    const row = { accountUuid: on.ownerUuid, caller, action: 'EDIT' } as const
    if (destination) {
      const detail = { failed_pushes_shown: [pushes, 0] }
      await writeAudit(tx, { ...row, type: 'Destination', objectUuid: destination, detail })
    }
    if (rule) {
      await writeAudit(tx, { ...row, type: 'Route', objectUuid: rule, detail: { failed_runs_shown: [runs, 0] } })
      await forgetFailingRule(tx, rule)
    }
  })
  return {}
}
