import type { userWelcome } from '@hilum/contract/calls/user-invite'
import { readOneAddress } from '@hilum/contract/mail-address'
import { digestOf } from '../../access/sid.ts'
import { tellAdded } from '../account/join-account.command.ts'
import { findMemberByEmail, lockMember } from '../account/member.sql.ts'
import { demandNotAbove } from '../account/person.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { perLostEmail } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { invite } from './invite.command.ts'
import { demandOwnLink } from './own-link.ts'

export const welcome: Handler<typeof userWelcome> = async (request) => {
  const { services, input, caller, on, fail } = request
  const accountUuid = on.ownerUuid
  demandOwnLink(request, 'link', input.link)
  const member = await findMemberByEmail(services.db, accountUuid, readOneAddress(input.email))
  if (!member) throw fail('NOT_FOUND', { subtype: 'email' })
  const rights = await lockMember(services.db, accountUuid, member.uuid)
  if (!rights) throw fail('NOT_FOUND', { subtype: 'email' })
  demandNotAbove(on, rights, caller)
  if (member.disabled) throw fail('DISABLED')
  if (!(await mayAttempt(services.db, 'welcome', digestOf(member.uuid), perLostEmail))) throw fail('LOCKOUT')
  await services.db.transaction().execute(async (tx) => {
    if (member.has_signed_in) await tellAdded(tx, request, member.email)
    else await invite(tx, request, { userUuid: member.uuid, email: member.email, accountUuid })
    const detail = { invited_again: 1 }
    await writeAudit(tx, { accountUuid, caller, action: 'EDIT', type: 'User', objectUuid: member.uuid, detail })
  })
  return { has_smtp: services.config.smtpUrl ? 1 : 0 }
}
