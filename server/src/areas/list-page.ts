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

/** A column of every listed row: how many there are on all pages. */
export const totalColumn = sql`count(*) over ()::integer as total`

function withoutTotal<Row extends object>(row: Row & { total?: number }): Row {
  const { total, ...rest } = row
  return total === undefined ? row : (rest as unknown as Row) // a row without its total
}

/** Drops the surplus row and says whether there was one. A page behind the end knows of no total. */
export function toPage<Row extends object>(found: readonly (Row & { total?: number })[], query: ListQuery) {
  const { number, rows } = query.page
  const [first] = found
  const total = first?.total ?? (number === 1 ? 0 : undefined)
  return {
    rows: found.slice(0, rows).map(withoutTotal),
    page: { more: found.length > rows ? 1 : 0, rows, number, ...(total === undefined ? {} : { total }) },
  }
}
