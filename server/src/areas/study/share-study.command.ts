import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { findOutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { type Delivered, deliverShare, lockToDeliver } from './deliver-share.command.ts'
import { endReachedShare } from './end-share.command.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { noteShare } from './share-audit.ts'
import type { Recipient } from './share-recipient.sql.ts'
import { insertShare, lockShareWith } from './share.sql.ts'

/**
 * Shares a record with somebody, now or later. A share that is in force stays as it is (`shareOrChange` changes it), but one
 * that waits is delivered when it is asked for without a delay, and one whose record the recipient deleted is made anew.
 */
export async function shareStudy(
  tx: Tx,
  caller: Pick<Caller, 'userUuid' | 'name' | 'clientAddress'> & Partial<Pick<Caller, 'kind'>>,
  record: StudyRecord,
  to: Recipient,
  options: {
    uuid: string
    message: string
    delaySeconds: number
    minutes: number | null
    byCode: boolean
    withAttachments: boolean
    /** The sender has looked at images of several patients, or they are given no further than before. */
    mixedSeen: boolean
    /** Values of custom fields of the receiver, by uuid, for the record that the share makes. */
    customfields?: Readonly<Record<string, string>>
    /** Rules by which a routing rule shares. */
    chain?: readonly string[]
    /** Ends what was shared with the recipient before, so that it gets a record with what is in force now. */
    isAnew?: boolean
  },
): Promise<Delivered | { kind: 'scheduled' | 'unchanged' }> {
  const { byCode, withAttachments, mixedSeen, customfields = {}, isAnew = false, ...rest } = options
  const share = {
    ...rest,
    by_code: byCode,
    with_attachments: withAttachments,
    mixed_seen: mixedSeen,
    customfields,
    from_namespace: record.phi_namespace,
    study_uuid: record.uuid,
    to_kind: to.kind,
    to_uuid: to.uuid,
    by_user: caller.userUuid,
  }
  await lockSharing(tx, record.study_uid)
  const earlier = await lockShareWith(tx, record.uuid, to)
  await lockToDeliver(tx, record, to.namespace_uuid, earlier ? [earlier.uuid] : [])
  if (earlier) {
    const isToBeMade =
      isAnew || earlier.is_over || earlier.is_unseen || (earlier.state === 'scheduled' && share.delaySeconds === 0)
    if (!isToBeMade) return { kind: 'unchanged' }
    await endReachedShare(tx, earlier.is_over ? undefined : caller, earlier.uuid)
  }
  // somebody else shares it at this very moment
  if (!(await insertShare(tx, share))) return { kind: 'unchanged' }
  if (share.delaySeconds === 0) return deliverShare(tx, caller, record, to, share)
  if (record.arrival === 'announced' || record.thin) return { kind: 'phantom' }
  const outgoing = await findOutgoingRecord(tx, record.phi_namespace, record.uuid)
  if (outgoing?.mixed_patients && !mixedSeen) return { kind: 'mixed' }
  await enqueue(
    tx,
    declaredJobs.deliverShare,
    { shareUuid: share.uuid },
    {
      key: share.uuid,
      runAt: new Date(Date.now() + share.delaySeconds * 1000),
      about: { userUuid: caller.userUuid, accountUuid: record.account_uuid, studyUuid: record.uuid },
    },
  )
  await noteShare(tx, caller, record, share, { action: 'SCHEDULE', delay: share.delaySeconds })
  return { kind: 'scheduled' }
}
