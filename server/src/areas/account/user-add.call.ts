import { randomUUID } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import { accountUserAdd } from '@hilum/contract/calls/account-user'
import { readOneAddress } from '@hilum/contract/mail-address'
import { listAccountsOfPerson } from '../../access/person.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { changeFieldValues } from '../customfield/change-field-values.command.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { addedMail } from '../mail/mail-texts.ts'
import { publicAddress } from '../mail/public-address.ts'
import { findRole } from '../role/role.sql.ts'
import { createUser } from '../user/create-user.command.ts'
import { invite } from '../user/invite.command.ts'
import { setDisabled } from '../user/operator.sql.ts'
import { addAccountUser } from '../user/user-write.sql.ts'
import { changePeople } from './change-people.command.ts'
import { findByEmail, findDefaultRole, findEmail, type KnownPerson } from './member.sql.ts'
import { demandPerson } from './person.policy.ts'
import { demandRole } from './promotion.policy.ts'
import { changeSignIn } from './sign-in-limits.ts'
import { putInGroups } from './put-in-groups.command.ts'

type Request = CallRequest<typeof accountUserAdd>

export const userAdd: Handler<typeof accountUserAdd> = async (request) => {
  const { services, input, raw, caller, on, fail } = request
  const accountUuid = on.ownerUuid
  if (input.groups && !mayDo(accountUserAdd.decides.groups, on)) throw fail('NOT_PERMITTED', { subtype: 'groups' })
  const email = await readEmail(request)
  return changePeople(services.db, [accountUuid], async (tx) => {
    const roleUuid = input.role_id ?? (await findDefaultRole(tx, accountUuid))
    if (!roleUuid) throw fail('MISSING_FIELDS', { subtype: ['role_id'] })
    demandRole(on, await findRole(tx, accountUuid, roleUuid), 'account')
    const known = await findByEmail(tx, email)
    const userUuid = known ? await addKnown(request, tx, known, roleUuid) : await addNew(request, tx, email, roleUuid)
    if (input.groups) await putInGroups(tx, { accountUuid, userUuid, own: on }, input.groups)
    const signsIn = await changeSignIn(tx, { accountUuid, namespaceUuid: on.namespaceUuid, userUuid }, input)
    const fields = await changeFieldValues(tx, { object: 'User_account', accountUuid, userUuid }, raw)
    const isInvited = !known?.has_signed_in && (known?.accounts.length ?? 0) === 0
    if (isInvited) await invite(tx, request, { userUuid, email: known?.email ?? email, accountUuid })
    else await tellAdded(request, tx, known?.email ?? email)
    const detail = { role_uuid: roleUuid, groups: input.groups?.map((one) => one.uuid) ?? [], ...signsIn, ...fields }
    await writeAudit(tx, { accountUuid, caller, action: 'ADD', type: 'User', objectUuid: userUuid, detail })
    return { uuid: userUuid, invited: isInvited ? 1 : 0, has_smtp: services.config.smtpUrl ? 1 : 0 }
  })
}

/** The address that was sent, or that of somebody whom the caller administers elsewhere. */
async function readEmail({ services, input, caller, fail }: Request): Promise<string> {
  const { email, user_id: userUuid } = input
  if (email && userUuid) throw fail('INVALID_FIELD', { subtype: 'user_id' })
  if (email) return readOneAddress(email)
  if (!userUuid) throw fail('MISSING_FIELDS', { subtype: ['email'] })
  const accounts = new Set(await listAccountsOfPerson(services.db, userUuid))
  const memberships = await caller.memberships()
  const isKnown = memberships.some(
    (one) => one.kind === 'account' && accounts.has(one.ownerUuid) && mayDo('administerUsers', one),
  )
  const found = isKnown ? await findEmail(services.db, userUuid) : undefined
  if (!found) throw fail('USER_NOT_FOUND')
  return found
}

async function addNew({ input, on, fail }: Request, tx: Tx, email: string, roleUuid: string): Promise<string> {
  const person = { email, first: input.first?.trim() ?? '', last: input.last?.trim() ?? '' }
  if (!person.first && !person.last) throw fail('USER_NOT_FOUND')
  demandPerson(person)
  const made = await createUser(tx, { accountUuid: on.ownerUuid, roleUuid, password: undefined, ...person })
  return made.userUuid
}

/** Somebody who was put out of every account comes back to the one where it began, with what is the person's own. */
async function addKnown({ on, fail }: Request, tx: Tx, known: KnownPerson, roleUuid: string): Promise<string> {
  const accountUuid = on.ownerUuid
  if (known.accounts.includes(accountUuid)) throw fail('ALREADY_EXISTS', { subtype: known.uuid })
  if (known.accounts.length === 0) {
    if (known.home_account !== accountUuid) throw fail('DUPLICATE_EMAIL')
    await setDisabled(tx, known.uuid, false)
  }
  await addAccountUser(tx, { accountUuid, userUuid: known.uuid, roleUuid, login: '' })
  return known.uuid
}

async function tellAdded({ services, origin, on }: Request, tx: Tx, recipient: string): Promise<void> {
  const text = addedMail(publicAddress(services.config, origin))
  await insertMail(tx, { uuid: randomUUID(), accountUuid: on.ownerUuid, recipient, ...text })
}
