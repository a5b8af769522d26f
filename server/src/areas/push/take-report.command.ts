import type { Message } from '@hilum/dicom/dimse/association'
import { type Commitment, readCommitment, unreadableStatus } from '@hilum/dicom/dimse/commitment'
import { Status } from '@hilum/dicom/dimse/status'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { isPeerAt } from '../destination/peer-address.ts'
import { writeEvent } from '../event/event.sql.ts'
import { tellOfPush } from '../nomination/tell-nomination.command.ts'
import {
  type CommitmentRow,
  type CommitmentState,
  listCommitments,
  lockCommitment,
  noteCommitment,
  noteReport,
} from './commitment.sql.ts'
import { commitmentWords } from './commitment-words.ts'
import { findPush, type PushRow } from './push.sql.ts'

type ReportingPeer = { callingTitle: string; address: string }
const notAwaited = { status: Status.ProcessingFailure, comment: 'No report on this transaction is awaited' }

/**
 * Takes the report of a destination on the images of a push. A report that comes twice is answered as the first. Of images
 * that the question did not name nothing is noted, and those that the report leaves out stay open.
 * @param nodeTitle the node of our own that asked
 * @param peer undefined over the association that asked
 * @returns the status for the answer
 */
export async function takeReport(
  services: Services,
  message: Message,
  nodeTitle: string,
  peer: ReportingPeer | undefined,
): Promise<{ status: number; comment?: string }> {
  const report = await readCommitment(message)
  if (!report) return { status: unreadableStatus(message) }
  const isTaken = await services.db.transaction().execute(async (tx) => {
    const question = await lockCommitment(tx, report.transactionUid, nodeTitle)
    if (!question || (peer && !(await isPeerAt(question, peer)))) return false
    await noteReport(tx, question.transaction_uid, after(question, report))
    const push = await findPush(tx, question.push_uuid)
    if (push) await settleCommitment(tx, push)
    return true
  })
  services.events.ring()
  return isTaken ? { status: Status.Success } : notAwaited
}

function after({ waiting, committed, reasons }: CommitmentRow, { images, failed }: Commitment) {
  const open = new Set(waiting)
  // an image that a report names both ways is not stored
  const reasonOf = new Map(failed.map((one) => [one.sopInstance, one.reason]))
  const fresh = [...reasonOf].flatMap(([uid, reason]) => (open.delete(uid) ? [reason] : []))
  const stored = images.filter((one) => open.delete(one.sopInstance)).length
  return { waiting: [...open], committed: committed + stored, reasons: [...reasons, ...fresh] }
}

/**
 * Has a push tell what the destination has said so far, and whether that is its last word.
 * @param open the state while images are open
 */
export async function settleCommitment(
  tx: Tx,
  push: PushRow,
  open: 'asked' | 'unanswered' = push.commitment === 'unanswered' ? 'unanswered' : 'asked',
): Promise<CommitmentState> {
  const questions = await listCommitments(tx, push)
  const count = (of: (one: CommitmentRow) => number) => questions.reduce((sum, one) => sum + of(one), 0)
  const said = {
    committed: count((one) => one.committed),
    total: count((one) => one.images.length),
    reasons: questions.flatMap((one) => one.reasons),
  }
  const isOver = count((one) => one.waiting.length) === 0
  // a refusal of some images is told at once: the rest cannot make the exam whole
  const commitment = said.reasons.length > 0 ? 'failed' : isOver ? 'committed' : open
  await tellOfCommitment(tx, push, { commitment, message: commitmentWords(said) })
  return commitment
}

/** Writes what a push knows of its commitment where people see it, and on record once it is a last word. */
export async function tellOfCommitment(
  tx: Tx,
  push: PushRow,
  to: { commitment: CommitmentState; message: string },
): Promise<void> {
  if (!(await noteCommitment(tx, push.uuid, to))) return
  await tellOfPush(tx, push)
  await writeEvent(tx, 'study', push.phi_namespace, push.study_uuid)
  if (to.commitment === 'asked') return
  const record = { account_uuid: push.account_uuid, uuid: push.study_uuid, phi_namespace: push.phi_namespace }
  const detail = { destination: push.destination_name, push: push.uuid, commitment: to.commitment, message: to.message }
  await writeStudyAudit(tx, undefined, record, 'PUSH_COMMIT', detail)
}
