import type { webhookSet } from '@hilum/contract/calls/webhook'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { newSecret } from './new-secret.ts'
import { readWebhook } from './read-webhook.ts'
import { lockWebhook, saveWebhook } from './webhook.sql.ts'

const compared = ['name', 'event', 'url', 'method', 'suspended', 'parameters', 'retry'] as const

export const set: Handler<typeof webhookSet> = async ({ services, input, caller, on, fail }) => {
  const { sealer, config, db } = services
  const secret = input.new_secret === 1 ? newSecret() : undefined
  await db.transaction().execute(async (tx) => {
    const before = await lockWebhook(tx, input.uuid)
    if (!before) throw fail('NOT_FOUND')
    if (input.row_version !== undefined && input.row_version !== before.row_version) throw fail('STALE')
    const after = readWebhook(before, input, config.webhooksToPrivate)
    if (secret) after.sealed_secret = sealer.seal(secret, before.uuid)
    await saveWebhook(tx, after)
    const changed = compared.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    const detail = {
      ...Object.fromEntries(changed.map((key) => [key, [before[key], after[key]]])),
      ...(secret ? { secret: 'new' } : {}),
    }
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'EDIT',
      type: 'Webhook',
      objectUuid: before.uuid,
      detail,
    })
  })
  return secret ? { secret } : {}
}
