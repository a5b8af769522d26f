import type { workStates } from '@hilum/contract/calls/job'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import { lateMinutes } from './late-work.ts'

const stamp = 'YYYY-MM-DD HH24:MI:SS.US+00'

/** Whether work `w` was given up, waits for another try, or waits for long beyond its time. */
const isStuck = sql`(
  w.state = 'failed'
  or (w.state = 'waiting' and (w.error is not null or w.run_at < now() - make_interval(mins => ${lateMinutes})))
)`

export const workColumns = {
  is_stuck: { kind: 'flag', column: isStuck },
  state: { kind: 'exact', column: sql`w.state` },
  job: { kind: 'exact', column: sql`w.job` },
  created: { kind: 'stamp', column: sql`w.created` },
} satisfies FilterColumns
export const workSorts: FilterColumns = {
  ...workColumns,
  since: {
    kind: 'stamp',
    column: sql`case when w.state in ('failed', 'cancelled') then w.updated else w.created end`,
  },
}
/** Stuck work first, then the latest; a total order. */
export const workOrder = sql`${isStuck} desc, w.created desc, w.uuid`

interface ListedWork {
  uuid: string
  job: string
  state: (typeof workStates)[number]
  is_stuck: number
  run_at: string
  tries: number
  error: string | null
  message: string | null
  user_id: string
  user_name: string
  study_id: string
  created: string
  updated: string
}

/** Work of a person or of an account. */
export async function listWork(
  db: Db,
  of: { userUuid: string } | { accountUuid: string },
  { where, orderBy, limit }: ListSql,
): Promise<ListedWork[]> {
  const isOf = 'userUuid' in of ? sql`w.user_uuid = ${of.userUuid}` : sql`w.account_uuid = ${of.accountUuid}`
  const { rows } = await sql<ListedWork>`
    select w.uuid, w.job, w.state, (${isStuck})::int as is_stuck, w.tries, w.error, w.message, coalesce(w.user_uuid::text, '') as user_id,
      trim(coalesce(u.first_name, '') || ' ' || coalesce(u.last_name, '')) as user_name,
      coalesce(w.study_uuid::text, '') as study_id,
      to_char(w.run_at at time zone 'UTC', ${stamp}) as run_at,
      to_char(w.created at time zone 'UTC', ${stamp}) as created,
      to_char(w.updated at time zone 'UTC', ${stamp}) as updated,
      ${totalColumn}
    from work w
    left join app_user u on u.uuid = w.user_uuid
    where ${isOf}
      and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

export interface WorkOwner {
  user_uuid: string | null
  account_uuid: string | null
  job: string
}

export async function findWorkOwner(db: Db, uuid: string): Promise<WorkOwner | undefined> {
  const { rows } = await sql<WorkOwner>`
    select user_uuid, account_uuid, job
    from work
    where uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** Puts work that was given up or cancelled back on the queue, as new. False when there is none. */
export async function retryWork(db: Db, uuid: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update work
    set state = 'waiting', run_at = now(), tries = 0, error = null, message = null, cancelled_at = null,
      cancelled_by = null, updated = now()
    where uuid = ${uuid}
      and state in ('failed', 'cancelled')
      and not exists (select from work o where o.job = work.job and o.key = work.key and o.state = 'waiting')
  `.execute(db)
  return numAffectedRows === 1n
}
