import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'
import { settingsHash } from './place-fields.ts'

/** Where a role holds for everybody without a role of their own there. */
const defaultPlace = z.object({ type: z.enum(['account', 'group', 'location']), uuid: z.string(), name: z.string() })

const roleObject = z.object({
  uuid: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.string(),
  for_account: flagOut,
  for_group: flagOut,
  for_location: flagOut,
  /** Every flag as 1 or 0, the access to each field of a study as F, H, O or R, and `ui_json` as JSON text. */
  permissions: z.record(z.string(), z.union([z.number(), z.string()])),
  /** People who have the role, in the account, a group or a location. */
  user_count: z.number(),
})
const listedRole = z.extend(roleObject, {
  /** The role gives more than the caller holds, who may therefore not give the role. */
  is_above: flagOut,
})
export type Role = z.infer<typeof roleObject>

export const roleList = defineCall({
  path: 'role/list',
  reads: true,
  summary: 'Lists the roles of an account; is_above (ours) marks those that give more than the caller holds.',
  on: { kind: 'account', by: ['account_id'], may: 'seeRoles' },
  list: {
    object: 'role',
    rowsKey: 'roles',
    filters: {
      uuid: 'uuid',
      name: 'text',
      description: 'text',
      type: 'text',
      for_account: 'flag',
      for_group: 'flag',
      for_location: 'flag',
    },
    sorts: ['name', 'description', 'type', 'user_count'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ roles: z.array(listedRole), page: wire.page }),
  errors: [],
})

const ofRole = { kind: 'account', by: ['uuid'], owner: 'role' } as const

export const roleGet = defineCall({
  path: 'role/get',
  reads: true,
  summary: 'Reads a role.',
  on: { ...ofRole, may: 'seeRoles' },
  input: z.object({ uuid: wire.id() }),
  output: z.extend(roleObject, {
    default_of: z.array(defaultPlace),
    /** Settings of the account that the role sets otherwise (role/settings). */
    settings: z.record(z.string(), z.string()),
  }),
  errors: [],
})

const rolePerson = z.object({
  user_id: z.string(),
  user_name: z.string(),
  user_email: z.string(),
  disabled: flagOut,
  /** The account, group or location in which the person has the role. */
  place_type: z.enum(['account', 'group', 'location']),
  place_id: z.string(),
  place_name: z.string(),
})
export type RolePerson = z.infer<typeof rolePerson>

export const roleUserList = defineCall({
  path: 'role/user/list',
  reads: true,
  summary: 'Lists the people who have a role, each with the place in which they have it.',
  ours: true,
  on: { ...ofRole, may: 'seeRoles' },
  list: {
    object: 'user',
    rowsKey: 'users',
    filters: { user_name: 'text', user_email: 'text', place_name: 'text', place_type: 'text' },
    sorts: ['user_name', 'user_email', 'place_name'],
    defaultRows: 100,
  },
  input: z.object({ uuid: wire.id() }),
  output: z.object({ users: z.array(rolePerson), page: wire.page }),
  errors: [],
})

/** A flag by name, or of a role a partial set of them: flags 0 or 1, fields of a study F, H, O or R. */
const permissionSet = wire.json(z.record(z.string(), z.unknown()))
const places = {
  for_account: z.optional(wire.flag()),
  for_group: z.optional(wire.flag()),
  for_location: z.optional(wire.flag()),
}

export const roleAdd = defineCall({
  path: 'role/add',
  once: {},
  summary:
    'Makes a role, which gives no more than its maker holds. Without permissions it gets those of a user; what permissions do not name is off. Settings, also as setting_{name}, as role/settings takes them.',
  takesSettings: true,
  on: { kind: 'account', by: ['account_id'], may: 'editRoles' },
  decides: { settings: 'setRoleSettings' },
  input: z.object({
    account_id: wire.id(),
    name: wire.text(),
    description: z.optional(wire.clearableText()),
    ...places,
    permissions: z.optional(permissionSet),
    settings: z.optional(settingsHash),
  }),
  output: z.object({ uuid: z.string() }),
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ALREADY_EXISTS',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_JSON',
    'INVALID_PERMISSION',
    'INVALID_PERMISSION_VALUE',
    'INVALID_SETTING',
    'INVALID_SETTING_VALUE',
    'NO_ROLE_OVERRIDE',
  ],
})

export const roleSet = defineCall({
  path: 'role/set',
  summary:
    'Changes a role: the permissions that are named, at once also in open sessions. Nobody gives more than they hold, or takes from a role that allows more. Settings, also as setting_{name}, as role/settings takes them. With seen, fields as they were read, a change by somebody else meanwhile answers STALE.',
  takesPermissions: true,
  takesSettings: true,
  on: { ...ofRole, may: 'editRoles' },
  asks: { settings: 'setRoleSettings' },
  input: z.object({
    uuid: wire.id(),
    name: z.optional(wire.text()),
    description: z.optional(wire.clearableText()),
    ...places,
    permissions: z.optional(permissionSet),
    settings: z.optional(settingsHash),
    seen: wire.seen(),
  }),
  output: wire.statusOnly,
  errors: [
    'ALREADY_EXISTS',
    'IN_USE',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_JSON',
    'INVALID_PERMISSION',
    'INVALID_PERMISSION_VALUE',
    'INVALID_SETTING',
    'INVALID_SETTING_VALUE',
    'NO_OTHER_ROLE_EDIT',
    'NO_ROLE_OVERRIDE',
    'STALE',
  ],
})

export const roleDelete = defineCall({
  path: 'role/delete',
  summary:
    'Removes a role that nobody has, that is no default, that no rule of sign-in gives, and that starts no routing rule by hand (IN_USE with the subtype route and their names in error_data).',
  on: { ...ofRole, may: 'editRoles' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['IN_USE'],
})

export const roleDefaultPermissions = defineCall({
  path: 'role/default/permissions',
  reads: true,
  summary: 'Tells of each permission whether an administrator and whether a user has it at first.',
  on: { kind: 'caller' },
  input: z.object({ account_id: z.optional(wire.id()) }),
  output: z.object({ permissions: z.record(z.string(), z.array(flagOut)) }),
  errors: [],
})
