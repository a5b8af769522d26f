import { randomUUID } from 'node:crypto'
import { isAccountName, isIssuer } from '@hilum/contract/account-settings'
import type { accountAdd } from '@hilum/contract/calls/system'
import { readOneAddress } from '@hilum/contract/mail-address'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { addedMail } from '../mail/mail-texts.ts'
import { publicAddress } from '../mail/public-address.ts'
import { createUser } from '../user/create-user.command.ts'
import { invite } from '../user/invite.command.ts'
import { addAccountUser } from '../user/user-write.sql.ts'
import { isAccountNameTaken, lockAccountNames } from './account-security.sql.ts'
import { createAccount } from './create-account.command.ts'
import { demandMayJoin } from './join-account.command.ts'
import { findByEmail } from './member.sql.ts'
import { demandPerson } from './person.policy.ts'

type Request = CallRequest<typeof accountAdd>

export const add: Handler<typeof accountAdd> = async (request) => {
  const { services, input, caller, fail } = request
  const name = input.name.trim().normalize('NFC')
  const issuer = input.issuer?.trim()
  if (!isAccountName(name)) throw fail('INVALID_FIELD', { subtype: 'name' })
  if (issuer !== undefined && !isIssuer(issuer)) throw fail('INVALID_FIELD', { subtype: 'issuer' })
  return services.db.transaction().execute(async (tx) => {
    await lockAccountNames(tx)
    if (await isAccountNameTaken(tx, randomUUID(), name)) throw fail('DUPLICATE_NAME')
    const settings = { enable_inbox_view: '1', first_steps: 'open' }
    const { accountUuid, namespaceUuid, roles } = await createAccount(tx, {
      name,
      settings,
      ...(issuer === undefined ? {} : { issuer }),
    })
    const place = { accountUuid, roleUuid: roles.get('Administrator') ?? '' }
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'ADD',
      type: 'Account',
      objectUuid: accountUuid,
      detail: { name },
    })
    const { userUuid, isInvited } = input.administrator_email
      ? await addAdministrator(request, tx, place, readOneAddress(input.administrator_email))
      : { userUuid: caller.userUuid, isInvited: false }
    if (!input.administrator_email) await addAccountUser(tx, { ...place, userUuid, login: '' })
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'ADD',
      type: 'User',
      objectUuid: userUuid,
      detail: { role_uuid: place.roleUuid },
    })
    return { uuid: accountUuid, namespace_id: namespaceUuid, invited: isInvited ? 1 : 0 }
  })
}

/** Somebody who is known joins and is told so; somebody new is made and invited. */
async function addAdministrator(
  request: Request,
  tx: Tx,
  place: { accountUuid: string; roleUuid: string },
  email: string,
): Promise<{ userUuid: string; isInvited: boolean }> {
  const { services, input, caller, origin, fail } = request
  const { accountUuid } = place
  const known = await findByEmail(tx, email)
  if (known) {
    // somebody whom every account put out comes back to the first one alone
    if (known.accounts.length === 0) throw fail('DUPLICATE_EMAIL')
    demandMayJoin(known, caller)
    await addAccountUser(tx, { ...place, userUuid: known.uuid, login: '' })
    const text = addedMail(publicAddress(services.config, origin))
    await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient: known.email, ...text })
    return { userUuid: known.uuid, isInvited: false }
  }
  const person = {
    email,
    first: input.administrator_first?.trim() ?? '',
    last: input.administrator_last?.trim() ?? '',
  }
  demandPerson(person, 'administrator_')
  const { userUuid } = await createUser(tx, { ...place, ...person, password: undefined })
  await invite(tx, request, { userUuid, email, accountUuid })
  return { userUuid, isInvited: true }
}
