import type { RouteRun, RouteRunState } from '@hilum/contract/calls/route'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

type RunTrigger = 'upload' | 'harvest' | 'share' | 'manual'

export interface RunRow {
  uuid: string
  rule_uuid: string
  account_uuid: string
  phi_namespace: string
  study_uuid: string
  trigger: RunTrigger
  occasion: string
  /** Rules by which the study came here, and this one. */
  chain: string[]
  state: RouteRunState
  reason: string
  detail: Record<string, unknown>
  by_user: string | null
  run_at: Date | null
}

const columns = sql`
  r.uuid, r.rule_uuid, r.account_uuid, r.phi_namespace, r.study_uuid, r.trigger, r.occasion, r.chain, r.state, r.reason,
  r.detail, r.by_user, r.run_at`

/** Enters a run; false when the rule looked at the study on this occasion before. */
export async function insertRun(tx: Tx, one: RunRow): Promise<boolean> {
  const { rows } = await sql`
    insert into route_run (
      uuid, rule_uuid, account_uuid, phi_namespace, study_uuid, trigger, occasion, chain, state, reason, detail, by_user,
      run_at, ended
    )
    values (
      ${one.uuid}, ${one.rule_uuid}, ${one.account_uuid}, ${one.phi_namespace}, ${one.study_uuid}, ${one.trigger},
      ${one.occasion}, ${one.chain}::uuid[], ${one.state}, ${one.reason}, ${JSON.stringify(one.detail)}::jsonb,
      ${one.by_user}, ${one.run_at}, case when ${one.state} <> 'waiting' then now() end
    )
    on conflict (rule_uuid, study_uuid, occasion) do nothing
    returning uuid
  `.execute(tx)
  return rows.length > 0
}

/** Whether a rule has acted on a study, or will, other than by hand. */
export async function hasActed(tx: Tx, ruleUuid: string, studyUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from route_run r
    where r.rule_uuid = ${ruleUuid} and r.study_uuid = ${studyUuid} and r.trigger <> 'manual' and r.state <> 'not_matched'
    limit 1
  `.execute(tx)
  return rows.length > 0
}

export async function lockRouteRun(tx: Tx, uuid: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    select ${columns} from route_run r where r.uuid = ${uuid} for update
  `.execute(tx)
  return rows[0]
}

/** Runs that wait for the approval of a study. */
export async function listAwaitingApproval(db: Db, studyUuid: string): Promise<{ uuid: string }[]> {
  const { rows } = await sql<{ uuid: string }>`
    select r.uuid
    from route_run r
    where r.study_uuid = ${studyUuid} and r.state = 'waiting' and r.reason = 'AWAITS_APPROVAL'
    order by r.created, r.uuid
  `.execute(db)
  return rows
}

/** Changes a run that waits; one that ended is left. */
export async function updateRun(
  tx: Tx,
  uuid: string,
  { state, reason, detail, runAt }: { state: RouteRunState; reason: string; detail: object; runAt: Date | null },
): Promise<boolean> {
  const { rows } = await sql`
    update route_run
    set state = ${state}, reason = ${reason}, detail = ${JSON.stringify(detail)}::jsonb, run_at = ${runAt},
      ended = case when ${state} <> 'waiting' then now() end
    where uuid = ${uuid} and state = 'waiting'
    returning uuid
  `.execute(tx)
  return rows.length > 0
}

export const runColumns: FilterColumns = {
  state: { kind: 'exact', column: sql`r.state` },
  created: { kind: 'stamp', column: sql`r.created` },
}
export const runOrder = sql`r.created desc, r.uuid`

const stamp = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`

/** Runs of a rule. Patients are named where the study lies in one of the places that the caller sees. */
export async function listRuns(
  db: Db,
  ruleUuid: string,
  seenPlaces: readonly string[],
  list: ListSql,
): Promise<RouteRun[]> {
  const { rows } = await sql<RouteRun>`
    select r.uuid, r.rule_uuid as route_id, u.name as route_name, r.trigger, r.state, r.reason, r.detail,
      r.study_uuid as study_id, coalesce(s.patient_name, '') as patient_name, coalesce(n.name, '') as place_name,
      ${stamp('r.created')} as created, ${stamp('r.ended')} as ended, ${stamp('r.run_at')} as run_at, ${totalColumn}
    from route_run r
    join routing_rule u on u.uuid = r.rule_uuid
    left join namespace n on n.uuid = r.phi_namespace
    left join study s on s.uuid = r.study_uuid and s.phi_namespace = r.phi_namespace and s.deleted_at is null
      and not s.must_approve and s.phi_namespace = any(${seenPlaces as string[]})
    where r.rule_uuid = ${ruleUuid} and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  `.execute(db)
  return rows
}
