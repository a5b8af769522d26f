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

export const groupList = defineCall({
  path: 'group/list',
  reads: true,
  summary: "Lists an account's groups: all of them with group_view, else the caller's own.",
  on: { kind: 'account', by: ['account_id'], may: 'enterPlace' },
  list: {
    object: 'group',
    rowsKey: 'groups',
    filters: placeFilters,
    sorts: placeSorts,
    defaultRows: 1000,
    customFields: true,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ groups: z.array(placeObject), page: wire.page }),
  errors: [],
})

export const groupGet = defineCall({
  path: 'group/get',
  reads: true,
  summary: 'Reads a group that the caller belongs to, or any of the account with group_view.',
  on: onPlace('seeGroup'),
  input: z.object({ uuid: wire.id() }),
  output: placeDetail,
  errors: [],
})

export const groupAdd = defineCall({
  path: 'group/add',
  once: {},
  takesCustomFields: true,
  summary:
    'Makes a group with a namespace of its own, and values of custom fields as customfield-{uuid}. Nobody belongs to it at first.',
  on: { kind: 'account', by: ['account_id'], may: 'editGroups' },
  input: z.object({ account_id: wire.id(), name: wire.text(), ...placeChange }),
  output: z.object({ uuid: z.string(), namespace_id: z.string() }),
  errors: addErrors,
})

export const groupSet = defineCall({
  path: 'group/set',
  takesCustomFields: true,
  summary:
    'Changes a group, and values of its custom fields as customfield-{uuid}. All of it is changed, or nothing. With seen, fields as they were read, customfield-{uuid} among them, a change by somebody else meanwhile answers STALE.',
  on: onPlace('editGroups'),
  input: z.object({ uuid: wire.id(), name: z.optional(wire.text()), ...placeChange, seen: wire.seen() }),
  output: wire.statusOnly,
  errors: setErrors,
})

export const groupDelete = defineCall({
  path: 'group/delete',
  summary:
    'Removes a group that holds no studies; deleted ones can be restored no more. IN_USE with the names in error_data where routing rules share with it (routes), groups nominate to it (groups), or destinations are limited to it (destinations).',
  on: onPlace('editGroups'),
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['IN_USE', 'NOT_EMPTY'],
})

export const groupUserList = defineCall({
  path: 'group/user/list',
  reads: true,
  summary: 'Lists the people of a group with their roles there.',
  on: onPlace('administerGroups'),
  list: memberList,
  input: z.object({ uuid: wire.id() }),
  output: z.object({ users: z.array(placeMember), page: wire.page }),
  errors: [],
})

export const groupUserAdd = defineCall({
  path: 'group/user/add',
  summary:
    'Puts a person of the account into a group, or changes the role there; without role_id the default holds, but for event flags alone, which leave the role of a member as it is. The event flags say of what in the group the person is mailed.',
  on: onPlace('editGroups'),
  input: z.object({ ...memberInput, ...memberEvents, role_id: z.optional(wire.id()) }),
  output: wire.statusOnly,
  errors: memberErrors,
})

export const groupUserDelete = defineCall({
  path: 'group/user/delete',
  summary: 'Takes a person out of a group.',
  on: onPlace('editGroups'),
  input: z.object(memberInput),
  output: wire.statusOnly,
  errors: [],
})
