import type { retentionRelease } from '@hilum/contract/calls/retention'
import type { Handler } from '../handler.ts'
import { endHold } from './hold-study.command.ts'
import { findHoldTarget, readRetentionReason } from './hold-target.ts'
import { releasePatient } from './patient.command.ts'

export const release: Handler<typeof retentionRelease> = async ({ services, input, caller, on, fail }) => {
  const reason = readRetentionReason(input.reason, fail)
  const thing = await findHoldTarget(services.db, on.ownerUuid, input, fail)
  const wasHeld =
    'record' in thing
      ? await endHold(services, caller, thing.record, reason)
      : await releasePatient({ db: services.db, caller }, thing.patient, reason)
  if (!wasHeld) throw fail('NOT_FOUND', { subtype: 'record' in thing ? 'study_id' : 'patientid' })
  return {}
}
