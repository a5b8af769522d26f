import type { linkSession } from '@hilum/contract/calls/link-open'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { knockAtLink } from './knock.command.ts'
import { openLink } from './open-link.command.ts'

/** Opening is said in words by a person, never by whatever reads an address, so that a mail scanner uses nothing up. */
export const session: Handler<typeof linkSession> = async ({ services, input, origin, fail }) => {
  const link = await knockAtLink(services.db, input.token, origin.clientAddress, input.again)
  if (link === 'locked out') throw fail('LOCKOUT')
  if (!link) throw fail('NOT_FOUND')
  const opened = await openLink(
    services.db,
    link,
    { password: input.password ?? '', pin: input.pin ?? '' },
    {
      clientAddress: origin.clientAddress,
      userAgent: origin.userAgent ?? '',
      address: publicAddress(services.config, origin),
    },
  )
  switch (opened.kind) {
    case 'closed':
      throw fail('EXPIRED', { subtype: opened.state })
    case 'waiting':
      throw fail('PHANTOM')
    case 'locked':
      throw fail('LOCKOUT', { subtype: 'password' })
    case 'asks':
      throw fail('MISSING_FIELDS', { subtype: ['password'] })
    case 'asks pin':
      throw fail('MISSING_FIELDS', { subtype: ['pin'] })
    case 'no pin':
      throw fail('PIN_EXPIRED')
    case 'wrong pin':
      throw fail('INVALID_PIN')
    case 'wrong':
      throw fail('INVALID_CREDENTIALS')
    case 'open':
      return { sid: opened.sid, action: link.action, study_count: opened.studyCount, expires_at: opened.expires }
  }
}
