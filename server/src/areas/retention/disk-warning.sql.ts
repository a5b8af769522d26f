import type { Permission } from '@hilum/contract/permissions'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

interface Reachable {
  account_uuid: string
  email: string
  permissions: Permission[]
}

/** People of organisations that are no demo and whose login is open, with the permissions of their roles. */
export async function listReachableOfAll(db: Db): Promise<Reachable[]> {
  const { rows } = await sql<Reachable>`
    select au.account_uuid, u.email, r.permissions
    from account_user au
    join account a on a.uuid = au.account_uuid and not a.is_demo
    join role r on r.uuid = au.role_uuid
    join app_user u on u.uuid = au.user_uuid and not u.disabled
    where not au.disabled
    order by u.email, au.account_uuid
  `.execute(db)
  return rows
}

/**
 * Notes that people are told of a level now.
 * @returns false where they were told of it within a day, by this process or another
 */
export async function noteDiskWarning(db: Db, level: string): Promise<boolean> {
  const { rows } = await sql`
    insert into disk_warning (level, mailed_at)
    values (${level}, now())
    on conflict (level) do update
    set mailed_at = excluded.mailed_at
    where disk_warning.mailed_at <= now() - interval '1 day'
    returning level
  `.execute(db)
  return rows.length > 0
}
