import { isRestriction, type PermissionSet } from '@hilum/contract/permissions'
import { ApiError } from '@hilum/contract/errors'
import type { HeldRole } from '../role/role.sql.ts'

/** Whether a role allows nothing that somebody does not hold: no grant beyond, and every restriction. */
export function isWithin(own: PermissionSet, role: readonly string[]): boolean {
  const held: ReadonlySet<string> = own
  const restrictions = [...own].filter(isRestriction)
  return role.every((one) => isRestriction(one) || held.has(one)) && restrictions.every((one) => role.includes(one))
}

/**
 * A role that the caller may give here: nobody gives more than they hold.
 * @throws ApiError ROLE_NOT_FOUND, ROLE_NAMESPACE_MISMATCH, CAN_NOT_PROMOTE
 */
export function demandRole(own: PermissionSet, role: HeldRole | undefined, place: 'account' | 'group'): HeldRole {
  if (!role) throw new ApiError('ROLE_NOT_FOUND')
  if (!(place === 'account' ? role.for_account : role.for_group)) {
    throw new ApiError('ROLE_NAMESPACE_MISMATCH', { subtype: 'INCOMPATIBLE_ROLE' })
  }
  if (!isWithin(own, role.permissions)) throw new ApiError('CAN_NOT_PROMOTE')
  return role
}
