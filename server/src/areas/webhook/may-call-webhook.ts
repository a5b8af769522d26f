import { digestOf } from '../../access/sid.ts'
import type { Database } from '../../db/database.ts'
import { perWebhook } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'

/** Whether a webhook may be called once more because somebody asks for it: nobody makes us flood an address. */
export function mayCallWebhook(db: Database, webhookUuid: string): Promise<boolean> {
  return mayAttempt(db, 'webhook-asked', digestOf(webhookUuid), perWebhook)
}
