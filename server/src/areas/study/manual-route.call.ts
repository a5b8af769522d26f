import { randomUUID } from 'node:crypto'
import { isMailable } from '@hilum/contract/mail-address'
import type { studyManualRoute } from '@hilum/contract/calls/study-acts'
import { listManualRules } from '../route/manual-rules.ts'
import { enterRun } from '../route/look-at-rules.job.ts'
import { findRuledRecord } from '../route/ruled-study.sql.ts'
import type { Handler } from '../handler.ts'

export const manualRoute: Handler<typeof studyManualRoute> = async ({ services, input, caller, on, fail }) => {
  const { db } = services
  // for the action share_email, which no rule here can have: nobody would be sent either
  if (input.email) throw isMailable(input.email) ? fail('INVALID_FIELD', { subtype: 'email' }) : fail('INVALID_EMAIL')
  if (input.message) throw fail('INVALID_FIELD', { subtype: 'message' })
  const study = await findRuledRecord(db, on.record.uuid)
  const rules = study ? await listManualRules(db, study, on.membership) : []
  const rule = rules.find((one) => one.uuid === input.route_id)
  if (!study || !rule) throw fail('ROUTE_NOT_MATCHED')
  await db.transaction().execute(async (tx) => {
    const asked = {
      trigger: 'manual' as const,
      occasion: `manual ${randomUUID()}`,
      chain: [],
      by_user: caller.userUuid,
    }
    const run = await enterRun(tx, rule, study, asked)
    // outside its hours
    if (run?.state !== 'waiting') throw fail('ROUTE_NOT_MATCHED', { subtype: run?.reason ?? '' })
  })
  return {}
}
