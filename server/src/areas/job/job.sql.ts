import type { JobState } from '@hilum/contract/calls/job'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { JobKey, JobProgress } from './job-feed.ts'

/** The failure of a job, or of a part of it. */
export interface JobFault {
  error: string
  message: string
}

type ProgressRow = {
  state: JobState
  sent: number
  total: number | null
  error: string | null
  message: string | null
}
type JobRow = ProgressRow & { job_id: string; namespace_uuid: string; created: string; updated: string }

/** The job that a person named so; of the same name in several namespaces the one that changed last. */
export async function findJob(db: Db, userUuid: string, jobId: string): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select job_id, namespace_uuid, state, sent, total, error, message,
      to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as created,
      to_char(updated at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as updated
    from job
    where user_uuid = ${userUuid}
      and job_id = ${jobId}
    order by job.updated desc, namespace_uuid
    limit 1
  `.execute(db)
  return rows[0]
}

/** A request that belongs to the job begins; of a job that had ended it is a new beginning. */
export function beginRequest(db: Db, key: JobKey): Promise<JobProgress | undefined> {
  return change(
    db,
    key,
    sql`
      insert into job (user_uuid, namespace_uuid, job_id, running, total)
      values (${key.userUuid}, ${key.namespaceUuid}, ${key.jobId}, 1, 1)
      on conflict (user_uuid, job_id, namespace_uuid) do update
      set running = job.running + 1, has_begun = true, ${orAnew(sql`1`)}
    `,
  )
}

export function endRequest(db: Db, key: JobKey, fault: JobFault | undefined): Promise<JobProgress | undefined> {
  return change(
    db,
    key,
    sql`
      update job
      set running = greatest(running - 1, 0),
        sent = case
          when running <= 1 and put_off = '{}' and ${isWell(fault)} then coalesce(total, sent + 1)
          when has_begun and put_off <> '{}' then sent -- work counts by itself
          else sent + 1
        end,
        ${faultOr(fault)},
        updated = now()
      where ${isJob(key)}
    `,
  )
}

/** Work of the job goes on the queue, under a uuid of its own. */
export function putOffWork(db: Db, key: JobKey, work: string): Promise<JobProgress | undefined> {
  return change(
    db,
    key,
    sql`
      insert into job (user_uuid, namespace_uuid, job_id, put_off, has_begun, total)
      values (${key.userUuid}, ${key.namespaceUuid}, ${key.jobId}, array[${work}::uuid], false, 1)
      on conflict (user_uuid, job_id, namespace_uuid) do update
      set put_off = job.put_off || ${work}::uuid,
        has_begun = job.put_off <> '{}' and job.has_begun,
        ${orAnew(sql`1`)}
    `,
  )
}

/** How far work from the queue is. Of work that has ended, or was swept away, nothing more is told. */
export function goOnWork(
  db: Db,
  key: JobKey,
  work: string,
  { sent, total }: { sent: number; total: number },
): Promise<JobProgress | undefined> {
  return change(
    db,
    key,
    sql`
      update job
      set has_begun = true, sent = ${sent}, total = ${total}, updated = now()
      where ${isJob(key)}
        and ${work}::uuid = any(put_off)
    `,
  )
}

export function endWork(
  db: Db,
  key: JobKey,
  work: string,
  fault: JobFault | undefined,
): Promise<JobProgress | undefined> {
  return change(
    db,
    key,
    sql`
      update job
      set put_off = array_remove(put_off, ${work}::uuid),
        sent = case
          when running = 0 and array_remove(put_off, ${work}::uuid) = '{}' and ${isWell(fault)} then coalesce(total, sent)
          else sent
        end,
        ${faultOr(fault)},
        updated = now()
      where ${isJob(key)}
        and ${work}::uuid = any(put_off)
    `,
  )
}

/** Sets what a job that is one download stands at. */
export function putProgress(db: Db, progress: JobProgress): Promise<JobProgress | undefined> {
  const { userUuid, namespaceUuid, jobId, state, sent, total = null, error = null, message = null } = progress
  const running = state === 'RUNNING' ? 1 : 0
  return change(
    db,
    progress,
    sql`
      insert into job (user_uuid, namespace_uuid, job_id, running, sent, total, error, message)
      values (${userUuid}, ${namespaceUuid}, ${jobId}, ${running}, ${sent}, ${total}, ${error}, ${message})
      on conflict (user_uuid, job_id, namespace_uuid) do update
      set running = excluded.running, put_off = '{}', sent = excluded.sent, total = excluded.total,
        error = excluded.error, message = excluded.message, updated = now()
    `,
  )
}

/** Of which nothing was heard for long: its process ended, or the queue lost it. */
export async function failSilentJobs(db: Db, before: Date, { error, message }: JobFault): Promise<void> {
  await sql`
    update job
    set running = 0, put_off = '{}', error = ${error}, message = ${message}, updated = now()
    where updated < ${before}
      and state in ('SCHEDULED', 'RUNNING')
  `.execute(db)
}

export async function deleteJobsBefore(db: Db, before: Date): Promise<void> {
  await sql`
    delete from job
    where updated < ${before}
      and state in ('DONE', 'ERROR')
  `.execute(db)
}

/** Adds to a job that is open; begins one that had ended anew. */
function orAnew(parts: RawBuilder<unknown>): RawBuilder<unknown> {
  const isOpen = sql`job.state in ('SCHEDULED', 'RUNNING')`
  return sql`
    sent = case when ${isOpen} then job.sent else 0 end,
    total = case when ${isOpen} then coalesce(job.total, 0) + ${parts} else ${parts} end,
    error = case when ${isOpen} then job.error end,
    message = case when ${isOpen} then job.message end,
    updated = now()
  `
}

/** Whether the job ends well if it ends now: all its parts are done then, in whatever order they told of themselves. */
function isWell(fault: JobFault | undefined): RawBuilder<unknown> {
  return sql`error is null and ${fault === undefined}::boolean`
}

/** The first failure stays. */
function faultOr(fault: JobFault | undefined): RawBuilder<unknown> {
  return sql`
    message = case when error is null then ${fault?.message ?? null} else message end,
    error = coalesce(error, ${fault?.error ?? null})
  `
}

function isJob({ userUuid, namespaceUuid, jobId }: JobKey): RawBuilder<unknown> {
  return sql`user_uuid = ${userUuid} and job_id = ${jobId} and namespace_uuid = ${namespaceUuid}`
}

async function change(db: Db, key: JobKey, statement: RawBuilder<unknown>): Promise<JobProgress | undefined> {
  const { rows } = await sql<ProgressRow>`${statement} returning state, sent, total, error, message`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { jobId, userUuid, namespaceUuid } = key
  return {
    jobId,
    userUuid,
    namespaceUuid,
    state: row.state,
    sent: row.sent,
    total: row.total ?? undefined,
    error: row.error ?? undefined,
    message: row.message ?? undefined,
  }
}
