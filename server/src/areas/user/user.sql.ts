import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface UserRow {
  uuid: string
  email: string
  first_name: string
  last_name: string
  namespace_uuid: string
  /** The account of the personal place: the one in which the login was made. */
  home_account: string
  sysadmin: boolean
  support: boolean
  mobile_phone: string
  share_code: string
  share_description: string
  time_zone: string
  last_login: string | null
  ui_json: unknown
  terms_md5: string
  privacy_md5: string
  indicator_md5: string
  /** Whether signing in asks for a second factor. */
  pin_required: boolean
}

export async function findUser(db: Db, userUuid: string): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select u.uuid, u.email, u.first_name, u.last_name, u.namespace_uuid,
      (select n.account_uuid from namespace n where n.uuid = u.namespace_uuid) as home_account, u.sysadmin, u.support, u.mobile_phone,
      exists (select from two_factor t where t.user_uuid = u.uuid and t.confirmed_at is not null) as pin_required,
      u.share_code, u.share_description, u.time_zone, u.ui_json, u.terms_md5, u.privacy_md5, u.indicator_md5,
      to_char(u.last_login at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as last_login
    from app_user u
    where u.uuid = ${userUuid}
  `.execute(db)
  return rows[0]
}

export async function belongsToAccount(db: Db, userUuid: string, accountUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from account_user
    where account_uuid = ${accountUuid} and user_uuid = ${userUuid}
  `.execute(db)
  return rows.length > 0
}

export interface ProfileChange {
  first?: string
  last?: string
  mobile_phone?: string
  share_code?: string
  share_description?: string
  time_zone?: string
  ui_json?: unknown
  terms_md5?: string
  privacy_md5?: string
  indicator_md5?: string
}

/** Changes what is given and leaves the rest. */
export async function updateProfile(db: Db, userUuid: string, change: ProfileChange): Promise<void> {
  const uiJson = change.ui_json === undefined ? null : JSON.stringify(change.ui_json)
  await sql`
    update app_user
    set first_name = coalesce(${change.first ?? null}, first_name),
      last_name = coalesce(${change.last ?? null}, last_name),
      mobile_phone = coalesce(${change.mobile_phone ?? null}, mobile_phone),
      share_code = coalesce(${change.share_code ?? null}, share_code),
      share_description = coalesce(${change.share_description ?? null}, share_description),
      time_zone = coalesce(${change.time_zone ?? null}, time_zone),
      terms_md5 = coalesce(${change.terms_md5 ?? null}, terms_md5),
      privacy_md5 = coalesce(${change.privacy_md5 ?? null}, privacy_md5),
      indicator_md5 = coalesce(${change.indicator_md5 ?? null}, indicator_md5),
      ui_json = coalesce(${uiJson}::jsonb, ui_json)
    where uuid = ${userUuid}
  `.execute(db)
}

/**
 * True when a group or another user takes in by this share code, in any case: two with one code would let one of them
 * catch what is meant for the other. The code stays reserved until the transaction ends.
 */
export async function isShareCodeTaken(db: Db, shareCode: string, exceptOwner: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('share code ' || lower(${shareCode}), 0))`.execute(db)
  const { rows } = await sql<{ taken: boolean }>`
    select exists (
      select from app_group
      where lower(share_code) = lower(${shareCode}) and uuid <> ${exceptOwner}
      union all
      select from app_user
      where lower(share_code) = lower(${shareCode}) and uuid <> ${exceptOwner}
      union all
      select from account
      where lower(share_code) = lower(${shareCode}) and uuid <> ${exceptOwner}
    ) as taken
  `.execute(db)
  return rows[0]?.taken ?? false
}
