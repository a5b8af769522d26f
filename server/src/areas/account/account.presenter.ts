import type { Account } from '@hilum/contract/calls/account'
import type { PermissionSet } from '@hilum/contract/permissions'
import { presentFlags } from '../role/permissions.presenter.ts'
import type { AccountRow } from './account.sql.ts'

/** @param permissions what the caller holds in the account, when that was asked for */
export function presentAccount(
  row: AccountRow,
  settings: Record<string, string>,
  permissions: PermissionSet | undefined,
): Account {
  return {
    uuid: row.uuid,
    name: row.name,
    vanity: row.vanity,
    namespace_id: row.namespace_uuid,
    password_expire: row.password_expire_days,
    session_expire: row.session_expire_minutes,
    issuer: row.issuer,
    pin_required: row.pin_required ? 1 : 0,
    support_until: row.support_until,
    role_id: row.role_uuid,
    role_name: row.role_name,
    default_role_id: row.default_role_uuid ?? '',
    default_role_name: row.default_role_name ?? '',
    settings,
    ...(permissions ? { permissions: presentFlags(permissions) } : {}),
  }
}

/** Brand settings are given only when they are named: `logo` is kept and returned as `brand_logo`. */
export function chooseSettings(all: Record<string, string>, brandSettings: string): Record<string, string> {
  const wanted = new Set(brandSettings.split(',').map((name) => `brand_${name.trim()}`))
  return Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith('brand_') || wanted.has(key)))
}
