import { ApiError } from '@hilum/contract/errors'
import { codeOfReason, type RejectionCode } from '@hilum/contract/rejection-codes'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { lockNominated, lockNominationAt } from '../nomination/nomination.sql.ts'
import { demandThere } from './demand-there.ts'
import { putRejection } from '../nomination/put-rejection.command.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { lockStudyRow } from '../altered/locked-study.sql.ts'

/**
 * Rejects a nomination: both records tell the reason and the message (PROCESS-17), and whoever nominated is mailed that
 * there is one. The record stays with the gatekeeper group. Rejecting again changes nothing.
 * @throws ApiError LOCKED while somebody else holds the record; STALE when it changed, or was sent meanwhile
 */
export async function rejectNomination(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  options: {
    reason: string
    code: RejectionCode | undefined
    message: string
    rowVersion: number | undefined
    address: string
  },
): Promise<void> {
  await lockSharing(tx, record.study_uid)
  const nomination = await lockNominationAt(tx, record.uuid)
  if (nomination) await lockNominated(tx, [nomination])
  const row = await lockStudyRow(tx, record.phi_namespace, record.uuid)
  if (!nomination || !row) throw new ApiError('NOT_FOUND')
  await demandThere(tx, record)
  if (row.locked_by && row.locked_by !== caller.userUuid) throw new ApiError('LOCKED')
  if (nomination.state === 'rejected') return
  if (nomination.state === 'sent') throw new ApiError('STALE')
  if (options.rowVersion !== undefined && options.rowVersion !== row.row_version) throw new ApiError('STALE')
  const { reason, message, address } = options
  const code = options.code ?? codeOfReason(reason) ?? ''
  await putRejection(tx, caller, record, nomination, { reason, code, message, isByDeletion: false }, address)
}
