import { randomUUID } from 'node:crypto'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { findOutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { type AuditEntry, writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { findPushable } from './find-pushable.ts'
import { findForeignIssuer } from './foreign-mrn.ts'
import { findContent, findHeldPush, insertPush, isPushUnderWay } from './push.sql.ts'
import { questionOf } from './question-of-push.ts'
import { sentAsOf } from '../altered/sent-as.ts'

/**
 * The end of asking for a push. `notReady`: no images, several patients, or not approved yet; `foreignMrn`: another
 * authority gave the MRN; `stale`: the question that a reason answers is not the one that the exam is held with.
 */
export type PushAsked =
  | { kind: 'queued'; uuid: string }
  | { kind: 'noDestination' }
  | { kind: 'notSupported' }
  | { kind: 'notReady' }
  | { kind: 'foreignMrn' }
  | { kind: 'pending' }
  | { kind: 'stale' }

/**
 * Asks for a study to be sent to a destination, by a person or by a rule; ring the events after the commit. The work is
 * done in the lane of the destination, with the rights that the person has by then.
 * @param by the person; undefined for a rule, which nobody's rights hold back
 * @param more.isLate only images that the last push there did not send
 * @param more.mrnReason why it goes although the last push there was held with questions
 * @param more.question stands for the questions that the reason answers, as the person read them
 * @param more.isWithoutMrn the person was asked why the exam has no MRN, and the reason answers that
 * @param more.content of the study, as two people confirmed it; else that of now
 */
export async function pushStudy(
  tx: Tx,
  by: { userUuid: string; caller: AuditEntry['caller'] } | undefined,
  record: StudyRecord,
  destinationUuid: string,
  {
    isLate = false,
    content,
    mrnReason = '',
    question = '',
    isWithoutMrn = false,
  }: { isLate?: boolean; content?: string; mrnReason?: string; question?: string; isWithoutMrn?: boolean } = {},
): Promise<PushAsked> {
  const destination = await findPushable(tx, destinationUuid, record.phi_namespace)
  if (!destination) return { kind: 'noDestination' }
  if (!destination.can_push) return { kind: 'notSupported' }
  const isThere = !record.thin && !record.deleted && record.arrival !== 'announced' && record.sources.length > 0
  const outgoing = await findOutgoingRecord(tx, record.phi_namespace, record.uuid)
  if (!isThere || record.must_approve || !outgoing || outgoing.mixed_patients) return { kind: 'notReady' }
  if ((await findForeignIssuer(tx, destination, record, outgoing)) !== undefined) return { kind: 'foreignMrn' }
  // asked without a lock: a push under way notes its state on the record, which the caller may have locked
  if (await isPushUnderWay(tx, record, destination.uuid)) return { kind: 'pending' }
  const held = question === '' ? undefined : await findHeldPush(tx, record, destination.uuid)
  if (question !== '' && (held === undefined || held !== question.toLowerCase())) return { kind: 'stale' }
  const uuid = randomUUID()
  const push = {
    uuid,
    phi_namespace: record.phi_namespace,
    study_uuid: record.uuid,
    account_uuid: record.account_uuid,
    destination_uuid: destination.uuid,
    destination_name: destination.name,
    user_uuid: by?.userUuid ?? null,
    mrn_reason: mrnReason,
    answered: isWithoutMrn ? [questionOf('withoutMrn', outgoing)] : [],
    // a reason holds for the patient of this moment, whenever the exam's turn comes
    sent_as: mrnReason === '' ? null : sentAsOf(outgoing),
    content: content ?? (await findContent(tx, record.phi_namespace, record.uuid)),
  }
  if (!(await insertPush(tx, push, { isLate, ...(held && mrnReason !== '' ? { answersTo: held } : {}) })))
    return { kind: 'pending' }
  await enqueue(
    tx,
    declaredJobs.pushStudy,
    { pushUuid: uuid },
    {
      key: uuid,
      group: `push:${destination.uuid}`,
      about: {
        ...(by ? { userUuid: by.userUuid } : {}),
        accountUuid: record.account_uuid,
        studyUuid: record.uuid,
      },
    },
  )
  await writeStudyAudit(tx, by?.caller, record, 'PUSH', {
    destination: destination.name,
    push: uuid,
    ...(mrnReason ? { mrn_reason: mrnReason } : {}),
  })
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  return { kind: 'queued', uuid }
}
