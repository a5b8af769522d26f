import { mayDo } from '@hilum/contract/acts'
import { accountUserAdd } from '@hilum/contract/calls/account-user'
import { readOneAddress } from '@hilum/contract/mail-address'
import { listAccountsOfPerson } from '../../access/person.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { joinAccount } from './join-account.command.ts'
import { findLoginPlace } from './member.sql.ts'

type Request = CallRequest<typeof accountUserAdd>

export const userAdd: Handler<typeof accountUserAdd> = async (request) => {
  const { services, input, on, fail } = request
  if (input.groups && !mayDo(accountUserAdd.decides.groups, on)) throw fail('NOT_PERMITTED', { subtype: 'groups' })
  const email = await readEmail(request)
  const names = { first: input.first?.trim() ?? '', last: input.last?.trim() ?? '' }
  const { userUuid, isInvited } = await joinAccount(request, {
    email,
    names: names.first || names.last ? names : undefined,
    roleUuid: input.role_id,
    groups: input.groups,
    signIn: input,
  })
  return { uuid: userUuid, invited: isInvited ? 1 : 0, has_smtp: services.config.smtpUrl ? 1 : 0 }
}

/** The address that was sent, or that of somebody who began in this account and belongs to none, or whom the caller administers elsewhere. */
async function readEmail({ services, input, caller, on, fail }: Request): Promise<string> {
  const { email, user_id: userUuid } = input
  if (email && userUuid) throw fail('INVALID_FIELD', { subtype: 'user_id' })
  if (email) return readOneAddress(email)
  if (!userUuid) throw fail('MISSING_FIELDS', { subtype: ['email'] })
  const found = await findLoginPlace(services.db, userUuid)
  const accounts = new Set(await listAccountsOfPerson(services.db, userUuid))
  const memberships = await caller.memberships()
  const isKnown =
    accounts.size === 0
      ? found?.home_account === on.ownerUuid
      : memberships.some(
          (one) => one.kind === 'account' && accounts.has(one.ownerUuid) && mayDo('administerUsers', one),
        )
  if (!found || !isKnown) throw fail('USER_NOT_FOUND')
  return found.email
}
