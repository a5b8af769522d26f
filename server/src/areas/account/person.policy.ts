import { ApiError } from '@hilum/contract/errors'
import { isMailable } from '@hilum/contract/mail-address'
import { isWithinFields } from '@hilum/contract/study-field-access'
import type { Caller } from '../../access/caller.ts'
import { readStoredFieldFlags } from '../../access/stored-field-flags.ts'
import { findProfileFault } from '../user/profile.policy.ts'
import type { RoleRights, Member } from './member.sql.ts'
import { isWithin, type Own } from './promotion.policy.ts'

/** No address that a mail server takes is longer (RFC 5321 §4.5.3.1). */
const longestEmail = 254

/**
 * @param prefix of the call's own fields for the names
 * @throws ApiError MISSING_FIELDS, INVALID_FIELD, INVALID_EMAIL
 */
export function demandPerson(
  { first, last, email }: { first: string; last: string; email: string },
  prefix: '' | 'administrator_' = '',
): void {
  if (!first && !last) throw new ApiError('MISSING_FIELDS', { subtype: [`${prefix}first`] })
  // one of the two names may be missing here
  const fault = findProfileFault({ ...(first ? { first } : {}), ...(last ? { last } : {}) })
  if (fault) throw new ApiError('INVALID_FIELD', { subtype: `${prefix}${fault.field}` })
  if (!isMailable(email) || email.length > longestEmail) throw new ApiError('INVALID_EMAIL')
}

/**
 * Nobody changes, disables or removes a person who may do more: with the person's e-mail address, say, would come the
 * person's password.
 * @throws ApiError NOT_PERMITTED
 */
export function demandNotAbove(own: Own, person: PersonRights, caller: Pick<Caller, 'sysadmin'>): void {
  if (isAbove(own, person, caller)) throw new ApiError('NOT_PERMITTED', { subtype: 'ROLE_ABOVE' })
}

type PersonRights = Pick<Member, 'is_operator' | 'roles' | 'place_flags'>

/**
 * Whether a person may do more than the caller: somewhere in the account, its groups or locations by a role, or in the
 * whole installation by a flag of the system.
 */
export function isAbove(own: Own, person: PersonRights, caller: Pick<Caller, 'sysadmin'>): boolean {
  if (person.is_operator && !caller.sysadmin) return true
  return !areRolesWithin(own, person.roles, person.place_flags)
}

/**
 * Whether roles of an account allow nothing that somebody does not hold there.
 * @param placeFlags of the account's own inbox, which hide fields whatever the role is
 */
export function areRolesWithin(own: Own, roles: readonly RoleRights[], placeFlags: string | null): boolean {
  const { flags: ofPlace } = readStoredFieldFlags(placeFlags)
  return roles.every((role) => {
    const flags = { ...readStoredFieldFlags(role.field_flags).flags, ...ofPlace }
    return isWithin(own.permissions, role.permissions) && isWithinFields(own.fieldFlags, flags)
  })
}
