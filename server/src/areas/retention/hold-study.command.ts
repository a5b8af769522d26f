import type { AuditAct } from '@hilum/contract/audit-acts'
import { StorageError } from '@hilum/contract/storage-errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { sayChanged } from '../ingest/say-ready.command.ts'
import { clearHold, overruleMixed, setHold } from './hold-study.sql.ts'

type HeldRecord = Pick<StudyRecord, 'uuid' | 'phi_namespace' | 'account_uuid' | 'study_uid'>

/**
 * Puts a study under a legal hold: while it lasts, nothing of it is deleted or purged.
 * @returns false when the record was purged meanwhile
 */
export function holdStudy(services: Services, caller: Caller, record: HeldRecord, reason: string): Promise<boolean> {
  return onRecord(services, caller, record, 'HOLD', { reason }, (tx) => setHold(tx, record, reason))
}

/** @returns false when there was no hold, of which nothing goes on record */
export function endHold(services: Services, caller: Caller, record: HeldRecord, reason: string): Promise<boolean> {
  return onRecord(services, caller, record, 'HOLD_END', { reason }, (tx) => clearHold(tx, record))
}

/**
 * Says with a reason that the images of a study are one patient's although they name several: it may leave with its
 * corrections until one more patient is named.
 * @throws StorageError CONFLICT when the study names one patient only
 */
export async function overruleMixedPatients(
  services: Services,
  caller: Caller,
  record: HeldRecord,
  reason: string,
): Promise<void> {
  const said = { reason, by: caller.userUuid, at: new Date().toISOString() }
  await onRecord(services, caller, record, 'MIXED_OVERRULED', { reason }, async (tx) => {
    if (await overruleMixed(tx, record, said)) {
      await sayChanged(tx, [record.uuid])
      return true
    }
    throw new StorageError('CONFLICT', 'The images of the study name one patient only', { study_uid: record.study_uid })
  })
}

/** Puts an act on record once it changed something. @returns whether it did */
async function onRecord(
  services: Services,
  caller: Caller,
  record: HeldRecord,
  action: AuditAct,
  detail: Record<string, unknown>,
  act: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const isChanged = await services.db.transaction().execute(async (tx) => {
    if (!(await act(tx))) return false
    await writeStudyAudit(tx, caller, record, action, detail)
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
    return true
  })
  if (isChanged) services.events.ring()
  return isChanged
}
