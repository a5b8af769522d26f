import type { shareKinds } from '@hilum/contract/calls/filter'
import type { Membership } from '../../access/caller.ts'

/** The recipients of a saved search. */
export interface SearchShareTarget {
  kind: (typeof shareKinds)[number]
  uuid: string
}

/** Everything by which somebody is meant: the person, the places that he belongs to, his roles there. */
export function targetsOf(userUuid: string, memberships: readonly Membership[]): SearchShareTarget[] {
  return [
    { kind: 'user', uuid: userUuid },
    ...memberships.flatMap((one): SearchShareTarget[] => {
      const role: SearchShareTarget[] = one.roleUuid ? [{ kind: 'role', uuid: one.roleUuid }] : []
      return one.kind === 'user' ? role : [{ kind: one.kind, uuid: one.ownerUuid }, ...role]
    }),
  ]
}
