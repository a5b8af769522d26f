import type { webhookSet } from '@hilum/contract/calls/webhook'
import { addressOnRecord } from '../audit/audit-detail.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { newSecret } from './new-secret.ts'
import { readWebhook } from './read-webhook.ts'
import { lockWebhook, saveWebhook, type WebhookRow } from './webhook.sql.ts'

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
    const detail = { ...changesOf(before, after), ...(secret ? { secret: 'new' } : {}) }
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

/** Values of parameters and the path and query of the address may be secrets of the other side: that they changed is noted, not what they are. */
function changesOf(before: WebhookRow, after: WebhookRow): Record<string, unknown> {
  const changed = compared.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(changed.map((key) => [key, changeOf(key, before, after)]))
}

function changeOf(key: (typeof compared)[number], before: WebhookRow, after: WebhookRow): unknown {
  if (key === 'parameters') return 'changed'
  if (key !== 'url') return [before[key], after[key]]
  const [from, to] = [addressOnRecord(before.url), addressOnRecord(after.url)]
  return from === to ? 'changed' : [from, to]
}
