import type { Account } from '@hilum/contract/calls/account'
import type { PermissionSet } from '@hilum/contract/permissions'
import { presentFieldValues } from '../customfield/customfield.presenter.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import { presentFlags } from '../role/permissions.presenter.ts'
import type { AccountRow } from './account.sql.ts'

/**
 * @param definitions the account's own custom fields of accounts
 * @param permissions what the caller holds in the account, when that was asked for
 * @param seesCode whether the share code and its settings are told
 */
export function presentAccount(
  row: AccountRow,
  settings: Record<string, string>,
  definitions: readonly CustomFieldRow[],
  permissions: PermissionSet | undefined,
  seesCode: boolean,
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
    must_approve: row.must_approve ? 1 : 0,
    must_approve_upload: row.must_approve_upload ? 1 : 0,
    must_approve_harvest: row.must_approve_harvest ? 1 : 0,
    no_share: row.no_share ? 1 : 0,
    share_code: seesCode ? row.share_code : '',
    share_description: row.share_description,
    share_settings: seesCode ? row.share_settings : {},
    role_id: row.role_uuid,
    role_name: row.role_name,
    default_role_id: row.default_role_uuid ?? '',
    default_role_name: row.default_role_name ?? '',
    settings,
    customfields: presentFieldValues(definitions, row.customfields),
    ...(permissions ? { permissions: presentFlags(permissions) } : {}),
  }
}

/** Brand settings are given only when they are named: `logo` is kept and returned as `brand_logo`. */
export function chooseSettings(all: Record<string, string>, brandSettings: string): Record<string, string> {
  const wanted = new Set(brandSettings.split(',').map((name) => `brand_${name.trim()}`))
  return Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith('brand_') || wanted.has(key)))
}
