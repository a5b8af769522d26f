import type { retentionDate } from '@hilum/contract/calls/retention'
import type { Handler } from '../handler.ts'
import { retainUntil, readLastDay } from './retain-until.command.ts'
import { readRetentionReason } from './hold-target.ts'

export const date: Handler<typeof retentionDate> = async ({ services, input, caller, on, fail }) => {
  const lastDay = readLastDay(input.retain_until, new Date())
  if (lastDay === undefined) throw fail('INVALID_VALUE', { subtype: 'retain_until' })
  const reason = readRetentionReason(input.reason, fail)
  const exam = { account_uuid: on.ownerUuid, uuid: input.study_id }
  if (!(await retainUntil({ db: services.db, caller }, exam, lastDay, reason, input.seen)))
    throw fail('NOT_FOUND', { subtype: 'study_id' })
  services.events.ring()
  return {}
}
