import { mayDo } from '@hilum/contract/acts'
import { type ShareFailure, studyShare } from '@hilum/contract/calls/study-share'
import { findMembershipOf } from '../../access/find-caller.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { AuditEntry } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { sharedMail } from '../mail/mail-texts.ts'
import { publicAddress } from '../mail/public-address.ts'
import { tellNotSent } from '../mail/tell-not-sent.command.ts'
import { type Delivered, deliverShare, lockToDeliver } from './deliver-share.command.ts'
import { endShare } from './end-share.command.ts'
import { findRecipientOfShare } from './recipient-of-share.ts'
import { mayCopyToOneself, mayTendShare } from './share-recipient.policy.ts'
import { findShare, findSharedFrom, findSharer, lockShare, markShareFailed, type ShareRow } from './share.sql.ts'
import { tellRecipient } from './tell-recipient.command.ts'

/** Delivers a share whose time has come, if the person who made it may still do so. */
export const deliverShareActs: JobActs<PayloadOf<'deliverShare'>> = {
  run: async (services, { shareUuid }) => {
    const share = await findShare(services.db, shareUuid)
    if (share?.state !== 'scheduled') return
    const failure = await tryDelivery(services, share)
    if (failure) await services.db.transaction().execute((tx) => giveUp(tx, share, failure))
    services.events.ring()
  },
  giveUp: async (tx, { shareUuid }, _work, { error }) => {
    const share = await lockShare(tx, shareUuid)
    if (share?.state !== 'scheduled') return undefined
    // cancelled by its person; any other end is one that the sender must see
    if (error === 'CANCELLED') await endShare(tx, undefined, shareUuid, true)
    else await giveUp(tx, share, 'NOT_FOUND')
    return undefined
  },
}

async function tryDelivery(services: Services, share: ShareRow): Promise<ShareFailure | undefined> {
  const { db, log } = services
  const membership = await findMembershipOf(db, share.by_user, share.from_namespace, log)
  if (!membership || !mayTendShare(share, membership)) return 'NOT_PERMITTED'
  if (share.with_attachments && !mayDo(studyShare.asks.attachments, membership)) return 'NOT_PERMITTED'
  if (share.to_uuid === share.by_user && !mayCopyToOneself(membership)) return 'NOT_PERMITTED'
  const record = await findRecordByUuid(db, share.study_uuid)
  if (!record || record.deleted || (record.is_shared && record.sources.length === 0)) return 'NOT_FOUND'
  const recipient = await findRecipientOfShare(db, record.account_uuid, share)
  if (!recipient) return 'NO_DESTINATION'
  const sharer = await findSharer(db, share.by_user)
  const caller: AuditEntry['caller'] = sharer && { userUuid: share.by_user, name: sharer.name, clientAddress: '' }
  try {
    await db.transaction().execute(async (tx) => {
      const locked = await lockShare(tx, share.uuid)
      if (locked?.state !== 'scheduled') return
      await lockToDeliver(tx, record, recipient.namespace_uuid)
      const done = await deliverShare(tx, caller, record, recipient, share)
      if (done.kind !== 'delivered') throw new NotDelivered(done)
      if (!done.waits)
        await tellRecipient(
          tx,
          recipient,
          share.by_user,
          sharedMail(publicAddress(services.config, nobodyAsks), recipient.kind),
          share.uuid,
        )
    })
    return undefined
  } catch (error) {
    if (error instanceof NotDelivered) return error.failure
    throw error
  }
}

/** No request says by which address the installation is known. */
const nobodyAsks = { host: '', isHttps: false }

const failures = {
  gone: 'NOT_FOUND',
  phantom: 'NOT_PERMITTED',
  frozen: 'NOT_PERMITTED',
  awaitsApproval: 'NOT_PERMITTED',
  mixed: 'MIXED_PATIENTS',
} as const satisfies Record<string, ShareFailure>

/** Rolls the delivery back. */
class NotDelivered extends Error {
  readonly failure: ShareFailure
  constructor(done: Exclude<Delivered, { kind: 'delivered' }>) {
    super(done.kind)
    this.failure = done.kind === 'refused' ? done.failure : failures[done.kind]
  }
}

async function giveUp(tx: Tx, share: ShareRow, failure: ShareFailure): Promise<void> {
  const locked = await lockShare(tx, share.uuid)
  if (locked?.state !== 'scheduled') return
  await markShareFailed(tx, share.uuid, failure)
  await writeEvent(tx, 'study', share.from_namespace, share.study_uuid)
  const from = await findSharedFrom(tx, share.study_uuid)
  if (from) await tellNotSent(tx, from.account_uuid, share.by_user)
}
