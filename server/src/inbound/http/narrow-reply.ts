import type { AnyCall } from '@hilum/contract/call'
import { readList } from '../../areas/read-filter.ts'

/**
 * Leaves of a reply what was asked for (`api-facts` §1.2): `fields.OBJECT` limits each row of a list, and the object
 * that a `…/get` reads; `fields._top` limits the top level, where status stays. Others are absent, whatever the full
 * shape promises.
 * @param rowFields as the list query has them
 * @throws ApiError INVALID_JSON
 */
export function narrowReply(
  call: AnyCall,
  rowFields: readonly string[] | undefined,
  raw: Readonly<Record<string, unknown>>,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const rowsKey = call.list?.rowsKey
  const rows = rowsKey === undefined ? undefined : body[rowsKey]
  const narrowed =
    rowFields && rowsKey !== undefined && Array.isArray(rows)
      ? { ...body, [rowsKey]: rows.map((row: object) => pick(row, new Set(rowFields))) }
      : body
  const [, object] = /^(\w+)\/get$/.exec(call.path) ?? []
  const asked = [raw['fields._top'] && 'fields._top', object && `fields.${object}`]
    .filter((name): name is string => Boolean(name) && raw[String(name)] !== undefined && raw[String(name)] !== '')
    .map((name) => new Set([...readList(raw[name], name), 'status']))
  return asked.reduce(pick, narrowed)
}

function pick(row: object, wanted: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([key]) => wanted.has(key)))
}
