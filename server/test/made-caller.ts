import type { Permission } from '@hilum/contract/permissions'
import type { Caller, Membership } from '../src/access/caller.ts'

/** A place that somebody belongs to, with what the role there allows. */
export function madeMembership(
  namespaceUuid: string,
  held: readonly Permission[],
  more: Partial<Membership> = {},
): Membership {
  return {
    namespaceUuid,
    kind: 'group',
    ownerUuid: `owner of ${namespaceUuid}`,
    accountUuid: 'account',
    name: namespaceUuid,
    roleUuid: 'role',
    permissions: new Set(held),
    inAccount: new Set(),
    fieldFlags: {},
    ...more,
  }
}

/** A caller who belongs to these places; for rules that ask nothing else. */
export function madeCaller(memberships: readonly Membership[], more: Partial<Caller> = {}): Caller {
  return {
    kind: 'user',
    sessionUuid: 'session',
    userUuid: 'user',
    name: 'Ada Reader',
    email: 'ada@hospital.example',
    namespaceUuid: 'own',
    sysadmin: false,
    support: false,
    timeZone: '',
    sidMd5: '',
    clientAddress: '127.0.0.1',
    askedAt: 0,
    memberships: async () => memberships,
    ...more,
  }
}
