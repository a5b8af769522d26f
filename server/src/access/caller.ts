import type { FieldFlags } from '@hilum/contract/study-field-access'
import type { PermissionSet } from '@hilum/contract/permissions'

export type NamespaceKind = 'account' | 'group' | 'location' | 'user'

/** A namespace that a user belongs to, and what the role there allows. */
export interface Membership {
  namespaceUuid: string
  kind: NamespaceKind
  /** The account, group, location or user that owns the namespace. */
  ownerUuid: string
  accountUuid: string
  name: string
  roleUuid: string
  permissions: PermissionSet
  /** What the role, and over it the namespace, leaves of a study's fields; mostly empty, which is all. */
  fieldFlags: FieldFlags
}

/** Who asks: a user in a session. Made only by `find-caller.ts`. */
export interface Caller {
  sessionUuid: string
  userUuid: string
  name: string
  email: string
  /** The personal namespace. */
  namespaceUuid: string
  sysadmin: boolean
  support: boolean
  timeZone: string
  /** Hex MD5 of the sid, by which a page knows its own events. */
  sidMd5: string
  /** Set in a derived session: the only study records it may read. */
  derivedStudies?: ReadonlySet<string>
  clientAddress: string
  /** As they were when the session was looked up. */
  memberships: () => Promise<readonly Membership[]>
}
