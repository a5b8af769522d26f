import type { accountStuckDismiss } from '@hilum/contract/calls/account'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { dismissFailedPushes } from '../installation/stuck.sql.ts'

export const stuckDismiss: Handler<typeof accountStuckDismiss> = async ({ services, input, caller, on, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    const count = await dismissFailedPushes(tx, on.ownerUuid, input.destination_id)
    if (count === 0) throw fail('NOT_FOUND')
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'EDIT',
      type: 'Destination',
      objectUuid: input.destination_id,
      detail: { failed_pushes_shown: [count, 0] },
    })
  })
  return {}
}
