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

/** A call or a route that the server decides by an act, which its declaration names. */
export interface Decided {
  on: { may: Act }
}

/** A call about links, as the server decides it for a place instead of a study. */
export function inPlace({ on }: { on: { mayInPlace: Act } }): Decided {
  return { on: { may: on.mayInPlace } }
}

/**
 * Whether flags allow a call or a route. The act comes from its declaration, so that no screen asks for another act than
 * the server will. `may` is for the acts that no declaration names: those that a handler decides by what was sent.
 */
export function mayCall({ on }: Decided, flags: Flags): boolean {
  return may(on.may, flags)
}

/** An act that a handler decides by what was sent, where calls and such acts stand in one table. */
export function decidedBy(act: Act): Decided {
  return { on: { may: act } }
}

/** Whether the flags of every study allow a call or a route (PERM-01). */
export function mayCallOnAll({ on }: Decided, flagsPerStudy: readonly Flags[]): boolean {
  return mayOnAll(on.may, flagsPerStudy)
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

/** `useMay` for a call or a route. */
export function useMayCall({ on }: Decided, flags?: Flags): boolean {
  return useMay(on.may, flags)
}

/** The two flags above all roles: of whoever looks after the installation. */
export function useIsOfSystem(): { isSystem: boolean; isSupporter: boolean } {
  const { user } = useEstablished()
  return { isSystem: user.sysadmin === 1, isSupporter: user.support === 1 }
}
