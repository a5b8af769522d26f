import { isRestriction, type PermissionSet } from '@hilum/contract/permissions'
import { ApiError } from '@hilum/contract/errors'
import { type FieldFlags, isWithinFields } from '@hilum/contract/study-field-access'
import type { Membership } from '../../access/caller.ts'
import { readStoredFieldFlags } from '../../access/stored-field-flags.ts'
import type { HeldRole } from '../role/role.sql.ts'

/** The permissions that somebody holds in an account and may therefore give. */
export type Own = Pick<Membership, 'permissions' | 'fieldFlags'>

/** Whether a role allows nothing that somebody does not hold: no grant beyond, and every restriction. */
export function isWithin(own: PermissionSet, role: readonly string[]): boolean {
  const held: ReadonlySet<string> = own
  const restrictions = [...own].filter(isRestriction)
  return role.every((one) => isRestriction(one) || held.has(one)) && restrictions.every((one) => role.includes(one))
}

/** As `isWithin`, with the fields of a study that are hidden from somebody or only read. */
export function isRoleWithin(own: Own, role: Pick<HeldRole, 'permissions' | 'field_flags'>): boolean {
  return (
    isWithin(own.permissions, role.permissions) &&
    isWithinFields(own.fieldFlags, readStoredFieldFlags(role.field_flags).flags)
  )
}

/**
 * A role that the caller may give here: nobody gives more than they hold.
 * @throws ApiError ROLE_NOT_FOUND, ROLE_NAMESPACE_MISMATCH, CAN_NOT_PROMOTE
 */
export function demandRole(own: Own, role: HeldRole | undefined, place: 'account' | 'group' | 'location'): HeldRole {
  if (!role) throw new ApiError('ROLE_NOT_FOUND')
  if (!role[`for_${place}`]) throw new ApiError('ROLE_NAMESPACE_MISMATCH', { subtype: 'INCOMPATIBLE_ROLE' })
  if (!isRoleWithin(own, role)) throw new ApiError('CAN_NOT_PROMOTE')
  return role
}

/**
 * Nobody makes a role that gives more than they hold, or changes one that does.
 * @throws ApiError NOT_PERMITTED with the subtype
 */
export function demandWithin(
  own: Own,
  { permissions, fields }: { permissions: readonly string[]; fields: FieldFlags },
  subtype: 'permissions' | 'ROLE_ABOVE',
): void {
  if (!isWithin(own.permissions, permissions) || !isWithinFields(own.fieldFlags, fields)) {
    throw new ApiError('NOT_PERMITTED', { subtype })
  }
}
