import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/** Key of a configuration for the client's own use, e.g. the form as it was filled; the search takes no notice of it. */
export const filterClientKey = 'web'

/** A saved search: expressions that all hold, e.g. `{"patient_name.like": "%muller%"}`, or saved searches of which one holds. */
const filterConfiguration = z.union([z.record(z.string(), z.unknown()), z.array(z.string())])

/**
 * Types of saved searches. A Link is a search of studies whose address was given away: every member of its account who
 * has the uuid may use it, within what they may see; only its owner finds it in the list.
 */
export const filterTypes = ['Study', 'Link'] as const

const filterObject = z.object({
  uuid: z.string(),
  name: z.string(),
  type: z.enum(filterTypes),
  configuration: filterConfiguration,
  /** The user who made it. */
  owner: z.string(),
  owner_name: z.string(),
  account_id: z.nullable(z.string()),
  /** The group or account whose members see it; null when it is the owner's alone. */
  namespace_id: z.nullable(z.string()),
  /** Whether the caller may rename, change and delete it. */
  is_mine: z.number(),
  may_edit: z.number(),
})
export type SavedSearch = z.infer<typeof filterObject>

export const filterList = defineCall({
  path: 'filter/list',
  reads: true,
  summary: "Lists the saved searches: the caller's own and those of the caller's groups and accounts.",
  on: { kind: 'caller' },
  list: {
    object: 'filter',
    rowsKey: 'filters',
    filters: { uuid: 'uuid', name: 'text', type: 'exact', namespace_id: 'uuid', owner: 'uuid' },
    sorts: ['name', 'created'],
    defaultRows: 1000,
  },
  input: z.object({ type: z.optional(wire.oneOf(filterTypes, 'INVALID_TYPE')), account_id: z.optional(wire.id()) }),
  output: z.object({ filters: z.array(filterObject), page: wire.page }),
  errors: ['INVALID_TYPE'],
})

/** Most letters of a name. */
export const maxFilterName = 200

export const filterAdd = defineCall({
  path: 'filter/add',
  once: {},
  summary: 'Saves a search for the caller, or with namespace_id for a group or an account.',
  on: { kind: 'caller' },
  decides: { namespace_id: 'shareSearch' },
  input: z.object({
    name: wire.text(),
    type: wire.oneOf(filterTypes, 'INVALID_TYPE'),
    configuration: wire.json(z.unknown()),
    account_id: z.optional(wire.id()),
    namespace_id: z.optional(wire.id()),
  }),
  output: z.object({ uuid: z.string() }),
  errors: ['INVALID_CONFIG', 'INVALID_TYPE', 'INVALID_FIELD', 'INVALID_JSON'],
})

export const filterGet = defineCall({
  path: 'filter/get',
  reads: true,
  summary: 'Reads a saved search that the caller may see.',
  on: { kind: 'caller' },
  input: z.object({ uuid: wire.id() }),
  output: filterObject,
  errors: [],
})

export const filterSet = defineCall({
  path: 'filter/set',
  summary: 'Renames or changes a saved search; an empty namespace_id makes it the owner’s alone.',
  on: { kind: 'caller' },
  decides: { namespace_id: 'shareSearch' },
  input: z.object({
    uuid: wire.id(),
    name: z.optional(wire.text()),
    type: z.optional(wire.oneOf(filterTypes, 'INVALID_TYPE')),
    configuration: z.optional(wire.json(z.unknown())),
    account_id: z.optional(wire.id()),
    namespace_id: z.optional(wire.naming(wire.clearableText())),
  }),
  output: z.object({ uuid: z.string() }),
  errors: ['INVALID_CONFIG', 'INVALID_TYPE', 'INVALID_FIELD', 'INVALID_JSON'],
})

export const filterDelete = defineCall({
  path: 'filter/delete',
  summary: 'Removes a saved search.',
  on: { kind: 'caller' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: [],
})

/** Recipients that a saved search can be shared with, each named by `{kind}_id`. */
export const shareKinds = ['account', 'location', 'group', 'user', 'role'] as const
const shareTarget = {
  account_id: z.optional(wire.id()),
  location_id: z.optional(wire.id()),
  group_id: z.optional(wire.id()),
  user_id: z.optional(wire.id()),
  role_id: z.optional(wire.id()),
}

export const filterShare = defineCall({
  path: 'filter/share',
  summary: 'Shows a saved search to one more account, location, group, user or role; sharing again changes nothing.',
  on: { kind: 'caller' },
  decides: { target: 'shareSearch' },
  input: z.object({ uuid: wire.id(), ...shareTarget }),
  output: wire.statusOnly,
  errors: ['INVALID_PARAMETERS'],
})

export const filterShareStop = defineCall({
  path: 'filter/share/stop',
  summary: 'Takes a saved search away from those that it was shared with.',
  on: { kind: 'caller' },
  input: z.object({ uuid: wire.id(), ...shareTarget }),
  output: wire.statusOnly,
  errors: ['INVALID_PARAMETERS'],
})

export const filterShareList = defineCall({
  path: 'filter/share/list',
  reads: true,
  summary: 'Lists with whom a saved search is shared, for those who may change it.',
  on: { kind: 'caller' },
  input: z.object({ uuid: wire.id() }),
  output: z.object({
    account_id: z.array(z.string()),
    location_id: z.array(z.string()),
    group_id: z.array(z.string()),
    user_id: z.array(z.string()),
    role_id: z.array(z.string()),
  }),
  errors: [],
})
