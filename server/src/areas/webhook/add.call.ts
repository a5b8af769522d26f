import { randomUUID } from 'node:crypto'
import type { webhookAdd } from '@hilum/contract/calls/webhook'
import { addressOnRecord } from '../audit/audit-detail.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { newSecret } from './new-secret.ts'
import { readWebhook } from './read-webhook.ts'
import { saveWebhook } from './webhook.sql.ts'

export const add: Handler<typeof webhookAdd> = async ({ services, input, caller, on }) => {
  const { event, method } = input
  const [uuid, secret] = [randomUUID(), newSecret()]
  const empty = {
    uuid,
    account_uuid: on.ownerUuid,
    name: '',
    event,
    url: '',
    method,
    suspended: false,
    parameters: {},
    retry: true,
    sealed_secret: services.sealer.seal(secret, uuid),
    last_error: '',
    row_version: 1,
  }
  const made = readWebhook(empty, input, services.config.webhooksToPrivate)
  await services.db.transaction().execute(async (tx) => {
    await saveWebhook(tx, made)
    const detail = { name: made.name, url: addressOnRecord(made.url), method }
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'CREATE',
      type: 'Webhook',
      objectUuid: uuid,
      detail,
    })
  })
  return { uuid, secret }
}
