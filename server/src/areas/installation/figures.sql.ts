import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

interface JobFigures {
  job: string
  /** Due now or later, jobs by the clock among them. */
  waiting: number
  running: number
  /** Given up after the last try, and not yet forgotten. */
  failed: number
  /** Since when the oldest due piece of work waits; 0 when none is due. */
  delay_seconds: number
}

export async function listJobFigures(db: Db): Promise<JobFigures[]> {
  const { rows } = await sql<JobFigures>`
    select job,
      count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'failed')::int as failed,
      greatest(coalesce(extract(epoch from now() - min(run_at) filter (where state = 'waiting')), 0), 0)::float8
        as delay_seconds
    from work
    group by job
    order by job
  `.execute(db)
  return rows
}

interface MailFigures {
  waiting: number
  /** Waiting mails that the mail server has refused at least once. */
  refused: number
  /** Age of the oldest waiting mail; 0 when none waits. */
  age_seconds: number
}

export async function findMailFigures(db: Db): Promise<MailFigures> {
  const { rows } = await sql<MailFigures>`
    select count(*)::int as waiting,
      count(*) filter (where last_error is not null)::int as refused,
      coalesce(extract(epoch from now() - min(created)), 0)::float8 as age_seconds
    from mail
    where sent_at is null
  `.execute(db)
  return rows[0] ?? { waiting: 0, refused: 0, age_seconds: 0 }
}

/** Age of the oldest audit row without a seal; 0 when every row is sealed. */
export async function findUnsealedSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ age_seconds: number }>`
    select coalesce(extract(epoch from now() - min(at)), 0)::float8 as age_seconds
    from audit
    where seal_number is null
  `.execute(db)
  return rows[0]?.age_seconds ?? 0
}
