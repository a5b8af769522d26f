import { type Kysely, sql } from 'kysely'

/**
 * Jobs that requests name, by the person who named them. A job is made of requests under way and of work put off into
 * the queue; the latter by its own uuid, so that work that is given out twice ends once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table job (
    user_uuid uuid not null references app_user (uuid) on delete cascade,
    namespace_uuid uuid not null,
    job_id text not null,
    running integer not null default 0,
    put_off uuid[] not null default '{}',
    has_begun boolean not null default true,
    sent bigint not null default 0,
    total bigint,
    error text,
    message text,
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    state text not null generated always as (
      case
        when running > 0 or (has_begun and put_off <> '{}') then 'RUNNING'
        when put_off <> '{}' then 'SCHEDULED'
        when error is not null then 'ERROR'
        else 'DONE'
      end
    ) stored,
    primary key (user_uuid, job_id, namespace_uuid)
  )`,
  // jobs old enough to be deleted
  `create index job_updated on job (updated)`,
]
