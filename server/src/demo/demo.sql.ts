import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface DemoPlace {
  account_uuid: string
  group_name: string
  namespace_uuid: string
  user_uuid: string
}

/** Where the demo's studies go, while they are still to come. */
export async function findPendingDemo(
  db: Db,
  settingKey: string,
  accountName: string,
  groupNames: readonly string[],
  uploaderEmail: string,
): Promise<DemoPlace[]> {
  const { rows } = await sql<DemoPlace>`
    select a.uuid as account_uuid, g.name as group_name, g.namespace_uuid, u.uuid as user_uuid
    from setting pending
    join account a on a.uuid = pending.scope_uuid
    join app_group g on g.account_uuid = a.uuid and g.name = any(${groupNames as string[]})
    join app_user u on u.email = ${uploaderEmail}
    where pending.scope = 'account'
      and pending.key = ${settingKey}
      and a.name = ${accountName}
    order by g.name
  `.execute(db)
  return rows
}
