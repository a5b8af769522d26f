import { acts } from '@hilum/contract/acts'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/**
 * People who see the studies of a namespace by its membership and their role there, but for one of them, by name.
 * @returns the first of them, each with the number of all
 */
export async function listOthersOfPlace(
  db: Db,
  namespaceUuid: string,
  butUser: string,
  limit: number,
): Promise<{ name: string; total: number }[]> {
  const { rows } = await sql<{ name: string; total: number }>`
    select coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name,
      count(*) over ()::integer as total
    from namespace n
    join account_user au on au.account_uuid = n.account_uuid and not au.disabled
    join app_user u on u.uuid = au.user_uuid and not u.disabled
    left join app_group g on g.namespace_uuid = n.uuid
    left join group_user gu on gu.group_uuid = g.uuid and gu.user_uuid = u.uuid
    join role r on r.uuid = coalesce(gu.role_uuid, g.default_role_uuid, au.role_uuid)
    where n.uuid = ${namespaceUuid}
      and u.uuid <> ${butUser}
      and (n.kind = 'account' or gu.user_uuid is not null)
      and r.permissions && ${[...acts.viewStudy.any]}::text[]
    order by name, u.uuid
    limit ${limit}
  `.execute(db)
  return rows
}
