import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface DemoPlace {
  account_uuid: string
  group_name: string
  namespace_uuid: string
  user_uuid: string
}

/** Groups of an organisation of the demo, with the person who uploads there. */
export async function findDemoPlaces(
  db: Db,
  accountName: string,
  groupNames: readonly string[],
  uploaderEmail: string,
): Promise<DemoPlace[]> {
  const { rows } = await sql<DemoPlace>`
    select a.uuid as account_uuid, g.name as group_name, g.namespace_uuid, u.uuid as user_uuid
    from account a
    join app_group g on g.account_uuid = a.uuid and g.name = any(${groupNames as string[]})
    join app_user u on u.email = ${uploaderEmail}
    where a.name = ${accountName}
    order by g.name
  `.execute(db)
  return rows
}

/** Where the demo's studies go, while they are still to come. */
export async function findPendingDemo(
  db: Db,
  settingKey: string,
  accountName: string,
  groupNames: readonly string[],
  uploaderEmail: string,
): Promise<DemoPlace[]> {
  const { rows } = await sql`
    select
    from setting pending
    join account a on a.uuid = pending.scope_uuid
    where pending.scope = 'account' and pending.key = ${settingKey} and a.name = ${accountName}
  `.execute(db)
  return rows.length > 0 ? findDemoPlaces(db, accountName, groupNames, uploaderEmail) : []
}

/** Follows the DICOM listener to another port: destinations of the demo that are nodes of this installation. */
export async function movePlaceOfDemo(
  db: Db,
  accountName: string,
  titles: readonly string[],
  to: { address: string; port: number },
): Promise<void> {
  await sql`
    update destination d
    set address = ${to.address}, port = ${to.port}, updated = now()
    from account a
    where a.uuid = d.account_uuid and a.is_demo and a.name = ${accountName}
      and d.aetitle = any(${titles as string[]}) and d.address in ('127.0.0.1', '::1') and d.deleted_at is null
      and (d.address, d.port) is distinct from (${to.address}, ${to.port}::integer)
  `.execute(db)
}
