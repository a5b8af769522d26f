import {
  groupAdd,
  groupDelete,
  groupGet,
  groupList,
  groupSet,
  groupUserAdd,
  groupUserDelete,
  groupUserList,
} from '@hilum/contract/calls/group'
import {
  locationAdd,
  locationDelete,
  locationGet,
  locationList,
  locationSet,
  locationUserAdd,
  locationUserDelete,
  locationUserList,
} from '@hilum/contract/calls/location'
import type { OutputOf } from '@hilum/contract/call'
import type { Place } from '@hilum/contract/entities/place'
import { callApi, type ListParameters } from '../api/call-api.ts'

/** The kinds of places that administrators make; each has its page, its rights, its texts and its calls. */
export type PlaceKinds = 'groups' | 'locations'

/** The calls of each kind. Their fields are the same. */
export const placeCalls = {
  groups: {
    get: groupGet,
    add: groupAdd,
    set: groupSet,
    remove: groupDelete,
    listUsers: groupUserList,
    addUser: groupUserAdd,
    removeUser: groupUserDelete,
  },
  locations: {
    get: locationGet,
    add: locationAdd,
    set: locationSet,
    remove: locationDelete,
    listUsers: locationUserList,
    addUser: locationUserAdd,
    removeUser: locationUserDelete,
  },
} as const

/** A page of the places of an account. The two calls name their rows differently. */
export async function fetchPlaces(
  of: PlaceKinds,
  accountId: string,
  options: { signal: AbortSignal; list: ListParameters },
): Promise<{ rows: Place[]; page: OutputOf<typeof groupList>['page'] }> {
  const asked = { account_id: accountId }
  if (of === 'locations') {
    const { locations, page } = await callApi(locationList, asked, options)
    return { rows: locations, page }
  }
  const { groups, page } = await callApi(groupList, asked, options)
  return { rows: groups, page }
}
