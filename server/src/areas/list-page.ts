import type { ListQuery } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import { type FilterColumns, filterSql, sortSql } from '../db/filter-sql.ts'
import { filterZone } from '../db/filter-zone.ts'

/** The pieces of a list's SQL: after `where`, after `order by`, after `limit` (with its offset). */
export interface ListSql {
  where: RawBuilder<unknown>
  orderBy: RawBuilder<unknown>
  limit: RawBuilder<unknown>
}

/**
 * Turns a list request into SQL. It asks for one row more than the page holds, by which `toPage` knows whether more follow.
 * @param userZone the caller's own time zone, or empty
 * @param tieBreak the default order, a total one
 * @throws ApiError as `filterSql`
 */
export function listSql(
  query: ListQuery,
  columns: FilterColumns,
  userZone: string,
  tieBreak: RawBuilder<unknown>,
): ListSql {
  const { number, rows } = query.page
  return {
    where: filterSql(query.filters, columns, filterZone(userZone, query.timeZone)),
    orderBy: sortSql(query.sort, columns, tieBreak),
    limit: sql`${rows + 1} offset ${(number - 1) * rows}`,
  }
}

/** Drops the surplus row and says whether there was one. */
export function toPage<Row>(found: readonly Row[], query: ListQuery) {
  const { number, rows } = query.page
  return { rows: found.slice(0, rows), page: { more: found.length > rows ? 1 : 0, rows, number } }
}

/** `fields.OBJECT` limits each row to the named keys (`api-facts` §1.2). */
export function pickFields<Row extends object>(row: Row, fields: readonly string[] | undefined): Row {
  if (!fields) return row
  const wanted = new Set(fields)
  // a client that names its fields expects the others to be absent, whatever the full shape promises
  return Object.fromEntries(Object.entries(row).filter(([key]) => wanted.has(key))) as Row
}
