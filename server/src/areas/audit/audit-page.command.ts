import type { ListQuery } from '@hilum/contract/list'
import type { Db } from '../../db/database.ts'
import { type AccountAuditRow, countAuditOfAccount, listAuditOfAccount } from './account-audit.sql.ts'

/**
 * A page of an account's audit. Rows are counted where that costs nothing, on the last page, and where the total was
 * asked for: an audit has millions of rows.
 */
export async function loadAuditPage(
  db: Db,
  accountUuid: string,
  where: Parameters<typeof listAuditOfAccount>[2],
  { page: { rows: limit, number, wantsTotal } }: ListQuery,
  isReversed: boolean,
): Promise<{ rows: AccountAuditRow[]; page: { more: number; rows: number; number: number; total?: number } }> {
  const offset = (number - 1) * limit
  const found = await listAuditOfAccount(db, accountUuid, where, { limit: limit + 1, offset, isReversed })
  const rows = found.slice(0, limit)
  const more = found.length > limit ? 1 : 0
  const isEnd = more === 0 && (rows.length > 0 || number === 1)
  const counted = wantsTotal && !isEnd ? await countAuditOfAccount(db, accountUuid, where) : undefined
  const total = isEnd ? offset + rows.length : counted
  return { rows, page: { more, rows: limit, number, ...(total === undefined ? {} : { total }) } }
}
