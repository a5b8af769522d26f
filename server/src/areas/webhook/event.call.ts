import type { webhookEvent } from '@hilum/contract/calls/webhook'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'

/** Kept on record; who is to be told of it comes with webhooks themselves. */
export const event: Handler<typeof webhookEvent> = async ({ services, input, caller, on }) => {
  const { type, integration_key, study_count } = input
  await writeAudit(services.db, {
    accountUuid: on.accountUuid,
    caller,
    action: type,
    type: 'Namespace',
    objectUuid: on.namespaceUuid,
    phiNamespace: on.namespaceUuid,
    detail: { ...(study_count === undefined ? {} : { study_count }), ...(integration_key ? { integration_key } : {}) },
  })
  return {}
}
