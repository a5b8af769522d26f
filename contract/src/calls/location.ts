import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { placeDetail, placeMember, placeObject } from '../entities/place.ts'
import * as wire from '../wire.ts'
import {
  addErrors,
  memberErrors,
  memberEvents,
  memberInput,
  memberList,
  onPlace,
  placeChange,
  placeFilters,
  placeSorts,
  setErrors,
} from './place-fields.ts'

export const locationList = defineCall({
  path: 'location/list',
  reads: true,
  summary: "Lists an account's locations: all of them with location_view, else the caller's own.",
  on: { kind: 'account', by: ['account_id'], may: 'enterPlace' },
  list: {
    object: 'location',
    rowsKey: 'locations',
    filters: placeFilters,
    sorts: placeSorts,
    defaultRows: 1000,
    customFields: true,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ locations: z.array(placeObject), page: wire.page }),
  errors: [],
})

export const locationGet = defineCall({
  path: 'location/get',
  reads: true,
  summary: 'Reads a location that the caller belongs to, or any of the account with location_view.',
  on: onPlace('seeLocation', 'location'),
  input: z.object({ uuid: wire.id() }),
  output: placeDetail,
  errors: [],
})

export const locationAdd = defineCall({
  path: 'location/add',
  once: {},
  takesCustomFields: true,
  summary:
    'Makes a location with a namespace of its own, and values of custom fields as customfield-{uuid}. Nobody belongs to it at first.',
  on: { kind: 'account', by: ['account_id'], may: 'editLocations' },
  input: z.object({ account_id: wire.id(), name: wire.text(), ...placeChange }),
  output: z.object({ uuid: z.string(), namespace_id: z.string() }),
  errors: addErrors,
})

export const locationSet = defineCall({
  path: 'location/set',
  takesCustomFields: true,
  summary:
    'Changes a location, and values of its custom fields as customfield-{uuid}. All of it is changed, or nothing. With seen, fields as they were read, customfield-{uuid} among them, a change by somebody else meanwhile answers STALE.',
  on: onPlace('editLocations', 'location'),
  input: z.object({ uuid: wire.id(), name: z.optional(wire.text()), ...placeChange, seen: wire.seen() }),
  output: wire.statusOnly,
  errors: setErrors,
})

export const locationDelete = defineCall({
  path: 'location/delete',
  summary:
    'Removes a location that holds no studies; deleted ones can be restored no more. IN_USE with the names in error_data where routing rules share with it (routes), groups nominate to it (groups), or destinations are limited to it (destinations).',
  on: onPlace('editLocations', 'location'),
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['IN_USE', 'NOT_EMPTY'],
})

export const locationUserList = defineCall({
  path: 'location/user/list',
  reads: true,
  summary: 'Lists the people of a location with their roles there.',
  on: onPlace('administerLocations', 'location'),
  list: memberList,
  input: z.object({ uuid: wire.id() }),
  output: z.object({ users: z.array(placeMember), page: wire.page }),
  errors: [],
})

export const locationUserAdd = defineCall({
  path: 'location/user/add',
  summary:
    'Puts a person of the account into a location, or changes the role there; without role_id the default holds, but for event flags alone, which leave the role of a member as it is. The event flags say of what in the location the person is mailed.',
  on: onPlace('editLocations', 'location'),
  input: z.object({ ...memberInput, ...memberEvents, role_id: z.optional(wire.id()) }),
  output: wire.statusOnly,
  errors: memberErrors,
})

export const locationUserDelete = defineCall({
  path: 'location/user/delete',
  summary: 'Takes a person out of a location.',
  on: onPlace('editLocations', 'location'),
  input: z.object(memberInput),
  output: wire.statusOnly,
  errors: [],
})
