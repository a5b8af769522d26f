import { type Designation, designations } from '@hilum/contract/inbox-config'
import type { PlaceKinds } from '../../../queries/account-groups.ts'

/** The right to open the page of each kind of place. */
export const administerActs = { groups: 'administerGroups', locations: 'administerLocations' } as const

/** The right to make, change and delete places of each kind, and to put people into them. */
export const editActs = { groups: 'editGroups', locations: 'editLocations' } as const

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
