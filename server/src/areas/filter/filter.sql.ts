import type { filterTypes } from '@hilum/contract/calls/filter'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import { targetsOf } from './share-targets.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'

/** Columns that saved searches are found and sorted by. */
export const savedSearchColumns = {
  uuid: { kind: 'uuid', column: sql.ref('f.uuid') },
  name: { kind: 'text', column: sql.ref('f.name') },
  type: { kind: 'exact', column: sql.ref('f.type') },
  namespace_id: { kind: 'uuid', column: sql.ref('f.namespace_uuid') },
  owner: { kind: 'uuid', column: sql.ref('f.owner_uuid') },
  created: { kind: 'stamp', column: sql.ref('f.created') },
} as const satisfies FilterColumns

export const savedSearchOrder = sql`lower(f.name), f.uuid`

export interface SavedSearchRow {
  uuid: string
  name: string
  type: (typeof filterTypes)[number]
  configuration: Record<string, unknown> | string[]
  owner_uuid: string
  owner_name: string
  account_uuid: string | null
  namespace_uuid: string | null
}

/**
 * Saved searches that the caller may see: own ones, those kept for a namespace that the caller belongs to, and those
 * that were shared with him, with such a place, or with his role there.
 * @param only those of one type and for one account, where these are named
 */
export function listSavedSearches(
  db: Db,
  caller: Caller,
  question: ListSql,
  only: { type: string | undefined; accountUuid: string | undefined },
): Promise<SavedSearchRow[]> {
  const { type, accountUuid } = only
  const ofType = type ? sql`f.type = ${type}` : sql`true`
  const ofAccount = accountUuid ? sql`(f.account_uuid is null or f.account_uuid = ${accountUuid})` : sql`true`
  return readSavedSearches(db, caller, { ...question, where: sql`${question.where} and ${ofType} and ${ofAccount}` })
}

/** Saved searches whose uuids are known already: of those that the caller may see, and of links of the caller's accounts. */
export function findSavedSearches(db: Db, caller: Caller, uuids: readonly string[]): Promise<SavedSearchRow[]> {
  return readSavedSearches(db, caller, { where: sql`f.uuid::text = any(${[...uuids]})`, isByUuid: true })
}

async function readSavedSearches(
  db: Db,
  caller: Caller,
  { where, orderBy, limit, isByUuid }: Partial<ListSql> & { where: RawBuilder<unknown>; isByUuid?: boolean },
): Promise<SavedSearchRow[]> {
  const memberships = await caller.memberships()
  const namespaces = memberships.map((one) => one.namespaceUuid)
  const targets = targetsOf(caller.userUuid, memberships)
  const linkAccounts = isByUuid ? memberships.map((one) => one.accountUuid) : []
  const { rows } = await sql<SavedSearchRow>`
    select f.uuid, f.name, f.type, f.configuration, f.owner_uuid, trim(u.first_name || ' ' || u.last_name) as owner_name,
      f.account_uuid, f.namespace_uuid, ${totalColumn}
    from saved_search f
    join app_user u on u.uuid = f.owner_uuid
    where (f.owner_uuid = ${caller.userUuid}
        or f.namespace_uuid = any(${namespaces})
        or f.uuid in (
          select sh.search_uuid
          from saved_search_share sh
          join unnest(${targets.map(({ kind }) => kind)}::text[], ${targets.map(({ uuid }) => uuid)}::uuid[]) as t (kind, uuid)
            on t.kind = sh.kind and t.uuid = sh.target_uuid
        )
        or (f.type = 'Link' and f.account_uuid = any(${linkAccounts})))
      and ${where}
    order by ${orderBy ?? savedSearchOrder}
    ${limit ? sql`limit ${limit}` : sql``}
  `.execute(db)
  return rows
}

export async function findSavedSearch(db: Db, caller: Caller, uuid: string): Promise<SavedSearchRow | undefined> {
  const [row] = await readSavedSearches(db, caller, { where: sql`f.uuid = ${uuid}`, isByUuid: true })
  return row
}

interface SavedSearchValues {
  name: string
  type: string
  configuration: unknown
  accountUuid: string | null
  namespaceUuid: string | null
}

export async function insertSavedSearch(
  db: Db,
  one: SavedSearchValues & { uuid: string; ownerUuid: string },
): Promise<void> {
  await sql`
    insert into saved_search (uuid, name, type, configuration, owner_uuid, account_uuid, namespace_uuid)
    values (${one.uuid}, ${one.name}, ${one.type}, ${JSON.stringify(one.configuration)}::jsonb, ${one.ownerUuid},
      ${one.accountUuid}, ${one.namespaceUuid})
  `.execute(db)
}

export async function updateSavedSearch(db: Db, uuid: string, one: SavedSearchValues): Promise<void> {
  await sql`
    update saved_search
    set name = ${one.name}, type = ${one.type}, configuration = ${JSON.stringify(one.configuration)}::jsonb,
      account_uuid = ${one.accountUuid}, namespace_uuid = ${one.namespaceUuid}, updated = now()
    where uuid = ${uuid}
  `.execute(db)
}

export async function deleteSavedSearch(db: Db, uuid: string): Promise<void> {
  await sql`delete from saved_search where uuid = ${uuid}`.execute(db)
}
