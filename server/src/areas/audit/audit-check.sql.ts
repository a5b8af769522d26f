import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** Result of a check; of the faults the first ones alone are listed. */
interface AuditCheckResult {
  rows: number
  unsealed: number
  fault_count: number
  faults: { kind: string; what: string }[]
  seal_number: number
  seal_digest: string
}

export interface AuditCheckRow {
  uuid: string
  account_uuid: string
  state: 'running' | 'done' | 'failed'
  user_uuid: string
  user_name: string
  client_address: string
  rows_done: number
  rows_total: number
  result: AuditCheckResult | null
  begun: string
  ended: string | null
}

const stamp = 'YYYY-MM-DD HH24:MI:SS.US+00'
const columns = sql`c.uuid, c.account_uuid, c.state, c.user_uuid, c.user_name, c.client_address, c.rows_done, c.rows_total,
  c.result, to_char(c.begun at time zone 'UTC', ${sql.lit(stamp)}) as begun,
  to_char(c.ended at time zone 'UTC', ${sql.lit(stamp)}) as ended`

/** The latest check of an account. */
export async function findCheck(db: Db, accountUuid: string): Promise<AuditCheckRow | undefined> {
  const { rows } = await sql<AuditCheckRow>`
    select ${columns} from audit_check c where c.account_uuid = ${accountUuid}
  `.execute(db)
  return rows[0]
}

/** Begins a check in place of the last one, unless one runs. @returns whether it was begun */
export async function beginCheck(
  tx: Tx,
  check: Pick<AuditCheckRow, 'uuid' | 'account_uuid' | 'user_uuid' | 'user_name' | 'client_address'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into audit_check as c (account_uuid, uuid, state, user_uuid, user_name, client_address)
    values (${check.account_uuid}, ${check.uuid}, 'running', ${check.user_uuid}, ${check.user_name},
      ${check.client_address})
    on conflict (account_uuid) do update
    set uuid = excluded.uuid, state = 'running', user_uuid = excluded.user_uuid, user_name = excluded.user_name,
      client_address = excluded.client_address, rows_done = 0, rows_total = 0, result = null, begun = now(), ended = null
    where c.state <> 'running'
    returning c.uuid
  `.execute(tx)
  return rows.length > 0
}

/** Counts the rows that a check will read: each is read with its seal, and once more in its place. */
export async function countRowsToCheck(db: Db, accountUuid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (count(*) + count(a.seal_number))::integer as count from audit a where a.account_uuid = ${accountUuid}
  `.execute(db)
  return rows[0]?.count ?? 0
}

export async function noteCheckProgress(db: Db, uuid: string, done: number, total: number): Promise<void> {
  await sql`
    update audit_check
    set rows_done = ${done}, rows_total = greatest(${done}::integer, ${total}::integer)
    where uuid = ${uuid} and state = 'running'
  `.execute(db)
}

/** Ends a check that runs. @returns whether it ran still */
export async function endCheck(
  tx: Tx,
  uuid: string,
  end: { state: 'done'; result: AuditCheckResult } | { state: 'failed' },
): Promise<boolean> {
  const result = end.state === 'done' ? JSON.stringify(end.result) : null
  const { rows } = await sql`
    update audit_check
    set state = ${end.state}, result = ${result}::jsonb, ended = now()
    where uuid = ${uuid} and state = 'running'
    returning uuid
  `.execute(tx)
  return rows.length > 0
}
