import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import type { FieldHolder } from '../customfield/field-columns.sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

export interface AccountRow {
  uuid: string
  name: string
  vanity: string
  namespace_uuid: string
  password_expire_days: number
  session_expire_minutes: number
  pin_required: boolean
  /** Null when over. */
  support_until: string | null
  issuer: string
  must_approve: boolean
  must_approve_upload: boolean
  must_approve_harvest: boolean
  no_share: boolean
  share_code: string
  share_description: string
  share_settings: Record<string, unknown>
  customfields: Record<string, string>
  role_uuid: string
  role_name: string
  default_role_uuid: string | null
  default_role_name: string | null
}

/** Filters and sorts of an account list. A setting that is not kept is '' for a filter. */
export const accountColumns: FilterColumns = {
  uuid: { kind: 'uuid', column: sql`a.uuid` },
  name: { kind: 'text', column: sql`a.name` },
  vanity: { kind: 'text', column: sql`a.vanity` },
  namespace_id: { kind: 'uuid', column: sql`a.namespace_uuid` },
  password_expire: { kind: 'integer', column: sql`a.password_expire_days` },
  session_expire: { kind: 'integer', column: sql`a.session_expire_minutes` },
  "settings->'enable_inbox_view'": (term) => {
    const stored = sql`coalesce((
      select value
      from setting
      where scope = 'account' and scope_uuid = a.uuid and key = 'enable_inbox_view'
    ), '')`
    const values = typeof term.value === 'string' ? [term.value] : [...term.value]
    return term.condition.startsWith('not_')
      ? sql`${stored} <> all(${values}::text[])`
      : sql`${stored} = any(${values}::text[])`
  },
}
/** Where an account holds values of custom fields. */
export const fieldsOfAccount: FieldHolder = { column: sql`a.customfields` }
export const accountOrder = sql`a.name, a.uuid`

/** Accounts that the user belongs to. @param only the ones that the session reaches; all unless given */
export async function listAccountsOf(
  db: Db,
  userUuid: string,
  list: ListSql,
  only?: readonly string[],
): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select a.uuid, a.name, a.vanity, a.namespace_uuid, a.password_expire_days, a.session_expire_minutes, a.pin_required, a.issuer,
      a.must_approve, a.must_approve_upload, a.must_approve_harvest, a.no_share, a.share_code, a.share_description,
      a.share_settings, a.customfields,
      case when a.support_until > now()
        then to_char(a.support_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') end as support_until,
      r.uuid as role_uuid, r.name as role_name, a.default_role_uuid, d.name as default_role_name,
      ${totalColumn}
    from account_user au
    join account a on a.uuid = au.account_uuid
    join role r on r.uuid = au.role_uuid
    left join role d on d.uuid = a.default_role_uuid
    where au.user_uuid = ${userUuid}
      and not au.disabled
      and (${only ? [...only] : null}::uuid[] is null or a.uuid = any(${only ? [...only] : null}::uuid[]))
      and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  `.execute(db)
  return rows
}

/** The account that a host name leads to, for whoever has not signed in. */
export async function findAccountByVanity(db: Db, vanity: string): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    select a.uuid
    from account a
    where lower(${vanity}) = any(string_to_array(replace(lower(a.vanity), ' ', ''), ','))
    order by a.uuid
    limit 1
  `.execute(db)
  return rows[0]?.uuid
}

/** The account of an installation that has no other one, a closed one neither. */
export async function findOnlyAccount(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid
    from account
    order by uuid
    limit 2
  `.execute(db)
  return rows.length === 1 ? rows[0]?.uuid : undefined
}

export async function findAccountName(db: Db, uuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name
    from account
    where uuid = ${uuid}
  `.execute(db)
  return rows[0]?.name
}

/** One account, as it shows itself to one of its people. */
export async function findAccountOf(db: Db, userUuid: string, uuid: string): Promise<AccountRow | undefined> {
  const only = { where: sql`a.uuid = ${uuid}`, orderBy: accountOrder, limit: sql`1` }
  const [row] = await listAccountsOf(db, userUuid, only)
  return row
}
