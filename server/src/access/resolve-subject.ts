import { type Act, factsOf, mayDo } from '@hilum/contract/acts'
import type { AnyCall } from '@hilum/contract/call'
import { ApiError } from '@hilum/contract/errors'
import type { Db } from '../db/database.ts'
import type { Caller, Membership } from './caller.ts'
import { findGroupNamespace } from './group.sql.ts'
import { listAccountsOfPerson } from './person.sql.ts'
import { findOwningAccount } from './owning-account.sql.ts'
import { openStudyRecord, type StudyAccess } from './study-access.ts'
import { findPlaceOfLink } from './place-of-link.sql.ts'
import { findPlaceOfSearch } from './place-of-search.sql.ts'
import { placesOfAccount } from './places-of-account.ts'
import { type StudyScope, visibleStudies } from './study-scope.ts'

/** Rows that a handler is given of the subject of its call, by the kind that the call declares. */
export interface Resolved {
  anyone: undefined
  caller: undefined
  /** The caller's membership of the account. */
  account: Membership
  group: {
    groupUuid: string
    kind: 'group' | 'location'
    accountUuid: string
    membership: Membership | undefined
    /** The caller's membership of the account. */
    account: Membership
  }
  /** The person, and the caller's memberships of the accounts of both in which the act is allowed. */
  user: { userUuid: string; places: readonly Membership[] }
  namespace: Membership
  study: StudyAccess
  studies: StudyScope
  system: undefined
  link: LinkPlace
}

/** The purpose of a link: a study that it shows, or places that it asks studies for. */
export type LinkPlace = { kind: 'study'; access: StudyAccess } | { kind: 'places'; places: readonly Membership[] }

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
    case 'system':
      if (!caller.sysadmin && !(on.flag === 'support' && caller.support)) throw new ApiError('NOT_PERMITTED')
      return undefined
    case 'studies':
      return visibleStudies(caller)
    case 'study':
      return openStudyRecord(db, caller, { ...pickTriplet(input), uuid: firstOf(input, on.by) }, on.may, on.deletedToo)
    case 'link':
      return openLinkPlace(db, caller, on, input)
    case 'account': {
      const named = namedBy(input, on.by)
      const uuid = on.owner ? await findOwningAccount(db, on.owner, named) : named
      if (on.owner === 'namespace' && !(await mayKnowPlace(caller, named, on.may))) throw new ApiError('NOT_FOUND')
      const unknown = call.errors.includes('ACCOUNT_NOT_FOUND') ? 'ACCOUNT_NOT_FOUND' : 'NOT_FOUND'
      const inPlaces = on.mayInPlace && uuid ? await placesOfAccount(caller, uuid, on.mayInPlace) : []
      const act = inPlaces.length > 0 ? 'enterPlace' : on.may
      return member(caller, (one) => one.kind === 'account' && one.ownerUuid === uuid, act, unknown)
    }
    case 'user':
      return openPerson(db, caller, namedBy(input, on.by), on.may)
    case 'namespace': {
      if (on.elseAccountOf && !firstOf(input, on.by)) {
        const account = await findOwningAccount(db, on.elseAccountOf, namedBy(input, ['uuid']))
        return member(caller, (one) => one.kind === 'account' && one.ownerUuid === account, on.may)
      }
      const named = namedBy(input, on.by)
      const uuid = on.owner ? await findPlaceOfSearch(db, named) : named
      const unknown = call.errors.includes('NAMESPACE_NOT_FOUND') ? 'NAMESPACE_NOT_FOUND' : 'NOT_FOUND'
      return member(caller, (one) => one.namespaceUuid === uuid, on.may, unknown)
    }
    case 'group':
      return openGroup(db, caller, namedBy(input, on.by), on.may, on.of ?? 'group')
  }
}

/**
 * The place of a link that exists, or of one to be made. A link whose place the caller may not see is not there.
 * @throws ApiError MISSING_FIELDS where nothing is named, INVALID_FIELD where two things are
 */
async function openLinkPlace(
  db: Db,
  caller: Caller,
  on: Extract<AnyCall['on'], { kind: 'link' }>,
  input: Record<string, unknown>,
): Promise<LinkPlace> {
  const [name, second] = on.by.filter((one) => typeof input[one] === 'string' && input[one])
  if (!name) throw new ApiError('MISSING_FIELDS', { subtype: [on.by[0] ?? 'uuid'] })
  if (second) throw new ApiError('INVALID_FIELD', { subtype: second })
  const uuid = String(input[name])
  if (name === 'account_id') {
    await member(caller, (one) => one.kind === 'account' && one.ownerUuid === uuid, 'enterPlace')
    const places = await placesOfAccount(caller, uuid, on.mayInPlace)
    if (places.length === 0) throw new ApiError('NOT_PERMITTED')
    return { kind: 'places', places }
  }
  const named =
    name === 'uuid'
      ? await findPlaceOfLink(db, uuid)
      : name === 'study_id'
        ? { study_uuid: uuid, namespace_uuid: null }
        : { study_uuid: null, namespace_uuid: uuid }
  if (named?.study_uuid) {
    return { kind: 'study', access: await openStudyRecord(db, caller, { uuid: named.study_uuid }, on.may) }
  }
  if (!named?.namespace_uuid) throw new ApiError('NOT_FOUND')
  const { namespace_uuid: place } = named
  return { kind: 'places', places: [await member(caller, (one) => one.namespaceUuid === place, on.mayInPlace)] }
}

/** Places of an account are known to those who belong to them, and to whoever may do the act in an account. */
async function mayKnowPlace(caller: Caller, named: string, act: Act): Promise<boolean> {
  return (await caller.memberships()).some(
    (one) => one.namespaceUuid === named || one.ownerUuid === named || (one.kind === 'account' && mayDo(act, one)),
  )
}

async function member(
  caller: Caller,
  matches: (one: Membership) => boolean,
  act: Act,
  unknown: 'NOT_FOUND' | 'ACCOUNT_NOT_FOUND' | 'NAMESPACE_NOT_FOUND' = 'NOT_FOUND',
): Promise<Membership> {
  const found = (await caller.memberships()).find(matches)
  if (!found) throw new ApiError(unknown)
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

/** A group or location is visible to its members, and to those who may view all of its account. */
async function openGroup(db: Db, caller: Caller, groupUuid: string, act: Act, kind: 'group' | 'location') {
  const memberships = await caller.memberships()
  const membership = memberships.find((one) => one.kind === kind && one.ownerUuid === groupUuid)
  const accountUuid = membership?.accountUuid ?? (await findGroupNamespace(db, groupUuid, kind))?.account_uuid
  const account = memberships.find((one) => one.kind === 'account' && one.ownerUuid === accountUuid)
  if (!accountUuid || !account) throw new ApiError('NOT_FOUND')
  const held = { ...account, facts: factsOf({ member: membership !== undefined }) }
  if (!mayDo(kind === 'group' ? 'seeGroup' : 'seeLocation', held)) throw new ApiError('NOT_FOUND')
  if (!mayDo(act, held)) throw new ApiError('NOT_PERMITTED')
  return { groupUuid, kind, accountUuid, membership, account }
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
