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
  /** Permissions of the role in the namespace's account. */
  inAccount: PermissionSet
  /** Flags on a study's fields, of the role and over it of the namespace; mostly empty, which is full access. */
  fieldFlags: FieldFlags
}

/** An asker: a caller of calls, or somebody without a login who opened a link. Made only by `find-caller.ts`. */
export type Asker = Caller | LinkCaller

/** Somebody who opened a link: reads the studies of the link, as far as its rights go, until its end. Opens no call. */
export interface LinkCaller extends Session {
  kind: 'link'
  linkUuid: string
  derivedStudies: ReadonlySet<string>
}

/** A user in a session, or a program with a key of that user. */
export interface Caller extends Session {
  /** A program with a key acts in its user's name, as far as the key's scope goes, and changes nothing of the user. */
  kind: 'user' | 'key'
  userUuid: string
  email: string
  /** The personal namespace. */
  namespaceUuid: string
  /** Neither flag counts for a key, nor while a supporter is signed in as the person. */
  sysadmin: boolean
  support: boolean
  timeZone: string
  /** The supporter who is signed in as the person, in one account alone. */
  proxy?: { userUuid: string; name: string }
}

interface Session {
  sessionUuid: string
  name: string
  /** Hex MD5 of the sid, by which a page knows its own events. */
  sidMd5: string
  /** Set in a derived session and in that of a link: the only study records it may read. */
  derivedStudies?: ReadonlySet<string>
  clientAddress: string
  /** When the session was looked up (`performance.now()`). */
  askedAt: number
  /** As they were when the session was looked up. */
  memberships: () => Promise<readonly Membership[]>
}

/** Id of the user or link that the audit names, and whose rights keep connections open. */
export function actorOf(asker: Pick<Caller, 'kind' | 'userUuid'> | Pick<LinkCaller, 'kind' | 'linkUuid'>): string {
  return asker.kind === 'link' ? asker.linkUuid : asker.userUuid
}
