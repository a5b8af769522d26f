import { randomUUID } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import { type ShareChange, type ShareInForce, studyShare } from '@hilum/contract/calls/study-share'
import { ApiError } from '@hilum/contract/errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { lockToDeliver } from './deliver-share.command.ts'
import { demandShared } from './demand-shared.ts'
import { boundByNewer } from './ended-sources.sql.ts'
import { findRecipientName } from './recipient-name.sql.ts'
import { changeShare, changeShownMessage, findMoments, findRecordIn, type ReceivedRecord } from './share-again.sql.ts'
import { mayTendShare } from './share-recipient.policy.ts'
import type { Recipient } from './share-recipient.sql.ts'
import { lockShareWith, setShareEnd, type ShareWith } from './share.sql.ts'
import { shareStudy } from './share-study.command.ts'
import { addSharedAttachments } from './shared-attachments.sql.ts'

interface AskedShare {
  /** Empty for none. */
  message: string
  delaySeconds: number
  /** From the delivery to the end; null for no end, undefined where nothing is said of the end. */
  minutes: number | null | undefined
  /** Of a new share of whose end nothing is said. */
  defaultMinutes: number | null
  byCode: boolean
  withAttachments: boolean
  mixedSeen: boolean
  customfields: Readonly<Record<string, string>>
}

/** `tells`: the recipient has got something to look at. */
type Outcome = ShareInForce & { tells: boolean }

/**
 * Shares a record with somebody; where the recipient has it already, or will have it, that share takes over what is asked
 * now and was not before: nothing that a person asks for is dropped in silence. Of two moments the earlier one holds.
 * @throws ApiError NOT_PERMITTED with the subtype attachments where the earlier share waits with files that the caller may not give, and
 *   is to leave sooner
 */
export async function shareOrChange(
  tx: Tx,
  caller: Caller,
  on: StudyAccess,
  to: Recipient,
  asked: AskedShare,
): Promise<Outcome> {
  const { record } = on
  await lockSharing(tx, record.study_uid)
  const earlier = await lockShareWith(tx, record.uuid, to)
  if (!earlier || earlier.is_over || earlier.is_unseen) return shareAnew(tx, caller, record, to, asked)
  const mayGiveFiles = !earlier.with_attachments || mayDo(studyShare.asks.attachments, on)
  const isSooner = earlier.state === 'scheduled' && asked.delaySeconds < earlier.seconds_left
  if (isSooner && !mayGiveFiles) throw new ApiError('NOT_PERMITTED', { subtype: 'attachments' })
  if (isSooner && asked.delaySeconds === 0) {
    const made = await shareAnew(tx, caller, record, to, {
      ...asked,
      message: asked.message || earlier.message,
      minutes: asked.minutes === undefined ? earlier.minutes : asked.minutes,
      withAttachments: asked.withAttachments || earlier.with_attachments,
      customfields: { ...earlier.customfields, ...asked.customfields },
    })
    return { ...made, is_new: 0, changed: ['moment'] }
  }
  const received = earlier.state === 'delivered' && (await findRecordIn(tx, to.namespace_uuid, record.study_uid))
  const parties = { caller, record, to, received: received || undefined }
  const mayChange = mayTendShare(earlier, on) && mayGiveFiles
  const changed = mayChange ? await change(tx, parties, earlier, asked, isSooner) : []
  const isShown = received && !received.must_approve && !earlier.awaits_approval
  const tells = Boolean(isShown) && changed.some((one) => one === 'attachments' || one === 'message')
  return { uuid: earlier.uuid, is_new: 0, changed, ...(await findMoments(tx, earlier.uuid)), tells }
}

async function shareAnew(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  to: Recipient,
  { minutes, defaultMinutes, ...asked }: AskedShare,
): Promise<Outcome> {
  const uuid = randomUUID()
  const options = { ...asked, uuid, minutes: minutes === undefined ? defaultMinutes : minutes }
  const done = await shareStudy(tx, caller, record, to, options)
  demandShared(done)
  const tells = done.kind === 'delivered' && !done.waits
  return { uuid, is_new: 1, changed: [], ...(await findMoments(tx, uuid)), tells }
}

interface Parties {
  caller: Caller
  record: StudyRecord
  to: Recipient
  /** The record that the recipient has. */
  received: ReceivedRecord | undefined
}

/** Brings a share that is in force to what is asked for besides. The caller holds the sharing of the study. */
async function change(
  tx: Tx,
  { caller, record, to, received }: Parties,
  earlier: ShareWith,
  asked: AskedShare,
  isSooner: boolean,
): Promise<ShareChange[]> {
  const isWaiting = earlier.state === 'scheduled'
  const share = {
    uuid: earlier.uuid,
    message: asked.message || earlier.message,
    minutes: asked.minutes === undefined ? earlier.minutes : asked.minutes,
    by_user: isWaiting ? caller.userUuid : earlier.by_user,
    with_attachments: earlier.with_attachments || asked.withAttachments,
  }
  const changed: ShareChange[] = []
  if (isSooner) changed.push('moment')
  if (isWaiting && share.with_attachments !== earlier.with_attachments) changed.push('attachments')
  if (share.message !== earlier.message) changed.push('message')
  // from now on, where the recipient has it
  const isEndMoved = asked.minutes !== undefined && (asked.minutes !== earlier.minutes || (!isWaiting && asked.minutes))
  if (isEndMoved) changed.push('end')
  await lockToDeliver(tx, record, to.namespace_uuid, [earlier.uuid])
  await changeShare(tx, share, isSooner ? asked.delaySeconds : null)
  if (isSooner) {
    const runAt = new Date(Date.now() + asked.delaySeconds * 1000)
    await enqueue(tx, declaredJobs.deliverShare, { shareUuid: share.uuid }, { key: share.uuid, runAt })
  }
  if (!isWaiting) {
    if (isEndMoved) await moveEnd(tx, record, share.uuid, share.minutes)
    if (received && share.message !== earlier.message)
      await changeShownMessage(tx, received, { from: earlier.message, to: share.message })
    // images that wait beside a record bring their files with the approval
    const addsFiles = asked.withAttachments && received && !earlier.awaits_approval
    const count = addsFiles ? await addSharedAttachments(tx, record, received, share.uuid) : 0
    if (count > 0 || share.with_attachments !== earlier.with_attachments) changed.push('attachments')
    if (received) await writeEvent(tx, 'study', received.phi_namespace, received.uuid)
  }
  if (changed.length === 0) return []
  await writeStudyAudit(tx, caller, record, 'EDIT', {
    with: await findRecipientName(tx, share.uuid),
    to: `${to.kind} ${to.uuid}`,
    share: share.uuid,
    changed,
  })
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  return changed
}

async function moveEnd(tx: Tx, record: StudyRecord, shareUuid: string, minutes: number | null): Promise<void> {
  const ends = await setShareEnd(tx, shareUuid, minutes)
  await boundByNewer(tx, record.uuid)
  // the work that waits for the former end finds the share alive, or over, and leaves it
  const key = `${shareUuid} ${ends?.toISOString()}`
  if (ends) await enqueue(tx, declaredJobs.endShare, { shareUuid }, { runAt: ends, key })
}
