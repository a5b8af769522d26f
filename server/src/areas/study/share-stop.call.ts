import type { studyShareStop } from '@hilum/contract/calls/study-share'
import type { CallRequest, Handler } from '../handler.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { lockNominationOf } from '../nomination/nomination.sql.ts'
import { endShare } from './end-share.command.ts'
import { stopSentLink } from '../link/send-links.command.ts'
import { lockSharing } from './share-locks.sql.ts'
import { mayShareWith, mayTendShare, type NamedRecipient, readRecipient } from './share-recipient.policy.ts'
import { findRecipientOfCode } from './share-recipient.sql.ts'
import { lockShareWith } from './share.sql.ts'

export const shareStop: Handler<typeof studyShareStop> = async (request) => {
  const { services, input, caller, on, fail } = request
  const { user_invite_share_id: linkUuid, share_code: code } = input
  const isScheduledOnly = input.scheduled_only === 1
  const others = [input.user_id, input.group_id, input.location_id, input.account_id].filter(Boolean)
  if ([linkUuid, code].filter(Boolean).length + others.length !== 1) throw fail('INVALID_PARAMETERS')
  if (linkUuid) {
    if (!mayShareWith('email', on)) throw fail('NOT_PERMITTED')
    const outcome = await services.db
      .transaction()
      .execute((tx) => stopSentLink(tx, caller, on.record, linkUuid, isScheduledOnly))
    if (outcome === 'mailed') throw fail('NOT_PERMITTED', { subtype: 'delivered' })
    if (outcome === 'gone') throw fail('NOT_FOUND', { subtype: 'user_invite_share_id' })
    return {}
  }
  const named = await nameRecipient(request)
  await services.db.transaction().execute(async (tx) => {
    await lockSharing(tx, on.record.study_uid)
    const share = await lockShareWith(tx, on.record.uuid, named)
    if (!share || share.is_over || (code && !share.by_code)) throw fail('NOT_FOUND', { subtype: named.field })
    if (!mayTendShare(share, on)) throw fail('NOT_PERMITTED')
    if (isScheduledOnly && share.state !== 'scheduled') throw fail('NOT_PERMITTED', { subtype: 'delivered' })
    const nomination = named.kind === 'group' ? await lockNominationOf(tx, on.record.uuid) : undefined
    if (nomination?.share_uuid === share.uuid) {
      if (nomination.state === 'sent' && nomination.push_status === 'S')
        throw fail('NOT_PERMITTED', { subtype: 'completed' })
      if (nomination.state === 'sent' && nomination.push_status !== 'F') throw fail('PENDING')
      await writeStudyAudit(tx, caller, on.record, 'NOMINATE_CANCEL', { group: nomination.group_name })
    }
    await endShare(tx, caller, share.uuid)
  })
  services.events.ring()
  return {}
}

/** The recipient, with the field that named it. An unknown code answers like one to which nothing was sent. */
async function nameRecipient(request: CallRequest<typeof studyShareStop>): Promise<NamedRecipient & { field: string }> {
  const { services, input, on, fail } = request
  const code = input.share_code?.trim()
  if (!code) {
    const named = readRecipient(input)
    if (!mayShareWith(named.kind, on) && !mayShareWith('code', on)) throw fail('NOT_PERMITTED')
    return { ...named, field: `${named.kind}_id` }
  }
  if (!mayShareWith('code', on)) throw fail('NOT_PERMITTED')
  const found = await findRecipientOfCode(services.db, { code })
  if (!found) throw fail('NOT_FOUND', { subtype: 'share_code' })
  return { kind: found.kind, uuid: found.uuid, field: 'share_code' }
}
