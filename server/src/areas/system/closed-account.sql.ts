import { sql } from 'kysely'
import type { ClosedAccount } from '@hilum/contract/calls/system'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

export const closedAccountColumns: FilterColumns = {
  uuid: { kind: 'uuid', column: sql`a.uuid` },
  name: { kind: 'text', column: sql`a.name` },
  closed: { kind: 'stamp', column: sql`a.closed_at` },
}
export const closedAccountOrder = sql`a.closed_at desc, a.uuid`

export async function listClosedAccounts(db: Db, list: ListSql): Promise<ClosedAccount[]> {
  const { rows } = await sql<ClosedAccount>`
    select a.uuid, a.name, to_char(a.closed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as closed,
      ${totalColumn}
    from account a
    where a.closed_at is not null
      and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  `.execute(db)
  return rows
}

export async function isClosedAccount(db: Db, accountUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from account
    where uuid = ${accountUuid} and closed_at is not null
  `.execute(db)
  return rows.length > 0
}
