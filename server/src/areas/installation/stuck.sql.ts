import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { lateMinutes } from '../job/late-work.ts'
import { isOvertakenPush } from '../nomination/overtaken-push.sql.ts'
import { isRulesFault } from '../routing/rules-fault.sql.ts'

const stamp = 'YYYY-MM-DD HH24:MI:SS.US+00'

interface Delay {
  count: number
  /** Null when nothing is late. */
  since: string | null
}

/** Work by the clock that nobody takes though it is due; `jobs` are those of this release. */
export async function findLateClockWork(db: Db, jobs: readonly string[]): Promise<Delay> {
  const { rows } = await sql<Delay>`
    select count(*)::int as count, to_char(min(run_at) at time zone 'UTC', ${stamp}) as since
    from work
    where by_clock
      and state = 'waiting'
      and job = any(${jobs}::text[])
      and run_at < now() - make_interval(mins => ${lateMinutes})
  `.execute(db)
  return rows[0] ?? { count: 0, since: null }
}

/** Work by the clock whose last run failed, and when. Words of the failure may be of any organisation: they are not read. */
export async function listFailedClockWork(
  db: Db,
  jobs: readonly string[],
): Promise<{ name: string; since: string | null }[]> {
  const { rows } = await sql<{ name: string; since: string | null }>`
    select job as name, to_char(updated at time zone 'UTC', ${stamp}) as since
    from work
    where by_clock
      and error is not null
      and job = any(${jobs}::text[])
    order by job
  `.execute(db)
  return rows
}

/** Audit rows that have waited for their seal for more than an hour, where a minute is usual. */
export async function findUnsealed(db: Db): Promise<Delay> {
  const { rows } = await sql<Delay>`
    select count(*)::int as count, to_char(min(at) at time zone 'UTC', ${stamp}) as since
    from audit
    where seal_number is null
      and at < now() - interval '1 hour'
  `.execute(db)
  return rows[0] ?? { count: 0, since: null }
}

/**
 * Condition that push `p` of an account failed in the last month and was not dismissed since, that no nomination has overtaken
 * it, and that its exam is not deleted.
 */
const isStuckPush = (accountUuid: string) => sql`(
  p.account_uuid = ${accountUuid}
  and p.status = 'F'
  and p.updated > now() - interval '30 days'
  and (p.dismissed_at is null or p.dismissed_at < p.updated)
  and not ${isOvertakenPush}
  and exists (
    select
    from study s
    where s.phi_namespace = p.phi_namespace and s.uuid = p.study_uuid and s.deleted_at is null
  )
)`

/** Failed pushes of an account that wait for somebody, by destination; destinations that were deleted are left out. */
export async function listFailedPushes(
  db: Db,
  accountUuid: string,
): Promise<(Delay & { name: string; destination_id: string })[]> {
  const { rows } = await sql<Delay & { name: string; destination_id: string }>`
    select d.uuid as destination_id, d.name, count(*)::int as count, to_char(min(p.updated) at time zone 'UTC', ${stamp}) as since
    from push p
    join destination d on d.uuid = p.destination_uuid and d.deleted_at is null
    where ${isStuckPush(accountUuid)}
    group by d.uuid, d.name
    order by d.name, d.uuid
  `.execute(db)
  return rows
}

interface FailingRule extends Delay {
  rule_id: string
  name: string
  place_name: string
}

/**
 * Routing rules of an account that are switched on, with the exams that are there and on which the last run failed for another
 * reason than the exam: what the rule acts on is gone, or takes nothing. A later run on the exam ends it, and so does a dismissal.
 */
export async function listFailingRules(db: Db, accountUuid: string): Promise<FailingRule[]> {
  const { rows } = await sql<FailingRule>`
    select u.uuid as rule_id, u.name, coalesce(n.name, '') as place_name, count(*)::int as count, to_char(min(r.created) at time zone 'UTC', ${stamp}) as since
    from routing_rule u
    left join namespace n on n.uuid = u.namespace_uuid
    join route_run r on r.rule_uuid = u.uuid and ${isRulesFault('r')}
    where u.account_uuid = ${accountUuid}
      and u.deleted_at is null
      and not u.suspended
    group by u.uuid, u.name, n.name
    order by lower(u.name), u.name, u.uuid
  `.execute(db)
  return rows
}

/** Number of the rules that `listFailingRules` lists: each is asked for one such exam alone. */
export async function countFailingRules(db: Db, accountUuid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from routing_rule u
    where u.account_uuid = ${accountUuid}
      and u.deleted_at is null
      and not u.suspended
      and exists (select from route_run r where r.rule_uuid = u.uuid and ${isRulesFault('r')})
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Takes the failed pushes to a destination off the page; one that fails again later stands there again. @returns how many */
export async function dismissFailedPushes(db: Db, accountUuid: string, destinationUuid: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update push p
    set dismissed_at = now()
    where p.destination_uuid = ${destinationUuid}
      and ${isStuckPush(accountUuid)}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Takes the failed runs of a rule that is switched on off the page; the next one that fails stands there. @returns how many */
export async function dismissFailedRuns(db: Db, accountUuid: string, ruleUuid: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update route_run r
    set dismissed_at = now()
    from routing_rule u
    where u.uuid = ${ruleUuid}
      and u.account_uuid = ${accountUuid}
      and u.deleted_at is null
      and not u.suspended
      and r.rule_uuid = u.uuid
      and ${isRulesFault('r')}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Brings the next time of work by the clock that failed to this moment. False where it did not fail, or runs. */
export async function retryClockWork(db: Db, job: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update work
    set run_at = now(), tries = 0
    where by_clock
      and job = ${job}
      and error is not null
      and state = 'waiting'
  `.execute(db)
  return numAffectedRows === 1n
}
