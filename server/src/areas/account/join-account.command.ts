import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@hilum/contract/call'
import type { GroupChoice } from '@hilum/contract/calls/account-user'
import { ApiError } from '@hilum/contract/errors'
import type { Membership } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { changeFieldValues } from '../customfield/change-field-values.command.ts'
import type { CallRequest } from '../handler.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { addedMail } from '../mail/mail-texts.ts'
import { publicAddress } from '../mail/public-address.ts'
import { findRole } from '../role/role.sql.ts'
import { createUser } from '../user/create-user.command.ts'
import { invite } from '../user/invite.command.ts'
import { setDisabled } from '../user/operator.sql.ts'
import { addAccountUser } from '../user/user-write.sql.ts'
import { changePeople } from './change-people.command.ts'
import { findByEmail, findDefaultRole, type KnownPerson } from './member.sql.ts'
import { demandPerson } from './person.policy.ts'
import { demandRole } from './promotion.policy.ts'
import { putInGroups } from './put-in-groups.command.ts'
import { changeSignIn, type SentSignIn } from './sign-in-limits.ts'

/** The request of somebody who may take people into an account. */
type Request = Pick<CallRequest<AnyCall>, 'services' | 'caller' | 'origin' | 'raw'> & { on: Membership }

interface NewMember {
  email: string
  /** Names of a person without a login; undefined makes none. */
  names: { first: string; last: string } | undefined
  /** Without one the account's default role. */
  roleUuid: string | undefined
  groups: GroupChoice | undefined
  locations?: GroupChoice | undefined
  signIn?: SentSignIn
}

/**
 * Makes somebody a member of an account. A person who never signed in is mailed a link to choose a password, others that
 * they belong to the account. Custom fields are read from all that was sent.
 * @throws ApiError ALREADY_EXISTS, CAN_NOT_PROMOTE, DUPLICATE_EMAIL, DUPLICATE_NAME, INVALID_CUSTOMFIELD, INVALID_EMAIL,
 *   INVALID_FIELD, INVALID_INTEGER, MISSING_FIELDS, NOT_FOUND, ROLE_NAMESPACE_MISMATCH, ROLE_NOT_FOUND, USER_NOT_FOUND
 */
export async function joinAccount(
  request: Request,
  sent: NewMember,
): Promise<{ userUuid: string; isInvited: boolean }> {
  const { services, caller, on, raw } = request
  const accountUuid = on.ownerUuid
  const { email, groups, locations } = sent
  return changePeople(services.db, [accountUuid], async (tx) => {
    const roleUuid = sent.roleUuid ?? (await findDefaultRole(tx, accountUuid))
    if (!roleUuid) throw new ApiError('MISSING_FIELDS', { subtype: ['role_id'] })
    demandRole(on, await findRole(tx, accountUuid, roleUuid), 'account')
    const known = await findByEmail(tx, email)
    const userUuid = known
      ? await addKnown(tx, request, known, roleUuid)
      : await addNew(tx, accountUuid, sent, roleUuid)
    const place = { accountUuid, userUuid, own: on }
    if (groups) await putInGroups(tx, place, groups)
    if (locations) await putInGroups(tx, { ...place, kind: 'location' }, locations)
    const member = { accountUuid, namespaceUuid: on.namespaceUuid, userUuid }
    const signsIn = sent.signIn ? await changeSignIn(tx, member, sent.signIn) : {}
    const fields = await changeFieldValues(tx, { object: 'User_account', accountUuid, userUuid }, raw)
    const isInvited = !known?.has_signed_in && (known?.accounts.length ?? 0) === 0
    if (isInvited) await invite(tx, request, { userUuid, email: known?.email ?? email, accountUuid })
    else await tellAdded(tx, request, known?.email ?? email)
    const places = {
      groups: groups?.map((one) => one.uuid) ?? [],
      ...(locations ? { locations: locations.map((one) => one.uuid) } : {}),
    }
    const detail = { role_uuid: roleUuid, ...places, ...signsIn, ...fields }
    await writeAudit(tx, { accountUuid, caller, action: 'ADD', type: 'User', objectUuid: userUuid, detail })
    return { userUuid, isInvited }
  })
}

/** Mails somebody who has a login that the account has taken the person in. */
export async function tellAdded(
  tx: Tx,
  { services, origin, on }: Pick<Request, 'services' | 'origin' | 'on'>,
  recipient: string,
): Promise<void> {
  const text = addedMail(publicAddress(services.config, origin))
  await insertMail(tx, { uuid: randomUUID(), accountUuid: on.ownerUuid, recipient, ...text })
}

async function addNew(tx: Tx, accountUuid: string, sent: NewMember, roleUuid: string): Promise<string> {
  if (!sent.names) throw new ApiError('USER_NOT_FOUND')
  const person = { email: sent.email, ...sent.names }
  demandPerson(person)
  const made = await createUser(tx, { accountUuid, roleUuid, password: undefined, ...person })
  return made.userUuid
}

/**
 * Somebody who was put out of every account comes back to the one where it began, with what is the person's own; with a
 * flag of the system by a system administrator alone.
 */
async function addKnown(tx: Tx, { caller, on }: Request, known: KnownPerson, roleUuid: string): Promise<string> {
  const accountUuid = on.ownerUuid
  if (known.accounts.includes(accountUuid)) throw new ApiError('ALREADY_EXISTS', { subtype: known.uuid })
  if (known.accounts.length === 0) {
    if (known.home_account !== accountUuid) throw new ApiError('DUPLICATE_EMAIL')
    if (known.is_operator && !caller.sysadmin) throw new ApiError('NOT_PERMITTED', { subtype: 'ROLE_ABOVE' })
    await setDisabled(tx, known.uuid, false)
  } else demandMayJoin(known, caller)
  await addAccountUser(tx, { accountUuid, userUuid: known.uuid, roleUuid, login: '' })
  return known.uuid
}

/**
 * Somebody of other accounts may be taken into a further one. Whoever signs in by an address that is not proven may be
 * anybody to whom another account gave that address; whoever signs in by the provider of an account would not be bound
 * to that provider any more, which a system administrator alone decides (docs/decisions/0192).
 * @throws ApiError DUPLICATE_EMAIL
 */
export function demandMayJoin(known: KnownPerson, caller: { sysadmin: boolean }): void {
  if (known.is_by_provider && !caller.sysadmin) throw new ApiError('DUPLICATE_EMAIL', { subtype: 'BY_PROVIDER' })
  if (known.is_unproven) throw new ApiError('DUPLICATE_EMAIL', { subtype: 'UNPROVEN' })
}
