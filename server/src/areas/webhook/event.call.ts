import type { webhookEvent } from '@hilum/contract/calls/webhook'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { tellEvent } from '../telling/tell-event.command.ts'

/** Puts the session on record, and tells the webhooks that listen. */
export const event: Handler<typeof webhookEvent> = async ({ services, input, caller, on }) => {
  const { type, integration_key, study_count } = input
  await services.db.transaction().execute(async (tx) => {
    await writeAudit(tx, {
      accountUuid: on.accountUuid,
      caller,
      action: type,
      type: 'Namespace',
      objectUuid: on.namespaceUuid,
      phiNamespace: on.namespaceUuid,
      detail: {
        ...(study_count === undefined ? {} : { study_count }),
        ...(integration_key ? { integration_key } : {}),
      },
    })
    await tellEvent(tx, type, [{ account_uuid: on.accountUuid, phi_namespace: on.namespaceUuid }], caller.userUuid)
  })
  return {}
}
