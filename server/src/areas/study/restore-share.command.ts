import { randomUUID } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { sharedMail } from '../mail/mail-texts.ts'
import { asksOfSenders } from './asks-of-senders.ts'
import { findRecipientOfShare } from './recipient-of-share.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import type { NamedRecipient } from './share-recipient.policy.ts'
import { lockReturnable, type ShareRow } from './share.sql.ts'
import { shareStudy } from './share-study.command.ts'
import { tellRecipient } from './tell-recipient.command.ts'

/** `fields`: the receiver of a share code asks for fields that have to be filled in again. */
type NotRestored = { kind: 'late' } | { kind: 'notPermitted' } | { kind: 'noRecipient' } | { kind: 'fields' }

/**
 * Shares a record again as it was shared until a person stopped it a moment ago, or as it was to be where that failed: with
 * the same words, end and attached files, in a new record of the recipient. A share by a code goes to whom the code led.
 * @param mayTend whether the caller may give in the way of that share
 */
export async function restoreShare(
  tx: Tx,
  by: { caller: Caller; record: StudyRecord; address: string },
  to: NamedRecipient,
  mayTend: (share: ShareRow) => boolean,
): Promise<Awaited<ReturnType<typeof shareStudy>> | NotRestored> {
  const { caller, record, address } = by
  await lockSharing(tx, record.study_uid)
  const share = await lockReturnable(tx, record.uuid, to)
  if (!share || (share.minutes_left ?? 1) <= 0) return { kind: 'late' }
  if (!mayTend(share)) return { kind: 'notPermitted' }
  const recipient = await findRecipientOfShare(tx, record.account_uuid, share)
  if (!recipient) return { kind: 'noRecipient' }
  // the fields of the sender went with the failure
  const isFailedByCode = share.state === 'failed' && share.by_code
  if (isFailedByCode && (await asksOfSenders(tx, recipient.account_uuid))) return { kind: 'fields' }
  const uuid = randomUUID()
  const done = await shareStudy(tx, caller, record, recipient, {
    uuid,
    message: share.message,
    delaySeconds: share.seconds_left,
    minutes: share.minutes_left,
    byCode: share.by_code,
    withAttachments: share.with_attachments,
    // the recipient had it a moment ago
    mixedSeen: share.mixed_seen || (share.state === 'stopped' && share.was_delivered),
  })
  if (done.kind === 'delivered' && !done.waits)
    await tellRecipient(tx, recipient, caller.userUuid, sharedMail(address, recipient.kind), uuid)
  return done
}
