import { isUiJson } from '@hilum/contract/account-settings'
import { ApiError } from '@hilum/contract/errors'
import { type Permission, permissions } from '@hilum/contract/permissions'
import { type FieldAccess, fieldAccesses, isFieldFlag } from '@hilum/contract/study-field-access'

/** Permissions of a role as somebody sent them: those that change, and nothing of the others. */
export interface PermissionChange {
  flags: ReadonlyMap<Permission, boolean>
  fields: ReadonlyMap<string, FieldAccess>
  /** JSON text, empty to clear. */
  uiJson?: string
}

const known: ReadonlySet<string> = new Set(permissions)

/**
 * Reads `permissions` and single `permission_{name}`, of which the single ones win. `role_id` stands in every set of
 * permissions that the wire gives, and is passed over.
 * @throws ApiError INVALID_PERMISSION, INVALID_PERMISSION_VALUE naming the permission
 */
export function readPermissions(
  sent: Readonly<Record<string, unknown>> | undefined,
  raw: Readonly<Record<string, unknown>> = {},
): PermissionChange {
  const flags = new Map<Permission, boolean>()
  const fields = new Map<string, FieldAccess>()
  let uiJson: string | undefined
  for (const [name, value] of [...Object.entries(sent ?? {}), ...singlesIn(raw)]) {
    if (name === 'role_id') continue
    if (name === 'ui_json') uiJson = readUiJson(value)
    else if (isFieldFlag(name)) fields.set(name, readAccess(name, value))
    else if (isPermission(name)) flags.set(name, readFlag(name, value))
    else throw new ApiError('INVALID_PERMISSION', { subtype: name })
  }
  return { flags, fields, ...(uiJson === undefined ? {} : { uiJson }) }
}

const prefix = 'permission_'

function singlesIn(raw: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(raw)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), Array.isArray(value) ? value[0] : value])
}

function isPermission(name: string): name is Permission {
  return known.has(name)
}

function readFlag(name: string, value: unknown): boolean {
  const text = String(value)
  if (text === '1' || text === 'true') return true
  if (text === '0' || text === 'false') return false
  throw new ApiError('INVALID_PERMISSION_VALUE', { subtype: name })
}

function readAccess(name: string, value: unknown): FieldAccess {
  const access = fieldAccesses.find((one) => one === value)
  if (!access) throw new ApiError('INVALID_PERMISSION_VALUE', { subtype: name })
  return access
}

/** A JSON object as text, however it was sent. */
function readUiJson(value: unknown): string {
  if (value === '' || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (isUiJson(text)) return text
  throw new ApiError('INVALID_PERMISSION_VALUE', { subtype: 'ui_json' })
}
