import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { mayDo } from '@hilum/contract/acts'
import { type ShareChange, type ShareInForce, type ShareLeftOut, studyShare } from '@hilum/contract/calls/study-share'
import { ApiError } from '@hilum/contract/errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeEvent } from '../event/event.sql.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { lockToDeliver, refusalToGive } from './deliver-share.command.ts'
import { demandShared } from './demand-shared.ts'
import { boundByNewer } from './ended-sources.sql.ts'
import {
  changeShownMessage,
  changeWaitingShare,
  findMoments,
  showsFields,
  takeAttachmentsAlong,
} from './share-again.sql.ts'
import { noteShare } from './share-audit.ts'
import { mayTendShare } from './share-recipient.policy.ts'
import type { Recipient } from './share-recipient.sql.ts'
import { lockShareWith, setShareEnd, type ShareWith } from './share.sql.ts'
import { shareStudy } from './share-study.command.ts'
import { type LockedRecord, lockToShare } from './shared-record.sql.ts'
import { addSharedAttachments, lacksAttachments } from './shared-attachments.sql.ts'

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

/** Outcome of sharing again, for a share that is there. */
type Changes = Pick<Outcome, 'changed' | 'left_out' | 'tells'>
const nothing: Changes = { changed: [], left_out: [], tells: false }

/**
 * Shares a record with somebody; where the recipient has it already, or will have it, that share takes over what is asked
 * now and was not before, and the answer names what it cannot take over (0246). Of two moments the earlier one holds.
 * @throws ApiError as `demandShared`, for a new share and for files, words or a longer end of one that was delivered;
 *   NOT_PERMITTED with the subtype attachments where the earlier share waits with files that the caller may not give, and
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
  const mayChange = mayTendShare(earlier, on) && mayGiveFiles
  const parties = { caller, record, to }
  const again = async (done: Changes) => ({
    uuid: earlier.uuid,
    is_new: 0,
    ...done,
    ...(await findMoments(tx, earlier.uuid)),
  })
  if (earlier.state === 'delivered') {
    if (asked.delaySeconds > 0) return again({ ...nothing, left_out: ['delay'] })
    return again(mayChange ? await changeDelivered(tx, parties, earlier, asked) : nothing)
  }
  const isSooner = asked.delaySeconds < earlier.seconds_left
  if (isSooner && !mayGiveFiles) throw new ApiError('NOT_PERMITTED', { subtype: 'attachments' })
  if (!isSooner || asked.delaySeconds > 0)
    return again(mayChange ? await changeWaiting(tx, parties, earlier, asked, isSooner) : nothing)
  const merged = mergedWith(earlier, asked)
  const made = await shareAnew(tx, caller, record, to, { ...asked, ...merged })
  return { ...made, is_new: 0, changed: ['moment', ...changesTo(earlier, merged)] }
}

type Merged = Pick<ShareWith, 'message' | 'minutes' | 'customfields'> & Pick<AskedShare, 'withAttachments'>

/** A share that waits with what is asked for besides. */
function mergedWith(earlier: ShareWith, asked: AskedShare): Merged {
  return {
    message: asked.message || earlier.message,
    minutes: asked.minutes === undefined ? earlier.minutes : asked.minutes,
    withAttachments: asked.withAttachments || earlier.with_attachments,
    customfields: { ...earlier.customfields, ...asked.customfields },
  }
}

function changesTo(earlier: ShareWith, merged: Merged): ShareChange[] {
  return [
    ...(merged.withAttachments === earlier.with_attachments ? [] : ['attachments' as const]),
    ...(merged.minutes === earlier.minutes ? [] : ['end' as const]),
    ...(merged.message === earlier.message ? [] : ['message' as const]),
    ...(isDeepStrictEqual(merged.customfields, earlier.customfields) ? [] : ['customfields' as const]),
  ]
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
  return { uuid, is_new: 1, ...nothing, ...(await findMoments(tx, uuid)), tells }
}

interface Parties {
  caller: Caller
  record: StudyRecord
  to: Recipient
}

/** Brings a share that waits to what is asked for besides. The caller holds the sharing of the study. */
async function changeWaiting(
  tx: Tx,
  { caller, record }: Parties,
  earlier: ShareWith,
  asked: AskedShare,
  isSooner: boolean,
): Promise<Changes> {
  const { uuid } = earlier
  const merged = mergedWith(earlier, asked)
  const changed: ShareChange[] = [...(isSooner ? ['moment' as const] : []), ...changesTo(earlier, merged)]
  const before = await findMoments(tx, uuid)
  const { message, minutes, withAttachments, customfields } = merged
  const mixedSeen = earlier.mixed_seen || asked.mixedSeen
  const given = {
    uuid,
    message,
    minutes,
    by_user: caller.userUuid,
    with_attachments: withAttachments,
    customfields,
    mixed_seen: mixedSeen,
  }
  await changeWaitingShare(tx, given, isSooner ? asked.delaySeconds : null)
  if (isSooner) {
    const runAt = new Date(Date.now() + asked.delaySeconds * 1000)
    await enqueue(tx, declaredJobs.deliverShare, { shareUuid: uuid }, { key: uuid, runAt })
  }
  const isTakenOver = earlier.by_user !== caller.userUuid
  if (changed.length > 0 || isTakenOver)
    await noteChanges(tx, { caller, record }, earlier, { changed, before, isTakenOver })
  return { ...nothing, changed }
}

/**
 * Gives whoever has a record already what is asked for besides. An end that is sooner is taken as it is; whatever gives
 * more is given as a new share would be, or refused as one. The caller holds the sharing of the study.
 */
async function changeDelivered(
  tx: Tx,
  { caller, record, to }: Parties,
  earlier: ShareWith,
  asked: AskedShare,
): Promise<Changes> {
  const { uuid, minutes_left: left } = earlier
  const { minutes } = asked
  const newMessage = asked.message === earlier.message ? '' : asked.message
  const isEndMoved = minutes !== undefined && (minutes !== null || left !== null)
  const isLonger = isEndMoved && left !== null && (minutes === null || minutes > left)
  const hasFields = await showsFields(
    tx,
    { phi_namespace: to.namespace_uuid, study_uid: record.study_uid },
    asked.customfields,
  )
  const leftOut: ShareLeftOut[] = hasFields ? [] : ['customfields']
  if (!isEndMoved && !newMessage && !asked.withAttachments) return { ...nothing, left_out: leftOut }
  await lockToDeliver(tx, record, to.namespace_uuid, [uuid])
  const { source, target } = await lockToShare(tx, record, to.namespace_uuid)
  if (isLonger || newMessage || asked.withAttachments) {
    const refusal = refusalToGive(source, target, asked.mixedSeen)
    if (refusal) demandShared(refusal)
  }
  const changed: ShareChange[] = []
  const before = await findMoments(tx, uuid)
  if (asked.withAttachments && target) {
    const files = await giveFiles(tx, record, { to, target }, earlier)
    if (files === 'given') changed.push('attachments')
    if (files === 'left out') leftOut.push('attachments')
  }
  if (isEndMoved) {
    await moveEnd(tx, record, uuid, minutes)
    changed.push('end')
  }
  if (newMessage && target) {
    const isShown = await changeShownMessage(tx, target, uuid, newMessage)
    if (isShown) changed.push('message')
    else leftOut.push('message')
  }
  if (changed.length === 0) return { ...nothing, left_out: leftOut }
  if (target) await writeEvent(tx, 'study', target.phi_namespace, target.uuid)
  await noteChanges(tx, { caller, record }, earlier, { changed, before, isTakenOver: false })
  const isShown = target && !target.must_approve && !earlier.awaits_approval
  return { changed, left_out: leftOut, tells: Boolean(isShown) && changed.some((one) => one !== 'end') }
}

/** In a group that approves, files that come to what was approved would be seen by everybody, and are left out. */
async function giveFiles(
  tx: Tx,
  record: StudyRecord,
  { to, target }: { to: Recipient; target: LockedRecord },
  earlier: ShareWith,
): Promise<'given' | 'left out' | 'there'> {
  const isApproved = to.must_approve && !target.must_approve && !earlier.awaits_approval
  if (isApproved) return (await lacksAttachments(tx, record, target)) ? 'left out' : 'there'
  await takeAttachmentsAlong(tx, earlier.uuid)
  // images that wait beside a record bring their files with the approval
  if (earlier.awaits_approval) return earlier.with_attachments ? 'there' : 'given'
  return (await addSharedAttachments(tx, record, target, earlier.uuid)) > 0 ? 'given' : 'there'
}

async function moveEnd(tx: Tx, record: StudyRecord, shareUuid: string, minutes: number | null): Promise<void> {
  const ends = await setShareEnd(tx, shareUuid, minutes)
  await boundByNewer(tx, record.uuid)
  // the work that waits for the former end finds the share alive, or over, and leaves it
  const key = `${shareUuid} ${ends?.toISOString()}`
  if (ends) await enqueue(tx, declaredJobs.endShare, { shareUuid }, { runAt: ends, key })
}

async function noteChanges(
  tx: Tx,
  { caller, record }: Pick<Parties, 'caller' | 'record'>,
  share: ShareWith,
  {
    changed,
    before,
    isTakenOver,
  }: { changed: readonly ShareChange[]; before: Awaited<ReturnType<typeof findMoments>>; isTakenOver: boolean },
): Promise<void> {
  const now = await findMoments(tx, share.uuid)
  await noteShare(tx, caller, record, share, {
    action: 'EDIT',
    ...(changed.includes('moment') ? { run_at: [before.run_at, now.run_at] } : {}),
    ...(before.expires_at === now.expires_at ? {} : { expires_at: [before.expires_at, now.expires_at] }),
    ...(changed.includes('attachments') ? { attachments: true } : {}),
    ...(changed.includes('message') ? { message: true } : {}),
    ...(changed.includes('customfields') ? { customfields: true } : {}),
    ...(isTakenOver ? { taken_over: true } : {}),
  })
}
