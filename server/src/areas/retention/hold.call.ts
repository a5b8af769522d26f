import type { retentionHold } from '@hilum/contract/calls/retention'
import type { Handler } from '../handler.ts'
import { holdStudy } from './hold-study.command.ts'
import { findHoldTarget, readRetentionReason } from './hold-target.ts'
import { holdPatient } from './patient.command.ts'

export const hold: Handler<typeof retentionHold> = async ({ services, input, caller, on, fail }) => {
  const reason = readRetentionReason(input.reason, fail)
  const thing = await findHoldTarget(services.db, on.ownerUuid, input, fail)
  if ('record' in thing) {
    const isHeld = await holdStudy(services, caller, thing.record, reason)
    if (!isHeld) throw fail('NOT_FOUND', { subtype: 'study_id' })
  } else await holdPatient({ db: services.db, caller }, thing.patient, reason)
  return {}
}
