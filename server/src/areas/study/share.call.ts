import { randomUUID } from 'node:crypto'
import type { studyShare } from '@hilum/contract/calls/study-share'
import { maxShareDelaySeconds, maxShareMessage, maxShareMinutes } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { shareStudy } from './share-study.command.ts'
import { findRecipient, hasGroup } from './share-recipient.sql.ts'
import { belongsTo, mayKeepForOneself, mayShareWith, readRecipient } from './share-recipient.policy.ts'
import { tellRecipient } from './tell-recipient.command.ts'

export const share: Handler<typeof studyShare> = async ({ services, input, caller, on, origin, fail }) => {
  const { record } = on
  const named = readRecipient(input)
  const message = input.message?.trim() ?? ''
  const { delay = 0, expires = null } = input
  if (message.length > maxShareMessage) throw fail('INVALID_FIELD', { subtype: 'message' })
  if (delay < 0 || delay > maxShareDelaySeconds) throw fail('INVALID_FIELD', { subtype: 'delay' })
  if (expires !== null && (expires < 1 || expires > maxShareMinutes))
    throw fail('INVALID_FIELD', { subtype: 'expires' })
  if (!mayShareWith(named.kind, on)) throw fail('NOT_PERMITTED')

  const isMember = await belongsTo(caller, record.account_uuid)
  const recipient = isMember ? await findRecipient(services.db, record.account_uuid, named) : undefined
  if (!recipient) {
    const takesNone =
      isMember && named.kind === 'group' && (await hasGroup(services.db, record.account_uuid, named.uuid))
    throw takesNone
      ? fail('SHARE_FAILED', { subtype: 'NO_DESTINATION' })
      : fail('NOT_FOUND', { subtype: `${named.kind}_id` })
  }
  if (recipient.namespace_uuid === record.phi_namespace) throw fail('SHARE_FAILED', { subtype: 'SAME' })
  if (recipient.uuid === caller.userUuid && !mayKeepForOneself(on.membership)) throw fail('NOT_PERMITTED')

  await services.db.transaction().execute(async (tx) => {
    const done = await shareStudy(tx, caller, record, recipient, {
      uuid: randomUUID(),
      message,
      delaySeconds: delay,
      minutes: expires,
    })
    if (done.kind === 'refused') throw fail('SHARE_FAILED', { subtype: done.failure, data: { reasons: done.reasons } })
    if (done.kind === 'phantom') throw fail('PHANTOM')
    if (done.kind === 'gone') throw fail('NOT_FOUND')
    if (done.kind === 'frozen') throw fail('NOT_PERMITTED', { subtype: 'frozen' })
    if (done.kind === 'delivered')
      await tellRecipient(tx, recipient, caller.userUuid, publicAddress(services.config, origin))
    if (done.kind === 'awaitsApproval') throw fail('NOT_PERMITTED', { subtype: 'must_approve' })
  })
  services.events.ring()
  return {}
}
