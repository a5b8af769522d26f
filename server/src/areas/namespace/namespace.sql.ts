import { sql } from 'kysely'
import type { NamespaceKind } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'

interface SharePlace {
  namespace_uuid: string
  account_uuid: string
  kind: NamespaceKind
  name: string
  share_code: string
  share_description: string
  account_name: string
  share_settings: Record<string, unknown>
}

/** The place that takes in by this share code, or – when no code is given – the one with this uuid. */
export async function findSharePlace(
  db: Db,
  by: { shareCode: string } | { namespaceUuid: string },
): Promise<SharePlace | undefined> {
  const shareCode = 'shareCode' in by ? by.shareCode : null
  const namespaceUuid = 'namespaceUuid' in by ? by.namespaceUuid : null
  const { rows } = await sql<SharePlace>`
    select n.uuid as namespace_uuid, n.account_uuid, n.kind, n.name,
      coalesce(g.share_code, u.share_code, a.share_code, '') as share_code,
      coalesce(g.share_description, u.share_description, a.share_description, '') as share_description,
      o.name as account_name, coalesce(g.share_settings, a.share_settings, '{}') as share_settings
    from namespace n
    join account o on o.uuid = n.account_uuid
    left join app_group g on n.kind in ('group', 'location') and g.uuid = n.owner_uuid
    left join app_user u on n.kind = 'user' and u.uuid = n.owner_uuid and not u.disabled
    left join account a on n.kind = 'account' and a.uuid = n.owner_uuid
    where (${namespaceUuid}::uuid is null or n.uuid = ${namespaceUuid})
      and (${shareCode}::text is null or lower(coalesce(g.share_code, u.share_code, a.share_code)) = lower(${shareCode}))
    order by n.uuid
    limit 1
  `.execute(db)
  return rows[0]
}
