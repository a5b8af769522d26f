import { type Act, type Held, mayDo, mayDoOnAll } from '@hilum/contract/acts'
import type { Permission } from '@hilum/contract/permissions'
import { useEstablished } from './session-store.ts'

/** Flags as the wire gives them: name → 1 or 0, and letters for fields of a study. */
type Flags = Readonly<Record<string, number | string>>

/** Rights from a reply's flags. */
export function heldBy(flags: Flags): Held {
  const held = Object.entries(flags).filter(([, flag]) => flag === 1)
  // a name this version does not know stands in no right
  return { permissions: new Set(held.map(([name]) => name as Permission)) }
}

/** Whether flags allow an act. */
export function may(act: Act, flags: Flags): boolean {
  return mayDo(act, heldBy(flags))
}

/** PERM-01: an act on several studies needs every one of them to grant it. */
export function mayOnAll(act: Act, flagsPerStudy: readonly Flags[]): boolean {
  return mayDoOnAll(act, flagsPerStudy.map(heldBy))
}

/** Whether a role leaves a field of a study to be changed, by the flags of the study. */
export function mayChangeField(field: string, flags: Flags): boolean {
  return !['O', 'H'].includes(String(flags[`study_field_${field}`]))
}

/**
 * Whether the person may do this: in a group or on a study by its own flags, else by those of the account.
 * Only for hiding what would be refused; the server decides again.
 */
export function useMay(act: Act, flags?: Flags): boolean {
  const { permissions } = useEstablished()
  return may(act, flags ?? permissions)
}

/** The two flags above all roles: of whoever looks after the installation. */
export function useIsOfSystem(): { isSystem: boolean; isSupporter: boolean } {
  const { user } = useEstablished()
  return { isSystem: user.sysadmin === 1, isSupporter: user.support === 1 }
}

/** PERM-02: administrators of the account, and the two system flags above all roles. */
export function useIsAdministrator(): boolean {
  const { user, permissions } = useEstablished()
  const acts = [
    'administerAccount',
    'administerUsers',
    'administerGroups',
    'administerLocations',
    'administerRoutes',
    'administerDestinations',
    'seeRetention',
  ] as const
  return user.sysadmin === 1 || user.support === 1 || acts.some((act) => may(act, permissions))
}
