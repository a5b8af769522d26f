import type { Permission } from '@hilum/contract/permissions'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

interface Reachable {
  account_uuid: string
  email: string
  permissions: Permission[]
}

/** People whose login is open, of organisations that are no demo or of one of these, with the permissions of their roles. */
export async function listReachable(db: Db, accountUuid: string | undefined): Promise<Reachable[]> {
  const { rows } = await sql<Reachable>`
    select au.account_uuid, u.email, r.permissions
    from account_user au
    join account a on a.uuid = au.account_uuid and not a.is_demo
    join role r on r.uuid = au.role_uuid
    join app_user u on u.uuid = au.user_uuid and not u.disabled
    where not au.disabled ${accountUuid === undefined ? sql`` : sql`and au.account_uuid = ${accountUuid}`}
    order by u.email, au.account_uuid
  `.execute(db)
  return rows
}

/** Whether people were told of a warning, by any process, and are not to be told of it again yet. */
export async function wasWarned(db: Db, warning: string, again: number | undefined): Promise<boolean> {
  const { rows } = await sql`
    select
    from installation_warning w
    where w.warning = ${warning}
      and (w.mailed_at <= now() - make_interval(hours => ${again ?? null}::integer)) is not true
  `.execute(db)
  return rows.length > 0
}

/**
 * Notes that people are told of something now.
 * @param warning names it, e.g. `disk full`
 * @param again hours after which they are told again; undefined: never
 * @returns false where they were told of it before, by this process or another
 */
export async function noteWarning(db: Db, warning: string, again: number | undefined): Promise<boolean> {
  const { rows } = await sql`
    insert into installation_warning (warning, mailed_at)
    values (${warning}, now())
    on conflict (warning) do update
    set mailed_at = excluded.mailed_at
    where installation_warning.mailed_at <= now() - make_interval(hours => ${again ?? null}::integer)
    returning warning
  `.execute(db)
  return rows.length > 0
}

/** Notes that what people were told of ended. */
export async function noteWarningOver(db: Db, warning: string): Promise<void> {
  await sql`
    update installation_warning set over_at = now() where warning = ${warning} and over_at is null
  `.execute(db)
}

/** Has people told of a warning anew where it ended since they were told, so many hours ago. */
export async function forgetOverWarning(db: Db, warning: string, hours: number): Promise<void> {
  await sql`
    delete from installation_warning
    where warning = ${warning} and over_at is not null and mailed_at <= now() - make_interval(hours => ${hours}::integer)
  `.execute(db)
}

/** Has people told of a warning anew when it comes again. */
export async function forgetWarning(db: Db, warning: string): Promise<void> {
  await sql`delete from installation_warning where warning = ${warning}`.execute(db)
}
