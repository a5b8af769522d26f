import { type Action, accessRules, mayActOnAll, meets } from '@hilum/contract/access-rules'
import type { Permission, PermissionSet } from '@hilum/contract/permissions'
import { useEstablished } from './session-store.ts'

/** Flags as the wire gives them: name → 1 or 0, and letters for fields of a study. */
export type Flags = Readonly<Record<string, number | string>>

/** The held permissions of a reply's flags. */
export function toPermissionSet(flags: Flags): PermissionSet {
  const held = Object.entries(flags).filter(([, flag]) => flag === 1)
  return new Set(held.map(([name]) => name as Permission)) // a name this version does not know is asked by no rule
}

/** Whether flags allow an action. */
export function may(action: Action, flags: Flags): boolean {
  return meets(accessRules[action], toPermissionSet(flags))
}

/** PERM-01: an action on several studies needs every one of them to grant it. */
export function mayOnAll(action: Action, flagsPerStudy: readonly Flags[]): boolean {
  return mayActOnAll(action, flagsPerStudy.map(toPermissionSet))
}

/** Whether a role leaves a field of a study to be changed, by the flags of the study. */
export function mayChangeField(field: string, flags: Flags): boolean {
  return !['O', 'H'].includes(String(flags[`study_field_${field}`]))
}

/**
 * Whether the person may do this: in a group or on a study by its own flags, else by those of the account.
 * Only for hiding what would be refused; the server decides again.
 */
export function useMay(action: Action, flags?: Flags): boolean {
  const { permissions } = useEstablished()
  return may(action, flags ?? permissions)
}

/** PERM-02: administrators of the account, and the two system flags above all roles. */
export function useIsAdministrator(): boolean {
  const { user, permissions } = useEstablished()
  const actions = ['administerAccount', 'administerUsers', 'administerGroups', 'administerRoutes'] as const
  return user.sysadmin === 1 || user.support === 1 || actions.some((action) => may(action, permissions))
}
