import type { RouteRun, RouteRunState } from '@hilum/contract/calls/route'
import { sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import { findContent } from '../push/push.sql.ts'
import { hasNotActed } from '../routing/ask-again.sql.ts'
import { isLastRun } from '../routing/last-run.sql.ts'
import { isRulesFault } from '../routing/rules-fault.sql.ts'

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
  /** The failed run of which this one does what is left. */
  again_of: string | null
  run_at: Date | null
  /** Number of the arrival of images that the run was entered for, from 1; null where arrivals do not decide. */
  arrival: number | null
}

const columns = sql`
  r.uuid, r.rule_uuid, r.account_uuid, r.phi_namespace, r.study_uuid, r.trigger, r.occasion, r.chain, r.state, r.reason,
  r.detail, r.by_user, r.again_of, r.run_at, r.arrival`

/** Enters a run; false when the rule looked at the study on this occasion before. */
export async function insertRun(tx: Tx, one: RunRow): Promise<boolean> {
  const { rows } = await sql`
    insert into route_run (
      uuid, rule_uuid, account_uuid, phi_namespace, study_uuid, trigger, occasion, chain, state, reason, detail, by_user,
      again_of, run_at, arrival, ended
    )
    values (
      ${one.uuid}, ${one.rule_uuid}, ${one.account_uuid}, ${one.phi_namespace}, ${one.study_uuid}, ${one.trigger},
      ${one.occasion}, ${one.chain}::uuid[], ${one.state}, ${one.reason}, ${JSON.stringify(one.detail)}::jsonb,
      ${one.by_user}, ${one.again_of}, ${one.run_at}, ${one.arrival}, case when ${one.state} <> 'waiting' then now() end
    )
    on conflict (rule_uuid, study_uuid, occasion) do nothing
    returning uuid
  `.execute(tx)
  return rows.length > 0
}

/** Has the runs of a rule on one study entered one after the other. */
export async function lockRuleOnStudy(tx: Tx, ruleUuid: string, studyUuid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('runs ' || ${ruleUuid} || ${studyUuid}, 0))`.execute(tx)
}

/** The run by which a rule has acted on a study, or will, other than by hand; else the last one that failed. */
export async function findPriorRun(tx: Tx, ruleUuid: string, studyUuid: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    select ${columns}
    from route_run r
    where r.rule_uuid = ${ruleUuid} and r.study_uuid = ${studyUuid} and r.trigger <> 'manual' and r.state <> 'not_matched'
    order by r.state = 'failed', r.created desc, r.uuid
    limit 1
  `.execute(tx)
  return rows[0]
}

/** Runs of a study that failed, of rules that have not acted on it otherwise, nor will; in the order of the rules. */
export async function listFailedRuns(db: Db, studyUuid: string): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select ${columns}
    from route_run r
    join routing_rule u on u.uuid = r.rule_uuid
    where r.study_uuid = ${studyUuid} and ${hasNotActed}
      and not exists (
        select
        from route_run l
        where l.rule_uuid = r.rule_uuid and l.study_uuid = r.study_uuid and l.trigger <> 'manual' and l.state = 'failed'
          and (l.created, l.uuid) > (r.created, r.uuid)
      )
    order by u.sequence, u.uuid
  `.execute(db)
  return rows
}

/** Condition that run `r` failed and no later one of its rule acts on the study, or failed too. */
const mayRunAgain = sql`(r.state = 'failed' and ${isLastRun('r')})`

/** Whether a run can be run again. */
export async function isOpenToRunAgain(tx: Tx, uuid: string): Promise<boolean> {
  const { rows } = await sql`select from route_run r where r.uuid = ${uuid} and ${mayRunAgain}`.execute(tx)
  return rows.length > 0
}

/**
 * Failed runs of a rule as account/stuck counts them, the oldest first.
 * @param after a run of the rule behind which the list begins
 * @returns so many of them, and the number of those behind these
 */
export async function listFaultyRuns(
  db: Db,
  ruleUuid: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ runs: string[]; left: number }> {
  const { rows } = await sql<{ uuid: string; total: number }>`
    select r.uuid, count(*) over ()::integer as total
    from route_run r
    where r.rule_uuid = ${ruleUuid} and ${isRulesFault('r')}
      and (${after ?? null}::uuid is null or (r.created, r.uuid) > (
        select a.created, a.uuid from route_run a where a.uuid = ${after ?? null} and a.rule_uuid = r.rule_uuid
      ))
    order by r.created, r.uuid
    limit ${limit}
  `.execute(db)
  return { runs: rows.map(({ uuid }) => uuid), left: (rows[0]?.total ?? 0) - rows.length }
}

/** An action that was done: on what, or without `target` as runs of earlier releases kept it. */
export interface DoneAction {
  kind: string
  target: string | null
  name: string
}

/**
 * Actions of a rule on a study that a run need not do: those that it has done itself, and if it follows a failed run, those
 * of all earlier ones. By hand a rule does all anew, so that after a failed run by hand those alone count that it follows.
 */
export async function listDoneActions(db: Db, run: RunRow): Promise<DoneAction[]> {
  const { rows } = await sql<DoneAction>`
    with recursive followed as (
      select ${run.uuid}::uuid as uuid, ${run.again_of}::uuid as again_of
      union all
      select b.uuid, b.again_of
      from route_run b
      join followed f on b.uuid = f.again_of
    )
    select distinct a.value ->> 'kind' as kind, a.value ->> 'target' as target,
      a.value ->> 'name' as name
    from route_run r
    cross join lateral jsonb_array_elements(
      case when jsonb_typeof(r.detail -> 'actions') = 'array' then r.detail -> 'actions' end
    ) a
    where r.rule_uuid = ${run.rule_uuid} and r.study_uuid = ${run.study_uuid}
      and a.value ->> 'result' in ('done', 'unchanged', 'before')
      and (r.uuid in (select f.uuid from followed f)
        or (${run.again_of}::uuid is not null and ${run.trigger}::text <> 'manual'))
  `.execute(db)
  return rows
}

/** Whether all that a study shows was sent to a destination since a run failed. */
export async function hasPushedSince(
  db: Db,
  study: { phi_namespace: string; uuid: string },
  destinationUuid: string,
  failedRun: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from push p
    join route_run r on r.uuid = ${failedRun} and r.created <= p.created
    where p.phi_namespace = ${study.phi_namespace} and p.study_uuid = ${study.uuid}
      and p.destination_uuid = ${destinationUuid} and p.status = 'S'
      and p.content = ${await findContent(db, study.phi_namespace, study.uuid)}
  `.execute(db)
  return rows.length > 0
}

/** Notes what a run has done so far: it may be begun again. */
export async function noteDone(db: Db, uuid: string, actions: readonly object[]): Promise<void> {
  await sql`
    update route_run
    set detail = ${JSON.stringify({ actions })}::jsonb
    where uuid = ${uuid} and state = 'waiting'
  `.execute(db)
}

/** A run, and since when its delay runs. */
export async function lockRouteRun(tx: Tx, uuid: string): Promise<(RunRow & { delay_from: Date }) | undefined> {
  const { rows } = await sql<RunRow & { delay_from: Date }>`
    select ${columns}, coalesce(r.delay_from, r.created) as delay_from from route_run r where r.uuid = ${uuid} for update
  `.execute(tx)
  return rows[0]
}

/** Has the delay of a run begin at a time other than that of its entry. */
export async function setDelayFrom(tx: Tx, uuid: string, delayFrom: Date): Promise<void> {
  await sql`update route_run set delay_from = ${delayFrom} where uuid = ${uuid}`.execute(tx)
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

/** Has the waiting runs of a rule asked again now, whose delay or hours are others from now on. */
export async function askWaitingRuns(tx: Tx, ruleUuid: string): Promise<void> {
  await sql`
    update work w
    set run_at = now()
    from route_run r
    where r.rule_uuid = ${ruleUuid} and r.state = 'waiting' and r.run_at is not null
      and w.job = 'run-route' and w.key = r.uuid::text and w.state = 'waiting' and w.run_at > now()
  `.execute(tx)
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
      (${mayRunAgain} and exists (
        select from study d where d.uuid = r.study_uuid and d.deleted_at is null and ${hasLiveSource('d')}
      ))::integer as may_run_again, (r.again_of is not null)::integer as again,
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
