import { randomUUID } from 'node:crypto'
import type { ShareFailure } from '@hilum/contract/calls/study-share'
import { compareIdentities } from '@hilum/dicom/identity'
import type { Tx } from '../../db/database.ts'
import { asOutside, type AuditEntry, writeAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { namesSeveralPatients } from '../ingest/patient-identity.ts'
import { isOtherPatient } from '../storage/other-patient.ts'
import { saySharedReady } from '../ingest/say-ready.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { endReachedShare } from './end-share.command.ts'
import { boundByNewer, listSharesOver } from './ended-sources.sql.ts'
import { findRecipientName } from './recipient-name.sql.ts'
import { asIdentity } from '../storage/compared-patient.ts'
import { lockReached } from './share-locks.sql.ts'
import type { Recipient } from './share-recipient.sql.ts'
import { addSharedAttachments } from './shared-attachments.sql.ts'
import { findSenderName, markDelivered, markWaiting, type ShareRow } from './share.sql.ts'
import {
  addSharedSources,
  insertSharedRecord,
  listIdentities,
  type LockedRecord,
  lockToShare,
  noteDirectShares,
  noteWaitingShares,
  refreshRecord,
} from './shared-record.sql.ts'

/** A record to share. */
interface SharedFrom {
  phi_namespace: string
  uuid: string
  study_uid: string
  account_uuid: string
}

export type Delivered =
  /** `waits`: for approval. */
  | { kind: 'delivered'; waits: boolean }
  /** The record went, or may not be shared now. */
  | { kind: 'gone' | 'phantom' | 'frozen' | 'awaitsApproval' }
  /** The images name several patients, and nobody said that they were looked at. */
  | { kind: 'mixed' }
  /** The namespace has the study, of another patient. */
  | { kind: 'refused'; failure: ShareFailure; reasons: readonly string[] }

/**
 * Locks all that giving a record to a namespace reaches: also the shares that it replaces there. The caller holds the
 * sharing of the study.
 */
export async function lockToDeliver(
  tx: Tx,
  from: SharedFrom,
  toNamespace: string,
  replaced: readonly string[] = [],
): Promise<void> {
  const over = await listSharesOver(tx, toNamespace, from.study_uid)
  await lockReached(tx, { shares: [...replaced, ...over], given: { from, toNamespace } })
}

/**
 * Gives the recipient what a record shows: a record of its own, or one more source of the one that is there. In a group
 * that approves, the record or the source waits. The caller
 * holds the share locked, and all that it reaches (`lockToDeliver`).
 */
export async function deliverShare(
  tx: Tx,
  caller: AuditEntry['caller'],
  from: SharedFrom,
  to: Recipient,
  share: Pick<ShareRow, 'uuid' | 'message' | 'by_user' | 'with_attachments' | 'customfields' | 'mixed_seen'> & {
    chain?: readonly string[]
  } & Partial<Pick<ShareRow, 'for_patient'>>,
): Promise<Delivered> {
  // a record whose share is over may still stand in the place
  for (const over of await listSharesOver(tx, to.namespace_uuid, from.study_uid))
    await endReachedShare(tx, undefined, over)
  const expiresAt = await markDelivered(tx, share.uuid, to.namespace_uuid)
  const { source, target } = await lockToShare(tx, from, to.namespace_uuid)
  const refusal = refusalToGive(source, target, share.mixed_seen) ?? refusalOfOther(source, share.for_patient)
  if (!source || refusal) return refusal ?? { kind: 'gone' }
  const uuid = target?.uuid ?? randomUUID()
  const record = { phi_namespace: to.namespace_uuid, uuid }
  let waits = target?.must_approve ?? false
  if (!target) {
    const made = { ...record, namespaceUuid: to.namespace_uuid, accountUuid: to.account_uuid }
    const { message, by_user: byUser, customfields } = share
    const more = { mustApprove: to.must_approve, message, byUser, customfields }
    // images of the same study have come meanwhile and made a record
    const inserted = await insertSharedRecord(tx, from, { ...made, ...more })
    if (!inserted) return deliverShare(tx, caller, from, to, share)
    waits = inserted.waits
  }
  await addSharedSources(tx, from, record, share.uuid)
  await boundByNewer(tx, from.uuid)
  const isBeside = target !== undefined && to.must_approve && !target.must_approve
  if (share.with_attachments && !isBeside) await addSharedAttachments(tx, from, record, share.uuid)
  if (isBeside) {
    waits = true
    await markWaiting(tx, share.uuid)
    await noteWaitingShares(tx, record)
  } else if (target) {
    const isMixed = source.mixed_patients || namesSeveralPatients(await listIdentities(tx, record))
    await refreshRecord(tx, record, isMixed)
  }
  await noteDirectShares(tx, [from.uuid])
  const received = { ...record, account_uuid: to.account_uuid }
  await putOnRecord(tx, caller, from, received, to, share.uuid)
  // what waits for approval cannot be shared
  await tellEvent(tx, 'STUDY_SHARE', [{ ...from, must_approve: false }])
  await tellEvent(tx, 'STUDY_WAS_SHARED', [{ ...received, must_approve: waits }])
  const occasion = `share ${share.uuid}`
  await saySharedReady(tx, [record], { occasion, chain: share.chain, awaitsApproval: waits, isBeside })
  if (expiresAt) {
    // without the people who could cancel the work: the time of a share is kept
    await enqueue(tx, declaredJobs.endShare, { shareUuid: share.uuid }, { runAt: expiresAt, key: share.uuid })
  }
  return { kind: 'delivered', waits }
}

/**
 * Why what a record shows may not be given, or given for longer, to whoever has a target of the same study, or no record.
 * @param mixedSeen the sender has looked at images of several patients
 */
export function refusalToGive(
  source: LockedRecord | undefined,
  target: LockedRecord | undefined,
  mixedSeen: boolean,
): Exclude<Delivered, { kind: 'delivered' }> | undefined {
  const fault = faultOf(source)
  if (!source || fault) return { kind: fault ?? 'gone' }
  if (source.names_several && !mixedSeen) return { kind: 'mixed' }
  return target && compare(source, target)
}

/** Refuses what is of another patient by now than when somebody asked to give it. */
function refusalOfOther(
  source: LockedRecord | undefined,
  asked: ShareRow['for_patient'] | undefined,
): Extract<Delivered, { kind: 'refused' }> | undefined {
  const isOther = source && asked && isOtherPatient(asked, source)
  return isOther ? { kind: 'refused', failure: 'PATIENT_CHANGED', reasons: [] } : undefined
}

/** Why a record may not be given away or kept now. */
export function faultOf(source: LockedRecord | undefined) {
  if (!source || source.deleted) return 'gone' as const
  if (source.is_frozen) return 'frozen' as const
  if (source.must_approve) return 'awaitsApproval' as const
  return source.thin || source.arrival === 'announced' ? ('phantom' as const) : undefined
}

function compare(source: LockedRecord, target: LockedRecord): Extract<Delivered, { kind: 'refused' }> | undefined {
  if (!isOtherPatient(source, target)) return undefined
  const { reasons } = compareIdentities(asIdentity(source), asIdentity(target))
  return {
    kind: 'refused',
    failure: 'OTHER_PATIENT',
    reasons: reasons.filter((one) => /-(different|other-issuer)$/.test(one)),
  }
}

async function putOnRecord(
  tx: Tx,
  caller: AuditEntry['caller'],
  from: SharedFrom,
  received: { phi_namespace: string; uuid: string; account_uuid: string },
  to: Recipient,
  shareUuid: string,
): Promise<void> {
  const sender = await findSenderName(tx, caller?.name ?? '', from, received)
  const parties = [
    {
      one: from,
      detail: { with: await findRecipientName(tx, shareUuid), to: `${to.kind} ${to.uuid}`, share: shareUuid },
    },
    { one: received, detail: { with: sender, from: from.uuid, share: shareUuid } },
  ]
  for (const { one, detail } of parties) {
    await writeAudit(tx, {
      accountUuid: one.account_uuid,
      caller: one.account_uuid === from.account_uuid ? caller : asOutside(caller),
      action: 'CREATE',
      type: 'Study_share',
      objectUuid: one.uuid,
      phiNamespace: one.phi_namespace,
      detail,
    })
    await writeEvent(tx, 'study', one.phi_namespace, one.uuid)
  }
}
