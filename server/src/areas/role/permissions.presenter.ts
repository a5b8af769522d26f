import { type PermissionSet, permissions } from '@hilum/contract/permissions'

/** Every flag as 1 or 0. */
export function presentFlags(held: PermissionSet): Record<string, number> {
  return Object.fromEntries(permissions.map((name) => [name, held.has(name) ? 1 : 0]))
}

/** Every flag as 1 or 0, with the role that gives them; on one's own namespace there is no role. */
export function presentPermissions(given: { permissions: PermissionSet; roleUuid: string }) {
  return { ...presentFlags(given.permissions), role_id: given.roleUuid }
}
