import { ApiError } from '@hilum/contract/errors'
import { permissionDefaults, type Permission, permissions } from '@hilum/contract/permissions'
import type { FieldAccess } from '@hilum/contract/study-field-access'
import { readStoredFieldFlags } from '../../access/stored-field-flags.ts'
import type { PermissionChange } from './read-permissions.ts'
import type { RoleRow } from './role.sql.ts'

/** The permissions of a role, as they are stored. */
export interface Given {
  permissions: readonly Permission[]
  fields: Readonly<Record<string, FieldAccess>>
  uiJson: string
}

/** The first permissions of a role of type user. */
export const userDefaults: Given = {
  permissions: permissions.filter((name) => permissionDefaults[name].user === 1),
  fields: {},
  uiJson: '',
}
export const nothing: Given = { permissions: [], fields: {}, uiJson: '' }

export function givenBy(row: RoleRow): Given {
  const given = new Set(row.permissions)
  return {
    permissions: permissions.filter((name) => given.has(name)),
    fields: readStoredFieldFlags(row.field_flags).flags,
    uiJson: row.ui_json ?? '',
  }
}

/**
 * The permissions of a role after a change, in the order of the table of permissions. Full access to a field is not
 * kept.
 */
export function withChange(before: Given, change: PermissionChange): Given {
  const held = new Set(before.permissions)
  for (const [name, isOn] of change.flags) {
    if (isOn) held.add(name)
    else held.delete(name)
  }
  const fields = Object.entries({ ...before.fields, ...Object.fromEntries(change.fields) })
  return {
    permissions: permissions.filter((name) => held.has(name)),
    fields: Object.fromEntries(fields.filter(([, access]) => access !== 'F')),
    uiJson: change.uiJson ?? before.uiJson,
  }
}

/** Flags and fields in which two differ, with the old and the new value, for the record. */
export function differences(before: Given, after: Given): Record<string, [unknown, unknown]> {
  const [was, is] = [new Set(before.permissions), new Set(after.permissions)]
  const flags = permissions
    .filter((name) => was.has(name) !== is.has(name))
    .map((name) => [name, [Number(was.has(name)), Number(is.has(name))]] as const)
  const fields = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])]
    .map((name) => [name, [before.fields[name] ?? 'F', after.fields[name] ?? 'F']] as const)
    .filter(([, [old, now]]) => old !== now)
  const ui = before.uiJson === after.uiJson ? [] : [['ui_json', [before.uiJson, after.uiJson]] as const]
  return Object.fromEntries([...flags, ...fields, ...ui].map(([name, [old, now]]) => [name, [old, now]]))
}

/** Longest name of a role, a group or a location, and longest description, in characters. */
const longest = { name: 100, description: 500 }

/** A name or description without blanks at its ends. @throws ApiError INVALID_FIELD, MISSING_FIELDS */
export function readRoleWords(field: keyof typeof longest, text: string): string {
  const words = text.trim()
  if (words === '' && field === 'name') throw new ApiError('MISSING_FIELDS', { subtype: ['name'] })
  if (words.length > longest[field] || /\p{Cc}/u.test(words)) throw new ApiError('INVALID_FIELD', { subtype: field })
  return words
}
