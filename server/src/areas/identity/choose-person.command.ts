import type { SignInFault } from '@hilum/contract/sign-in-faults'
import { foldLogin } from '@hilum/contract/fold-login'
import type { Tx } from '../../db/database.ts'
import { findByEmail } from '../account/member.sql.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { endKeysInto, endSessionsByProvider } from '../session/ended-sign-in.sql.ts'
import { noteEndedKeys, noteEndedSessions } from '../session/note-ended.command.ts'
import { createUser } from '../user/create-user.command.ts'
import { applyRules, type GivenByClaims, readRules, roleOfNew } from './apply-rules.command.ts'
import { demandSameProvider } from './demand-same-provider.ts'
import { lockKnownIdentity, lockPersonHere, putIdentity } from './identity.sql.ts'
import { listClaimRules, type ProviderRow } from './provider.sql.ts'
import type { Said } from './read-claims.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

type Refused = { kind: 'refused'; fault: SignInFault; userUuid?: string }
type Chosen = { kind: 'person'; userUuid: string } | Refused
type Found = { kind: 'member'; uuid: string; role_uuid: string; isNewlyLinked: boolean } | Refused

/**
 * The person whom an identity signs in to the provider's account: the one it is connected with; else the account's own
 * person of that vouched address; else a new one, where the account makes such. Role and groups follow the rules.
 *
 * A provider never signs in somebody whom it alone would bring into another organisation, nor anybody by an address
 * that it does not vouch for.
 */
export async function choosePerson(tx: Tx, provider: ProviderRow, said: Said): Promise<Chosen> {
  await demandSameProvider(tx, provider)
  const given = readRules(await listClaimRules(tx, provider.uuid), provider, said.groups)
  const found = (await findConnected(tx, provider, said)) ?? (await findByAddress(tx, provider, said))
  if (!found) return makePerson(tx, provider, said, given)
  if (found.kind === 'refused') return found
  const changes = await applyRules(tx, provider.account_uuid, found, given)
  if (Object.keys(changes).length > 0) await noteChanges(tx, provider, found.uuid, changes)
  if (given.role.kind === 'none') {
    // nobody is left in who may not come in any more
    await endAll(tx, provider, found.uuid)
    return { kind: 'refused', fault: 'NOT_MAPPED', userUuid: found.uuid }
  }
  await connect(tx, provider, said, found.uuid, found.isNewlyLinked)
  return { kind: 'person', userUuid: found.uuid }
}

/** Ends what a person of whom the provider says nothing any more has open by it, and the keys of that person's programs. */
async function endAll(tx: Tx, provider: ProviderRow, userUuid: string): Promise<void> {
  const accountUuid = provider.account_uuid
  const by = { accountUuid, caller: undefined, because: 'NOT_MAPPED' } as const
  await noteEndedSessions(tx, by, await endSessionsByProvider(tx, provider.uuid, { userUuid }))
  await noteEndedKeys(tx, by, userUuid, await endKeysInto(tx, accountUuid, userUuid))
}

async function findConnected(tx: Tx, provider: ProviderRow, said: Said): Promise<Found | undefined> {
  const known = await lockKnownIdentity(tx, provider.account_uuid, said)
  if (!known) return undefined
  const userUuid = known.user_uuid
  const refuse = (fault: SignInFault): Refused => ({ kind: 'refused', fault, userUuid })
  // the record of this account names nobody of another one
  if (known.role_uuid === null) return { kind: 'refused', fault: 'NOT_MEMBER' }
  if (known.disabled) return refuse('DISABLED')
  if ((known.other_accounts > 0 || known.is_above) && !known.by_person) return refuse('LINK_FIRST')
  // a subject that is given to somebody else shows by the address
  const before = [known.email, known.own_email].map(foldLogin)
  if (known.email && said.email && !before.includes(foldLogin(said.email))) return refuse('EMAIL_CHANGED')
  return { kind: 'member', uuid: userUuid, role_uuid: known.role_uuid, isNewlyLinked: false }
}

const faultOfEmail = {
  none: 'NO_EMAIL',
  'foreign domain': 'EMAIL_DOMAIN',
  'not verified': 'EMAIL_NOT_VERIFIED',
} as const satisfies Record<string, SignInFault>

async function findByAddress(tx: Tx, provider: ProviderRow, said: Said): Promise<Found | undefined> {
  if (said.emailState !== 'vouched') return { kind: 'refused', fault: faultOfEmail[said.emailState] }
  const known = await findByEmail(tx, said.email)
  if (!known) return undefined
  const accountUuid = provider.account_uuid
  const here = await lockPersonHere(tx, { accountUuid, userUuid: known.uuid, issuer: provider.issuer })
  const isOnlyHere = known.accounts.length === 1 && known.home_account === accountUuid
  // the record of this account names nobody of another one
  if (!here) return { kind: 'refused', fault: 'LINK_FIRST' }
  const refuse = (fault: SignInFault): Refused => ({ kind: 'refused', fault, userUuid: known.uuid })
  // an address that reads alike may be another mailbox
  const isSame = plainOf(known.email) === plainOf(said.email)
  if (!isOnlyHere || !isSame || here.is_above) return refuse('LINK_FIRST')
  if (here.is_linked) return refuse('LINKED_ELSEWHERE')
  if (here.disabled) return refuse('DISABLED')
  return { kind: 'member', uuid: known.uuid, role_uuid: here.role_uuid, isNewlyLinked: true }
}

function plainOf(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

async function makePerson(tx: Tx, provider: ProviderRow, said: Said, given: GivenByClaims): Promise<Chosen> {
  if (!provider.creates_people) return { kind: 'refused', fault: 'NOT_KNOWN' }
  const roleUuid = await roleOfNew(tx, provider, given)
  if (!roleUuid) return { kind: 'refused', fault: 'NOT_MAPPED' }
  const accountUuid = provider.account_uuid
  const { email, first, last } = said
  const { userUuid } = await createUser(tx, { accountUuid, roleUuid, email, first, last, password: undefined })
  const changes = await applyRules(tx, accountUuid, { uuid: userUuid, role_uuid: roleUuid }, given)
  await writeAudit(tx, {
    accountUuid,
    caller: undefined,
    action: 'ADD',
    type: 'User',
    objectUuid: userUuid,
    detail: { email, role_uuid: roleUuid, ...changes, by: 'identity provider' },
  })
  await connect(tx, provider, said, userUuid, true)
  return { kind: 'person', userUuid }
}

async function connect(
  tx: Tx,
  provider: ProviderRow,
  said: Said,
  userUuid: string,
  isNewlyLinked: boolean,
): Promise<void> {
  const { issuer, subject, email } = said
  if (!(await putIdentity(tx, { issuer, subject, userUuid, email, isByPerson: false })))
    throw new SignInRefusal('LINKED_ELSEWHERE', '', userUuid)
  if (!isNewlyLinked) return
  await writeAudit(tx, {
    accountUuid: provider.account_uuid,
    caller: undefined,
    action: 'IDENTITY_LINKED',
    type: 'User',
    objectUuid: userUuid,
    detail: { provider: provider.button, issuer, email, by: 'verified address' },
  })
}

function noteChanges(tx: Tx, provider: ProviderRow, userUuid: string, changes: Record<string, unknown>): Promise<void> {
  return writeAudit(tx, {
    accountUuid: provider.account_uuid,
    caller: undefined,
    action: 'EDIT',
    type: 'User',
    objectUuid: userUuid,
    detail: { ...changes, by: 'identity provider' },
  })
}
