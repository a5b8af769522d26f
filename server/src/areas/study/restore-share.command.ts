import { randomUUID } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { sharedMail } from '../mail/mail-texts.ts'
import { findRecipientOfShare } from './recipient-of-share.ts'
import { lockSharing } from './share-locks.sql.ts'
import type { NamedRecipient } from './share-recipient.policy.ts'
import { lockStoppedWith, type ShareRow } from './share.sql.ts'
import { shareStudy } from './share-study.command.ts'
import { tellRecipient } from './tell-recipient.command.ts'

type NotRestored = { kind: 'late' } | { kind: 'notPermitted' } | { kind: 'noRecipient' }

/**
 * Shares a record again as it was shared until a person stopped it a moment ago: with the same words, end and attached
 * files, in a new record of the recipient.
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
  const share = await lockStoppedWith(tx, record.uuid, to)
  if (!share || (share.minutes_left ?? 1) <= 0) return { kind: 'late' }
  if (!mayTend(share)) return { kind: 'notPermitted' }
  const recipient = await findRecipientOfShare(tx, record.account_uuid, share)
  if (!recipient) return { kind: 'noRecipient' }
  const done = await shareStudy(tx, caller, record, recipient, {
    uuid: randomUUID(),
    message: share.message,
    delaySeconds: share.seconds_left,
    minutes: share.minutes_left,
    byCode: share.by_code,
    withAttachments: share.with_attachments,
  })
  if (done.kind === 'delivered' && !done.waits)
    await tellRecipient(tx, recipient, caller.userUuid, sharedMail(address, recipient.kind))
  return done
}
