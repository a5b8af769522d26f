import { type Act, factsOf, mayDo } from '@hilum/contract/acts'
import type { AnyCall } from '@hilum/contract/call'
import { ApiError } from '@hilum/contract/errors'
import type { Db } from '../db/database.ts'
import type { Caller, Membership } from './caller.ts'
import { findGroupNamespace } from './group.sql.ts'
import { listAccountsOfPerson } from './person.sql.ts'
import { findOwningAccount } from './owning-account.sql.ts'
import { openStudyRecord, type StudyAccess } from './study-access.ts'
import { findStudyOfLink } from './study-of-link.sql.ts'
import { type StudyScope, visibleStudies } from './study-scope.ts'

/** Rows that a handler is given of the subject of its call, by the kind that the call declares. */
export interface Resolved {
  anyone: undefined
  caller: undefined
  /** The caller's membership of the account. */
  account: Membership
  group: { groupUuid: string; accountUuid: string; membership: Membership | undefined }
  /** The person, and the caller's memberships of the accounts of both in which the act is allowed. */
  user: { userUuid: string; places: readonly Membership[] }
  namespace: Membership
  study: StudyAccess
  studies: StudyScope
}

/**
 * Finds whom the call acts on and refuses what the caller may not see (NOT_FOUND, like the unknown) or not do
 * (NOT_PERMITTED). No handler runs before.
 */
export async function resolveSubject(
  db: Db,
  call: AnyCall,
  caller: Caller,
  input: Record<string, unknown>,
): Promise<Resolved[keyof Resolved]> {
  const on = call.on
  switch (on.kind) {
    case 'anyone':
    case 'caller':
      return undefined
    case 'studies':
      return visibleStudies(caller)
    case 'study':
      return on.owner
        ? openStudyOfLink(db, caller, namedBy(input, on.by), on.may)
        : openStudyRecord(db, caller, { ...pickTriplet(input), uuid: firstOf(input, on.by) }, on.may, on.deletedToo)
    case 'account': {
      const named = namedBy(input, on.by)
      const uuid = on.owner ? await findOwningAccount(db, on.owner, named) : named
      return member(caller, (one) => one.kind === 'account' && one.ownerUuid === uuid, on.may)
    }
    case 'user':
      return openPerson(db, caller, namedBy(input, on.by), on.may)
    case 'namespace': {
      const uuid = namedBy(input, on.by)
      return member(caller, (one) => one.namespaceUuid === uuid, on.may, call.errors.includes('NAMESPACE_NOT_FOUND'))
    }
    case 'group':
      return openGroup(db, caller, namedBy(input, on.by), on.may)
  }
}

/** The record that a link shows; a link whose record the caller may not see is not there. */
async function openStudyOfLink(db: Db, caller: Caller, linkUuid: string, act: Act): Promise<StudyAccess> {
  const uuid = await findStudyOfLink(db, linkUuid)
  if (!uuid) throw new ApiError('NOT_FOUND')
  return openStudyRecord(db, caller, { uuid }, act)
}

async function member(
  caller: Caller,
  matches: (one: Membership) => boolean,
  act: Act,
  saysNamespace = false,
): Promise<Membership> {
  const found = (await caller.memberships()).find(matches)
  if (!found) throw new ApiError(saysNamespace ? 'NAMESPACE_NOT_FOUND' : 'NOT_FOUND')
  if (!mayDo(act, found)) throw new ApiError('NOT_PERMITTED')
  return found
}

/** Somebody who may do the act nowhere is refused before the person is looked for, so that the answer tells of nobody. */
async function openPerson(db: Db, caller: Caller, userUuid: string, act: Act) {
  const accounts = (await caller.memberships()).filter((one) => one.kind === 'account')
  if (accounts.length === 0) throw new ApiError('NOT_FOUND')
  if (!accounts.some((one) => mayDo(act, one))) throw new ApiError('NOT_PERMITTED')
  const ofPerson = new Set(await listAccountsOfPerson(db, userUuid))
  const shared = accounts.filter((one) => ofPerson.has(one.ownerUuid))
  if (shared.length === 0) throw new ApiError('NOT_FOUND')
  const places = shared.filter((one) => mayDo(act, one))
  if (places.length === 0) throw new ApiError('NOT_PERMITTED')
  return { userUuid, places }
}

/** A group is visible to its members, and to who may view all groups of its account. */
async function openGroup(db: Db, caller: Caller, groupUuid: string, act: Act) {
  const memberships = await caller.memberships()
  const membership = memberships.find((one) => one.kind === 'group' && one.ownerUuid === groupUuid)
  const accountUuid = membership?.accountUuid ?? (await findGroupNamespace(db, groupUuid))?.account_uuid
  const account = memberships.find((one) => one.kind === 'account' && one.ownerUuid === accountUuid)
  if (!accountUuid || !account) throw new ApiError('NOT_FOUND')
  const held = { ...account, facts: factsOf({ member: membership !== undefined }) }
  if (!mayDo('seeGroup', held)) throw new ApiError('NOT_FOUND')
  if (!mayDo(act, held)) throw new ApiError('NOT_PERMITTED')
  return { groupUuid, accountUuid, membership }
}

/**
 * The value of the first of these fields that was sent.
 * @throws ApiError INVALID_FIELD naming a field that was sent with another value
 */
function firstOf(input: Record<string, unknown>, names: readonly string[]): string | undefined {
  const sent = names.filter((name) => typeof input[name] === 'string' && input[name])
  const [first, ...others] = sent
  const other = others.find((name) => first !== undefined && input[name] !== input[first])
  if (other) throw new ApiError('INVALID_FIELD', { subtype: other })
  return first === undefined ? undefined : String(input[first])
}
function namedBy(input: Record<string, unknown>, names: readonly string[]): string {
  const found = firstOf(input, names)
  if (!found) throw new ApiError('MISSING_FIELDS', { subtype: [names[0] ?? 'uuid'] })
  return found
}
function pickTriplet(input: Record<string, unknown>) {
  const read = (name: string) => firstOf(input, [name])
  return {
    study_uid: read('study_uid'),
    storage_namespace: read('storage_namespace'),
    phi_namespace: read('phi_namespace'),
  }
}
