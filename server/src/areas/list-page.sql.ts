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
 * Turns a list request into SQL. The limit asks for one row more than the page holds, by which `toPage` knows whether
 * more follow.
 * @param userZone the caller's own time zone, or empty
 * @param tieBreak the default order, a total one
 * @param sorts the columns to sort by, where some are sorted by otherwise than they are found
 * @throws ApiError as `filterSql`
 */
export function listSql(
  query: ListQuery,
  columns: FilterColumns,
  userZone: string,
  tieBreak: RawBuilder<unknown>,
  sorts: FilterColumns = columns,
): ListSql {
  const { number, rows } = query.page
  return {
    where: filterSql(query.filters, columns, filterZone(userZone, query.timeZone)),
    orderBy: sortSql(query.sort, sorts, tieBreak),
    limit: sql`${rows + 1} offset ${(number - 1) * rows}`,
  }
}

/**
 * A page of a long list, with the number of all rows. Counted by `totalColumn`, all rows of the list are read and sorted for
 * each page; counted apart, an index that has the order gives the page, and the count need not join what the page shows.
 */
export async function pageWithTotal<Row extends { total?: number }>(
  page: Promise<Row[]>,
  count: Promise<number>,
): Promise<Row[]> {
  const [rows, total] = await Promise.all([page, count])
  return rows.map((row) => ({ ...row, total }))
}

/** A column of every listed row: how many there are on all pages. */
export const totalColumn = sql`count(*) over ()::integer as total`
