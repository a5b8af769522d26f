import { maxShareMinutes } from '@hilum/contract/limits'
import { mayDo } from '@hilum/contract/acts'
import { studyShareExtend } from '@hilum/contract/calls/study-share'
import { toStamp } from '../../db/to-stamp.ts'
import type { Handler } from '../handler.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { noteShare } from './share-audit.ts'
import { mayShareWith, mayTendShare, readRecipient } from './share-recipient.policy.ts'
import { extendShare, lockShareWith } from './share.sql.ts'

export const shareExtend: Handler<typeof studyShareExtend> = async ({ services, input, caller, on, fail }) => {
  const { minutes_left: minutes } = input
  const named = readRecipient(input)
  if (minutes < 1 || minutes > maxShareMinutes) throw fail('INVALID_FIELD', { subtype: 'minutes_left' })
  if (!mayShareWith(named.kind, on) && !mayShareWith('code', on)) throw fail('NOT_PERMITTED')
  const { record } = on
  const expiresAt = await services.db.transaction().execute(async (tx) => {
    await lockSharing(tx, record.study_uid)
    const share = await lockShareWith(tx, record.uuid, named)
    if (!share) throw fail('NOT_FOUND', { subtype: `${named.kind}_id` })
    if (!mayTendShare(share, on)) throw fail('NOT_PERMITTED')
    if (share.with_attachments && !mayDo(studyShareExtend.asks.attachments, on)) throw fail('NOT_PERMITTED')
    if (share.is_over || share.state !== 'delivered' || share.minutes === null) throw fail('EXPIRED')
    const ends = await extendShare(tx, share.uuid, minutes)
    if (!ends) throw fail('INVALID_FIELD', { subtype: 'minutes_left' })
    // the work that waits for the earlier end finds the share alive and leaves it
    const key = `${share.uuid} ${ends.toISOString()}`
    await enqueue(tx, declaredJobs.endShare, { shareUuid: share.uuid }, { runAt: ends, key })
    const before = share.expires_at && toStamp(share.expires_at)
    await noteShare(tx, caller, record, share, { action: 'EDIT', expires_at: [before, toStamp(ends)] })
    return ends
  })
  services.events.ring()
  return { expires_at: toStamp(expiresAt) }
}
