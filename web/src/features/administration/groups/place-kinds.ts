import { groupSet, groupUserList } from '@hilum/contract/calls/group'
import { locationSet, locationUserList } from '@hilum/contract/calls/location'
import { type Designation, designations } from '@hilum/contract/inbox-config'
import type { PlaceKinds } from '../../../queries/account-groups.ts'

/** The call behind the page of each kind of place, whose right opens the page. */
export const membersCalls = { groups: groupUserList, locations: locationUserList } as const

/** The call that changes a place of each kind; its right makes and deletes places, and puts people into them, too. */
export const setCalls = { groups: groupSet, locations: locationSet } as const

/** The part of the address that names the place whose people are shown. */
export const placeParameters = { groups: 'group', locations: 'location' } as const

/** No location is a gatekeeper. */
export function designationsOf(of: PlaceKinds): readonly Designation[] {
  return of === 'groups' ? designations : designations.filter((one) => one !== 'GATEKEEPER')
}

/** Whether a role may be given in places of a kind. */
export function fitsPlace(of: PlaceKinds, role: { for_group: number; for_location: number }): boolean {
  return (of === 'groups' ? role.for_group : role.for_location) === 1
}
