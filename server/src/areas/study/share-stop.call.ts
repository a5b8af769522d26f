import type { studyShareStop } from '@hilum/contract/calls/study-share'
import type { Handler } from '../handler.ts'
import { endShare } from './end-share.command.ts'
import { lockSharing } from './share-locks.sql.ts'
import { mayShareWith, readRecipient } from './share-recipient.policy.ts'
import { lockShareWith } from './share.sql.ts'

export const shareStop: Handler<typeof studyShareStop> = async ({ services, input, caller, on, fail }) => {
  const named = readRecipient(input)
  if (!mayShareWith(named.kind, on)) throw fail('NOT_PERMITTED')
  await services.db.transaction().execute(async (tx) => {
    await lockSharing(tx, on.record.study_uid)
    const share = await lockShareWith(tx, on.record.uuid, named)
    if (!share || share.is_over) throw fail('NOT_FOUND', { subtype: `${named.kind}_id` })
    await endShare(tx, caller, share.uuid)
  })
  services.events.ring()
  return {}
}
