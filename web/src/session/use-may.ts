import { type Act, type Held, mayDo, mayDoOnAll } from '@hilum/contract/acts'
import type { Permission } from '@hilum/contract/permissions'
import { useEstablished } from './session-store.ts'

/** Flags as the wire gives them: name → 1 or 0, and letters for fields of a study. */
export type Flags = Readonly<Record<string, number | string>>

/** Rights from a reply's flags. */
function heldBy(flags: Flags): Held {
  const held = Object.entries(flags).filter(([, flag]) => flag === 1)
  // a name this version does not know stands in no right
  return { permissions: new Set(held.map(([name]) => name as Permission)) }
}

/** A call or a route that the server decides by an act, which its declaration names. */
export interface Decided {
  on: { may: Act }
}

/** A call about links, as the server decides it for a place instead of a study. */
export function inPlace({ on }: { on: { mayInPlace: Act } }): Decided {
  return { on: { may: on.mayInPlace } }
}

/** Beside the flags of a study: those of its account, and facts, for acts whose right names such. */
interface Beside {
  inAccount?: Flags
  facts?: Held['facts']
}

/**
 * Whether flags allow a call or a route, or with `partOf` a part of what a call may be sent. The act comes from the
 * declaration, so that no screen asks for another act than the server will.
 */
export function mayCall({ on }: Decided, flags: Flags, { inAccount, facts = new Set() }: Beside = {}): boolean {
  return mayDo(on.may, { ...heldBy(flags), ...(inAccount ? { inAccount: heldBy(inAccount).permissions } : {}), facts })
}

/** A part of a call's input that its handler decides by an act of its own, as the declaration names it. */
export function partOf<Part extends string>(
  { decides }: { decides: Readonly<Record<Part, Act>> },
  part: Part,
): Decided {
  return { on: { may: decides[part] } }
}

/** Whether the flags of every study allow a call or a route (PERM-01). */
export function mayCallOnAll({ on }: Decided, flagsPerStudy: readonly Flags[]): boolean {
  return mayDoOnAll(on.may, flagsPerStudy.map(heldBy))
}

/** Whether a role leaves a field of a study to be changed, by the flags of the study. */
export function mayChangeField(field: string, flags: Flags): boolean {
  return !['O', 'H'].includes(String(flags[`study_field_${field}`]))
}

/**
 * Whether the person may send this: in a group or on a study by its own flags, else by those of the account.
 * Only for hiding what would be refused; the server decides again.
 */
export function useMayCall(one: Decided, flags?: Flags): boolean {
  const { permissions } = useEstablished()
  return mayCall(one, flags ?? permissions)
}

/** Whether a supporter is signed in as the person (`by-proxy.ts` says what the server refuses then). */
export function useIsSupportSession(): boolean {
  return useEstablished().proxyName !== undefined
}

/** The two flags above all roles: of whoever looks after the installation. */
export function useIsOfSystem(): { isSystem: boolean; isSupporter: boolean } {
  const { user } = useEstablished()
  return { isSystem: user.sysadmin === 1, isSupporter: user.support === 1 }
}
