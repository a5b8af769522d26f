import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { SearchShareTarget } from './share-targets.ts'

export async function insertSearchShare(db: Db, searchUuid: string, { kind, uuid }: SearchShareTarget): Promise<void> {
  await sql`
    insert into saved_search_share (search_uuid, kind, target_uuid)
    values (${searchUuid}, ${kind}, ${uuid})
    on conflict do nothing
  `.execute(db)
}

/** False when it was not shared there. */
export async function deleteShare(db: Db, searchUuid: string, { kind, uuid }: SearchShareTarget): Promise<boolean> {
  const { rows } = await sql`
    delete from saved_search_share
    where search_uuid = ${searchUuid} and kind = ${kind} and target_uuid = ${uuid}
    returning 1
  `.execute(db)
  return rows.length > 0
}

export async function listShares(db: Db, searchUuid: string): Promise<SearchShareTarget[]> {
  const { rows } = await sql<SearchShareTarget>`
    select sh.kind, sh.target_uuid as uuid
    from saved_search_share sh
    where sh.search_uuid = ${searchUuid}
    order by sh.created, sh.kind, sh.target_uuid
  `.execute(db)
  return rows
}

/** The accounts that a user or a role belongs to. */
export async function listAccountsForSearch(db: Db, { kind, uuid }: SearchShareTarget): Promise<string[]> {
  const { rows } =
    kind === 'role'
      ? await sql<{ account_uuid: string }>`
          select r.account_uuid from role r where r.uuid = ${uuid}
        `.execute(db)
      : await sql<{ account_uuid: string }>`
          select au.account_uuid from account_user au where au.user_uuid = ${uuid} and not au.disabled
        `.execute(db)
  return rows.map((row) => row.account_uuid)
}
