import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { WorkFault } from './work-failure.ts'

/** The person and the object of the work, which decide who may see and cancel it. */
export interface WorkAbout {
  /** The person who asked for it. */
  userUuid?: string
  /** The organisation whose administrators see it. */
  accountUuid?: string
  studyUuid?: string
}

type NewWork = WorkAbout & {
  uuid: string
  job: string
  payload: object
  lane: string
  key: string | undefined
  runAt: Date | undefined
}

/** Enters work; where the same job waits under the same key already, that stays. Gives which one waits. */
export async function insertWork(db: Db, work: NewWork): Promise<string> {
  const { rows } = await sql<{ uuid: string }>`
    insert into work (uuid, job, payload, lane, key, run_at, user_uuid, account_uuid, study_uuid)
    values (
      ${work.uuid}, ${work.job}, ${JSON.stringify(work.payload)}::jsonb, ${work.lane}, ${work.key ?? null},
      coalesce(${work.runAt ?? null}::timestamptz, now()), ${work.userUuid ?? null}, ${work.accountUuid ?? null},
      ${work.studyUuid ?? null}
    )
    on conflict (job, key) where state = 'waiting' and key is not null do update
    set run_at = least(work.run_at, excluded.run_at)
    returning uuid
  `.execute(db)
  return rows[0]?.uuid ?? work.uuid
}

/** Enters what comes by the clock, once; where a release moved it forward, it comes at the earlier time. */
export async function enterClockWork(db: Db, job: string, runAt: Date): Promise<void> {
  await sql`
    insert into work (uuid, job, payload, lane, by_clock, run_at)
    values (gen_random_uuid(), ${job}, '{}', ${job}, true, ${runAt})
    on conflict (job) where by_clock do update
    set run_at = excluded.run_at
    where work.state = 'waiting' and excluded.run_at < work.run_at
  `.execute(db)
}

/** Work of a job that comes by the clock no more. */
export async function deleteClockWorkBut(db: Db, jobs: readonly string[]): Promise<void> {
  await sql`
    delete from work
    where by_clock and state = 'waiting' and job <> all(${jobs}::text[])
      and run_at < now() - interval '2 days'
  `.execute(db)
}

/** A run that a process holds; the number of its try tells it from another run of the same work. */
export interface HeldWork {
  uuid: string
  worker: string
  tries: number
}

export type TakenWork = HeldWork & { job: string; payload: unknown; by_clock: boolean }

/** Lanes of one owner (`owner/rest`) in which work runs at a time, so that no owner takes all the room of a job. */
const lanesOfOwner = 2

/**
 * Takes due work: the head of each lane in which nothing runs, of each job at most as many as there is room for, the first
 * of each owner before the second of any. Where two processes take from one lane at the same moment, the second is rolled back (23505) and asks again.
 */
export async function takeWork(
  db: Db,
  worker: string,
  room: readonly { job: string; free: number }[],
  leaseSeconds: number,
): Promise<TakenWork[]> {
  const names = room.map((one) => one.job)
  const { rows } = await sql<TakenWork>`
    /* prepared */
    with recursive lanes as (
      (select lane from work where state = 'waiting' order by lane limit 1)
      union all
      select (select w.lane from work w where w.state = 'waiting' and w.lane > l.lane order by w.lane limit 1)
      from lanes l
      where l.lane is not null
    ), busy as (
      select split_part(lane, '/', 1) as owner, count(*) as count
      from work
      where state = 'running' and strpos(lane, '/') > 0
      group by 1
    ), heads as (
      select h.uuid, h.job, h.free, h.run_at, h.seq,
        case
          when strpos(l.lane, '/') = 0 then 1
          else coalesce(b.count, 0)
            + row_number() over (partition by split_part(l.lane, '/', 1) order by h.run_at, h.seq)
        end as turn
      from lanes l
      cross join lateral (
        select w.uuid, w.job, w.run_at, w.seq, f.free
        from work w
        join unnest(${names}::text[], ${room.map((one) => one.free)}::integer[]) as f (job, free) on f.job = w.job
        where w.state = 'waiting' and w.lane = l.lane and w.run_at <= now()
        order by w.run_at, w.seq
        limit 1
      ) h
      left join busy b on b.owner = split_part(l.lane, '/', 1)
      where l.lane is not null
        and not exists (select from work r where r.state = 'running' and r.lane = l.lane)
    ), places as (
      select uuid, free, row_number() over (partition by job order by turn, run_at, seq) as place
      from heads
      where turn <= ${lanesOfOwner}
    ), free as (
      select w.uuid
      from places h
      join work w on w.uuid = h.uuid
      where h.place <= h.free
        and w.state = 'waiting'
      for update of w skip locked
    )
    update work w
    set state = 'running', tries = w.tries + 1, worker = ${worker},
      lease_until = now() + make_interval(secs => ${leaseSeconds}), updated = now()
    from free
    where w.uuid = free.uuid
    returning w.uuid, w.worker, w.tries, w.job, w.payload, w.by_clock
  `.execute(db)
  return rows
}

/** Holds on to what a process runs. Gives what it still holds, and what of it was cancelled. */
export async function renewWork(
  db: Db,
  worker: string,
  leaseSeconds: number,
): Promise<(HeldWork & { is_cancelled: boolean })[]> {
  const { rows } = await sql<HeldWork & { is_cancelled: boolean }>`
    update work
    set lease_until = now() + make_interval(secs => ${leaseSeconds})
    where state = 'running' and worker = ${worker}
    returning uuid, worker, tries, cancelled_at is not null as is_cancelled
  `.execute(db)
  return rows
}

/** Runs that nobody holds on to any more: their process ended, or was out of reach for too long. */
export async function listLostWork(db: Db): Promise<TakenWork[]> {
  const { rows } = await sql<TakenWork>`
    select uuid, worker, tries, job, payload, by_clock
    from work
    where state = 'running' and lease_until < now()
    order by seq
  `.execute(db)
  return rows
}

/** A run as it ends, locked; undefined when another has the work by now. */
export async function lockRun(tx: Tx, held: HeldWork): Promise<{ is_cancelled: boolean } | undefined> {
  const { rows } = await sql<{ is_cancelled: boolean }>`
    select cancelled_at is not null as is_cancelled
    from work
    where ${isHeld(held)}
    for update
  `.execute(tx)
  return rows[0]
}

/** How a run ended. */
export type WorkEnd =
  | { kind: 'done' }
  /** To be done again at a time; without a fault as what comes by the clock. */
  | { kind: 'again'; runAt: Date; fault?: WorkFault; isFresh: boolean }
  | { kind: 'failed'; fault: WorkFault }
  | { kind: 'cancelled'; fault: WorkFault }

/** Ends a run, unless another has the work by now. Where the same waits under its key already, that is the next try. */
export async function endRun(tx: Tx, held: HeldWork, end: WorkEnd): Promise<void> {
  if (end.kind === 'done') {
    await sql`delete from work where ${isHeld(held)}`.execute(tx)
    return
  }
  if (end.kind === 'again') {
    const { numAffectedRows } = await sql`
      delete from work
      where ${isHeld(held)}
        and exists (select from work o where o.job = work.job and o.key = work.key and o.state = 'waiting')
    `.execute(tx)
    if (numAffectedRows === 1n) return
  }
  const again = end.kind === 'again' ? end : undefined
  const { error, message } = end.fault ?? { error: null, message: null }
  await sql`
    update work
    set state = ${again ? 'waiting' : end.kind}, run_at = coalesce(${again?.runAt ?? null}::timestamptz, run_at),
      tries = case when ${again?.isFresh ?? false} then 0 else tries end,
      error = ${error}, message = ${message}, worker = null, lease_until = null, updated = now()
    where ${isHeld(held)}
  `.execute(tx)
}

function isHeld({ uuid, worker, tries }: HeldWork) {
  return sql`uuid = ${uuid} and worker = ${worker} and tries = ${tries} and state = 'running'`
}

/** Work that no release from now on knows: due for a day, and nobody took it. */
export async function failUnknownWork(db: Db, known: readonly string[], fault: WorkFault): Promise<void> {
  await sql`
    update work
    set state = 'failed', error = ${fault.error}, message = ${fault.message}, updated = now()
    where state = 'waiting'
      and not by_clock
      and run_at < now() - interval '1 day'
      and job <> all(${known}::text[])
  `.execute(db)
}

/** Work that ended undone is forgotten after a time. */
export async function deleteEndedWork(db: Db, before: Date): Promise<void> {
  await sql`
    delete from work
    where state in ('failed', 'cancelled')
      and updated < ${before}
  `.execute(db)
}

/** Work that waits or runs, locked; undefined when it has ended, or comes by the clock. */
export async function lockOpenWork(tx: Tx, uuid: string): Promise<{ job: string; payload: object } | undefined> {
  const { rows } = await sql<{ job: string; payload: object }>`
    select job, payload
    from work
    where uuid = ${uuid}
      and state in ('waiting', 'running')
      and not by_clock
    for update
  `.execute(tx)
  return rows[0]
}

/** Makes work that of another person. */
export async function giveWork(tx: Tx, uuid: string, userUuid: string): Promise<void> {
  await sql`
    update work
    set user_uuid = ${userUuid}, updated = now()
    where uuid = ${uuid}
  `.execute(tx)
}

/** Marks work as cancelled; a run hears of it and ends by itself. Undefined when it has ended, or comes by the clock. */
export async function markCancelled(
  tx: Tx,
  uuid: string,
  userUuid: string,
  { error, message }: WorkFault,
): Promise<{ uuid: string; job: string; payload: unknown; state: 'cancelled' | 'running' } | undefined> {
  const { rows } = await sql<{ uuid: string; job: string; payload: unknown; state: 'cancelled' | 'running' }>`
    update work
    set state = case state when 'waiting' then 'cancelled' else state end,
      error = case state when 'waiting' then ${error} else error end,
      message = case state when 'waiting' then ${message} else message end,
      cancelled_at = coalesce(cancelled_at, now()), cancelled_by = coalesce(cancelled_by, ${userUuid}), updated = now()
    where uuid = ${uuid}
      and state in ('waiting', 'running')
      and not by_clock
    returning uuid, job, payload, state
  `.execute(tx)
  return rows[0]
}
