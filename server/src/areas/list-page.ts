import type { ListQuery } from '@hilum/contract/list'

/** A listed row as its own; `totalColumn` is of the whole list. */
export function withoutTotal<Row extends object>(row: Row & { total?: number }): Row {
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
