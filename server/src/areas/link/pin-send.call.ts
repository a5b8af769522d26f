import type { linkPinSend } from '@hilum/contract/calls/link-open'
import type { Handler } from '../handler.ts'
import { knockAtLink } from './knock.command.ts'
import { sendPin } from './link-pin.command.ts'

/** Asked for in words by a person, never by whatever reads an address: a mail scanner has no code sent. */
export const pinSend: Handler<typeof linkPinSend> = async ({ services, input, origin, fail }) => {
  const link = await knockAtLink(services.db, input.token, origin.clientAddress)
  if (link === 'locked out') throw fail('LOCKOUT')
  if (!link) throw fail('NOT_FOUND')
  if (!link.pin_auth) throw fail('INVALID_FIELD', { subtype: 'token' })
  if (link.state === 'waiting') throw fail('PHANTOM')
  if (link.state === 'locked') throw fail('LOCKOUT', { subtype: 'password' })
  if (link.state !== 'open') throw fail('EXPIRED', { subtype: link.state })
  if (!(await sendPin(services, link, origin.clientAddress))) throw fail('LOCKOUT', { subtype: 'pin' })
  return { has_smtp: services.config.smtpUrl ? 1 : 0 }
}
