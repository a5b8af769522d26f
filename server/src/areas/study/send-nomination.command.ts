import { ApiError } from '@hilum/contract/errors'
import { foldId } from '@hilum/dicom/fold-id'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { ensureGateFields } from '../nomination/gate-fields.sql.ts'
import { findGateConfig } from '../nomination/nomination-form.ts'
import { lockNominationAt, markSent, type NominationRow } from '../nomination/nomination.sql.ts'
import { tellNomination } from '../nomination/tell-nomination.command.ts'
import { lacksMrn } from '../push/lacks-mrn.ts'
import { findPushable } from '../push/find-pushable.ts'
import { findForeignIssuer } from '../push/foreign-mrn.ts'
import { findContent, hasPushFailed } from '../push/push.sql.ts'
import { type PushAsked, pushStudy } from '../push/push-study.command.ts'
import { approveRecord } from './approve-record.command.ts'
import { demandThere } from './demand-there.ts'
import { confirmByTwo } from './second-person.command.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { lockStudyRow } from '../altered/locked-study.sql.ts'
import { findOutgoingRecord, listMrnsOfImages, type OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { lockWaiting } from './waiting-record.sql.ts'

/**
 * Approves a nominated study and pushes it to the destination that its record names (PROCESS-14); ring the events after
 * the commit. A nomination that is not queued is to be rolled back, so that the study waits as before.
 * @throws ApiError NOT_FOUND without a nomination; MISSING_FIELDS without a destination or an MRN; NOT_SUPPORTED where the configuration of the group cannot be read; LOCKED, STALE, PENDING
 * @throws SecondPersonWanted where another person is to confirm the patient
 */
export async function sendNomination(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  sent: {
    address: string
    rowVersion: number | undefined
    orderUuid: string | undefined
    orderSeen: Readonly<Record<string, unknown>> | undefined
    /** Why the exam is sent without an MRN, or although its last push was held with a question. */
    mrnReason: string
    /** The question of that push, as the person read it; empty for none. */
    question: string
    /** MRNs of the images that the person saw; undefined for a program that does not say. */
    seenMrns: readonly string[] | undefined
  },
): Promise<PushAsked> {
  const { address, rowVersion, orderUuid, orderSeen, mrnReason, question, seenMrns } = sent
  await lockSharing(tx, record.study_uid)
  const nomination = await lockNominationAt(tx, record.uuid)
  await demandThere(tx, record)
  demandUndecided(nomination)
  // all that approving and telling the sender reach, in their order; an edit under way is waited for by that, too: its
  // patient is not the one that the caller saw
  await lockWaiting(tx, record, [nomination.share_uuid])
  // approving takes its own locks, and steps the version that the caller saw
  const before = await demandThere(tx, record)
  if (rowVersion !== undefined && before.row_version !== rowVersion) throw new ApiError('STALE')
  if ((await approveRecord(tx, caller, record, address)) === 'gone') throw new ApiError('NOT_FOUND')
  const row = await lockStudyRow(tx, record.phi_namespace, record.uuid)
  if (!row) throw new ApiError('NOT_FOUND')
  if (row.locked_by && row.locked_by !== caller.userUuid) throw new ApiError('LOCKED')
  const { push_destination: field = '' } = await ensureGateFields(tx, record.account_uuid)
  const destinationUuid = (row.customfields[field] ?? '').toLowerCase()
  if (destinationUuid === '') throw new ApiError('MISSING_FIELDS', { subtype: ['push_destination'] })
  const patientid = row.values['patientid'] ?? ''
  const isWithoutMrn = await lacksMrn(tx, record, { patientid })
  if (!mrnReason && isWithoutMrn) throw new ApiError('MISSING_FIELDS', { subtype: ['patientid'] })
  const config = await findGateConfig(tx, record.phi_namespace)
  if (config === 'unreadable') throw new ApiError('NOT_SUPPORTED', { subtype: 'inbox_config' })
  const destination = await findPushable(tx, destinationUuid, record.phi_namespace)
  if (!destination) return { kind: 'noDestination' }
  // before the word of the first of two people is kept for what cannot leave
  const outgoing = await findOutgoingRecord(tx, record.phi_namespace, record.uuid)
  if (!outgoing) throw new ApiError('NOT_FOUND')
  if ((await findForeignIssuer(tx, destination, record, outgoing)) !== undefined) return { kind: 'foreignMrn' }
  await demandUnsent(tx, nomination, record, destinationUuid)
  const content = await findContent(tx, record.phi_namespace, record.uuid)
  // images that come after the content was read end the push
  await demandSeen(tx, record, outgoing, seenMrns)
  const version = before.row_version
  const confirmed = await confirmByTwo(tx, caller, record, {
    nomination,
    row,
    config,
    version,
    content,
    destinationUuid,
    orderUuid,
    orderSeen,
  })
  const by = { userUuid: caller.userUuid, caller }
  const asked = await pushStudy(tx, by, { ...record, must_approve: false }, destinationUuid, {
    content,
    mrnReason,
    question,
    isWithoutMrn,
  })
  if (asked.kind !== 'queued') return asked
  await markSent(tx, nomination.uuid, { destinationUuid, userUuid: caller.userUuid, ...confirmed })
  await tellNomination(tx, nomination.uuid)
  return asked
}

/**
 * All images leave a gatekeeper group under the MRN of the record, so that the person has seen the number of each. Where
 * somebody wrote the MRN, the edit says which numbers this person had seen.
 */
async function demandSeen(
  tx: Tx,
  record: StudyRecord,
  outgoing: OutgoingRecord,
  seenMrns: readonly string[] | undefined,
): Promise<void> {
  if (!seenMrns || outgoing.edits.some((edit) => edit.tag === 'patientid')) return
  const seen = new Set([outgoing.patientid, ...seenMrns].map(foldId))
  const carried = await listMrnsOfImages(tx, record)
  if (carried.some((mrn) => !seen.has(foldId(mrn)))) throw new ApiError('STALE', { subtype: 'seen_mrns' })
}

/** One that waits, or that was sent and is over. */
function demandUndecided(nomination: NominationRow | undefined): asserts nomination {
  if (!nomination) throw new ApiError('NOT_FOUND', { subtype: 'nomination' })
  if (nomination.state === 'rejected') throw new ApiError('STALE')
  if (nomination.state === 'sent' && !isOver(nomination)) throw new ApiError('PENDING')
}

const isOver = ({ push_status: status }: NominationRow) => status === 'F' || status === 'S'

/** An exam that reached one destination is matched anew only for another one, to which its push has failed. */
async function demandUnsent(
  tx: Tx,
  nomination: NominationRow,
  record: StudyRecord,
  destinationUuid: string,
): Promise<void> {
  if (nomination.state !== 'sent' || nomination.push_status === 'F') return
  if (!(await hasPushFailed(tx, record, destinationUuid))) throw new ApiError('PENDING')
}
