import { randomUUID } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import { accountUserSet } from '@hilum/contract/calls/account-user'
import { readOneAddress } from '@hilum/contract/mail-address'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { changeFieldValues, valuesAsRead } from '../customfield/change-field-values.command.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { addressChangedMail } from '../mail/mail-texts.ts'
import { insertMail, wipeSecretsFor } from '../mail/mail.sql.ts'
import { findRole } from '../role/role.sql.ts'
import { endPasswordSessions } from '../session/ended-sign-in.sql.ts'
import { noteEndedSessions } from '../session/note-ended.command.ts'
import { mayChangeSignIn } from '../session/pin-session.sql.ts'
import { invite } from '../user/invite.command.ts'
import { useUpResetTokens } from '../user/password-reset.sql.ts'
import { nameOwnPlace } from '../user/user-write.sql.ts'
import { changePeople } from './change-people.command.ts'
import { findByEmail, lockMember, type Member, updateMemberRole, updateNameAndEmail } from './member.sql.ts'
import { demandNotAbove, demandPerson } from './person.policy.ts'
import { demandRole } from './promotion.policy.ts'
import { changeSignIn } from './sign-in-limits.ts'
import { putInGroups } from './put-in-groups.command.ts'
import { readMember } from './read-member.ts'

type Request = CallRequest<typeof accountUserSet>
/** Old and new value by field, for the record. */
type Changes = Record<string, [unknown, unknown]>
type Person = Pick<Member, 'first' | 'last' | 'email'>

export const userSet: Handler<typeof accountUserSet> = async (request) => {
  const { services, input, raw, caller, on, fail } = request
  const accountUuid = on.ownerUuid
  const { user_id: userUuid } = input
  if (input.groups && !mayDo(accountUserSet.decides.groups, on)) throw fail('NOT_PERMITTED', { subtype: 'groups' })
  await changePeople(services.db, [accountUuid], async (tx) => {
    const member = await lockMember(tx, accountUuid, userUuid)
    if (!member) throw fail('USER_NOT_FOUND')
    if (userUuid !== caller.userUuid) demandNotAbove(on, member, caller)
    // a stolen session of an administrator must not end what its own login is asked for, nor shut the login out
    else if (input.pin_demanded !== undefined || input.sso_only !== undefined)
      throw fail('NOT_PERMITTED', { subtype: 'SELF' })
    if (input.seen) demandUnchanged(input.seen, await readNow(tx, request))
    const changes: Changes = {
      ...(await changeRole(request, tx, member)),
      ...(await changePerson(request, tx, member)),
      ...(await changeSignIn(tx, { accountUuid, namespaceUuid: on.namespaceUuid, userUuid }, input)),
      ...(await changeFieldValues(tx, { object: 'User_account', accountUuid, userUuid }, raw)),
    }
    if (changes['sso_only'] || changes['pin_required']?.[1] === 0) await demandProof(tx, request)
    const groups = input.groups ? await putInGroups(tx, { accountUuid, userUuid, own: on }, input.groups) : undefined
    const detail: Changes = { ...changes, ...(groups ? { groups } : {}) }
    if (Object.keys(detail).length === 0) return
    await writeAudit(tx, { accountUuid, caller, action: 'EDIT', type: 'User', objectUuid: userUuid, detail })
    if (!detail['sso_only']) return
    const ended = await endPasswordSessions(tx, accountUuid, { userUuid, exceptSession: caller.sessionUuid })
    await noteEndedSessions(tx, { accountUuid, caller, because: 'SSO_ONLY' }, ended)
  })
  return {}
}

/** The person as account/user/get shows one, and each custom field by the name that sets it. */
async function readNow(tx: Tx, { input, caller, on }: Request): Promise<object> {
  const now = await readMember(tx, on, caller, input.user_id)
  return now ? { ...now, ...valuesAsRead(now.customfields) } : {}
}

async function changeRole({ input, on }: Request, tx: Tx, member: Member): Promise<Changes> {
  const { role_id: roleUuid, user_id: userUuid } = input
  if (!roleUuid || roleUuid === member.role_uuid) return {}
  demandRole(on, await findRole(tx, on.ownerUuid, roleUuid), 'account')
  await updateMemberRole(tx, on.ownerUuid, userUuid, roleUuid)
  return { role_id: [member.role_uuid, roleUuid] }
}

/** A person's name and address are one for all accounts, so that one of several may not change them. */
async function changePerson(request: Request, tx: Tx, member: Member): Promise<Changes> {
  const { input, on, fail } = request
  const { user_id: userUuid } = input
  const person = {
    first: input.first?.trim() ?? member.first,
    last: input.last?.trim() ?? member.last,
    email: input.email === undefined ? member.email : readOneAddress(input.email),
  }
  const changes = changesBetween(member, person)
  if (Object.keys(changes).length === 0) return {}
  if (member.other_accounts > 0) throw fail('NOT_PERMITTED', { subtype: 'OTHER_ACCOUNTS' })
  demandPerson(person)
  if (!changes['email']) {
    await updateNameAndEmail(tx, userUuid, person)
    await nameOwnPlace(tx, userUuid)
    return changes
  }
  await demandProof(tx, request)
  await demandFreeEmail(request, tx, person.email)
  // links mailed to the old address open nothing any more
  await useUpResetTokens(tx, userUuid)
  await wipeSecretsFor(tx, userUuid)
  await updateNameAndEmail(tx, userUuid, person)
  await nameOwnPlace(tx, userUuid)
  if (member.has_signed_in) await tellOldAddress(tx, on.ownerUuid, member.email)
  else await invite(tx, request, { userUuid, email: person.email, accountUuid: on.ownerUuid })
  return changes
}

/** A login is taken over by its address, to which a new password is mailed, and by what its sign-in asks for. */
async function demandProof(tx: Tx, { caller, fail }: Request): Promise<void> {
  if (!(await mayChangeSignIn(tx, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
}

/** Somebody who signs in learns of it where mails came so far: another hand may hold the new address. */
function tellOldAddress(tx: Tx, accountUuid: string, recipient: string): Promise<void> {
  return insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...addressChangedMail() })
}

/** One's own address is another administrator's to change: a stolen session must not take the login with it. */
async function demandFreeEmail({ input, caller, fail }: Request, tx: Tx, email: string): Promise<void> {
  if (input.user_id === caller.userUuid) throw fail('NOT_PERMITTED', { subtype: 'SELF' })
  const holder = await findByEmail(tx, email)
  if (holder && holder.uuid !== input.user_id) throw fail('DUPLICATE_EMAIL')
}

function changesBetween(before: Person, after: Person): Changes {
  const fields = ['first', 'last', 'email'] as const
  return Object.fromEntries(
    fields.filter((field) => before[field] !== after[field]).map((field) => [field, [before[field], after[field]]]),
  )
}
