import { mayDo } from '@hilum/contract/acts'
import type { OutputOf } from '@hilum/contract/call'
import { studyShareStop } from '@hilum/contract/calls/study-share'
import type { CallRequest, Handler } from '../handler.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { lockNominationOf } from '../nomination/nomination.sql.ts'
import { bringBackLink } from '../link/bring-back-link.command.ts'
import { findLink } from '../link/link-list.sql.ts'
import { mayGive, whatLinkGives } from '../link/link-values.policy.ts'
import { findSentLink } from '../link/sent-link.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { demandShared } from './demand-shared.ts'
import { endShare } from './end-share.command.ts'
import { stopSentLink } from '../link/send-links.command.ts'
import { restoreShare } from './restore-share.command.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { mayShareWith, mayTendShare, type NamedRecipient, readRecipient } from './share-recipient.policy.ts'
import { findRecipientOfCode } from './share-recipient.sql.ts'
import { lockShareWith } from './share.sql.ts'

type Request = CallRequest<typeof studyShareStop>

export const shareStop: Handler<typeof studyShareStop> = async (request) => {
  const { services, input, caller, on, fail } = request
  const { user_invite_share_id: linkUuid, share_code: code } = input
  const isScheduledOnly = input.scheduled_only === 1
  const others = [input.user_id, input.group_id, input.location_id, input.account_id].filter(Boolean)
  if ([linkUuid, code].filter(Boolean).length + others.length !== 1) throw fail('INVALID_PARAMETERS')
  if (linkUuid && !mayShareWith('email', on)) throw fail('NOT_PERMITTED')
  if (input.share_id && (linkUuid || input.restore === 1)) throw fail('INVALID_PARAMETERS')
  if (input.restore === 1) return linkUuid ? restoreSentLink(request, linkUuid) : restore(request)
  if (linkUuid) {
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
    const isOther = share.uuid !== input.share_id || share.by_user !== caller.userUuid
    if (input.share_id && isOther) throw fail('NOT_PERMITTED', { subtype: 'other' })
    if (isScheduledOnly && share.state !== 'scheduled') throw fail('NOT_PERMITTED', { subtype: 'delivered' })
    const nomination = named.kind === 'group' ? await lockNominationOf(tx, on.record.uuid) : undefined
    if (nomination?.share_uuid === share.uuid) {
      if (nomination.state === 'sent' && nomination.push_status === 'S')
        throw fail('NOT_PERMITTED', { subtype: 'completed' })
      if (nomination.state === 'sent' && nomination.push_status !== 'F') throw fail('PENDING')
      await writeStudyAudit(tx, caller, on.record, 'NOMINATE_CANCEL', { group: nomination.group_name })
    }
    await endShare(tx, caller, share.uuid, isScheduledOnly)
  })
  services.events.ring()
  return {}
}

async function restoreSentLink(
  { services, caller, on, origin, fail }: Request,
  linkUuid: string,
): Promise<OutputOf<typeof studyShareStop>> {
  const address = publicAddress(services.config, origin)
  await services.db.transaction().execute(async (tx) => {
    const sent = await findSentLink(tx, linkUuid)
    const row = sent?.study_uuid === on.record.uuid ? await findLink(tx, linkUuid) : undefined
    if (!row) throw fail('NOT_FOUND', { subtype: 'user_invite_share_id' })
    if (!mayGive(on.membership, whatLinkGives(row.permissions))) throw fail('NOT_PERMITTED')
    const to = { accountUuid: on.record.account_uuid, address }
    if (!(await bringBackLink(tx, services.sealer, row, to))) throw fail('EXPIRED')
    await writeStudyAudit(tx, caller, on.record, 'EDIT', { link: linkUuid, restore: 1 })
  })
  return {}
}

async function restore(request: Request): Promise<OutputOf<typeof studyShareStop>> {
  const { services, caller, on, origin, fail } = request
  const named = await nameRecipient(request)
  const by = { caller, record: on.record, address: publicAddress(services.config, origin) }
  await services.db.transaction().execute(async (tx) => {
    const done = await restoreShare(
      tx,
      by,
      named,
      (share) => mayTendShare(share, on) && (!share.with_attachments || mayDo(studyShareStop.asks.attachments, on)),
    )
    if (done.kind === 'late') throw fail('EXPIRED')
    if (done.kind === 'noRecipient') throw fail('SHARE_FAILED', { subtype: 'NO_DESTINATION' })
    if (done.kind === 'notPermitted') throw fail('NOT_PERMITTED')
    if (done.kind === 'fields') throw fail('INVALID_CUSTOMFIELD')
    demandShared(done)
  })
  services.events.ring()
  return {}
}

/** The recipient, with the field that named it. An unknown code answers like one to which nothing was sent. */
async function nameRecipient(request: Request): Promise<NamedRecipient & { field: string }> {
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
