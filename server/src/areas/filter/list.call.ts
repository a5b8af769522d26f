import type { filterList } from '@hilum/contract/calls/filter'
import { sql } from 'kysely'
import type { Handler } from '../handler.ts'
import { listSql, toPage } from '../list-page.ts'
import { presentSavedSearch } from './filter.presenter.ts'
import { listSavedSearches } from './filter.sql.ts'

const columns = {
  uuid: { kind: 'uuid', column: sql.ref('f.uuid') },
  name: { kind: 'text', column: sql.ref('f.name') },
  type: { kind: 'exact', column: sql.ref('f.type') },
  namespace_id: { kind: 'uuid', column: sql.ref('f.namespace_uuid') },
  owner: { kind: 'uuid', column: sql.ref('f.owner_uuid') },
  created: { kind: 'stamp', column: sql.ref('f.created') },
} as const

export const list: Handler<typeof filterList> = async ({ services, input, list: query, caller }) => {
  const question = listSql(query, columns, caller.timeZone, sql`lower(f.name), f.uuid`)
  const memberships = await caller.memberships()
  const found = await listSavedSearches(services.db, caller, {
    ...question,
    where: sql`${question.where}
      and ${input.type ? sql`f.type = ${input.type}` : sql`true`}
      and ${input.account_id ? sql`(f.account_uuid is null or f.account_uuid = ${input.account_id})` : sql`true`}`,
  })
  const { rows, page } = toPage(found, query)
  return { filters: rows.map((row) => presentSavedSearch(row, caller, memberships)), page }
}
