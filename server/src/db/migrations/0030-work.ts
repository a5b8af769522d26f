import { type Kysely, sql } from 'kysely'

/**
 * Work that no request waits for, with what it is about, when it is due and why it did not go well. Work that an earlier
 * release left in its own queue comes along; what comes by the clock is entered by the worker.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table work (
    uuid uuid primary key,
    seq bigint generated always as identity,
    job text not null,
    payload jsonb not null,
    lane text not null,
    key text,
    by_clock boolean not null default false,
    state text not null default 'waiting' check (state in ('waiting', 'running', 'failed', 'cancelled')),
    run_at timestamptz not null default now(),
    tries integer not null default 0,
    error text,
    message text,
    user_uuid uuid,
    account_uuid uuid,
    study_uuid uuid,
    worker uuid,
    lease_until timestamptz,
    cancelled_at timestamptz,
    cancelled_by uuid,
    created timestamptz not null default now(),
    updated timestamptz not null default now()
  )`,
  // the head of each lane, asked every second
  `create index work_waiting on work (lane, run_at, seq) where state = 'waiting'`,
  // a lane runs one at a time, whatever processes do
  `create unique index work_running on work (lane) where state = 'running'`,
  // asking twice for the same is asking once
  `create unique index work_once on work (job, key) where state = 'waiting' and key is not null`,
  `create unique index work_by_clock on work (job) where by_clock`,
  // somebody's own and an organisation's, newest first
  `create index work_of_user on work (user_uuid, created desc, uuid) where user_uuid is not null`,
  `create index work_of_account on work (account_uuid, created desc, uuid) where account_uuid is not null`,

  `do $$
  begin
    if to_regclass('jobs.job') is not null then
      insert into work (uuid, job, payload, lane, run_at, user_uuid, study_uuid, created)
      select coalesce((data ->> 'work')::uuid, id), name, data,
        name || ':' || coalesce(data #>> '{studyUuid}', ''), start_after,
        (data ->> 'userUuid')::uuid, (data ->> 'studyUuid')::uuid, created_on
      from jobs.job
      where name = 'wrap-attachment' and state in ('created', 'retry', 'active') and data is not null
      on conflict do nothing;
      drop schema jobs cascade;
    end if;
  end $$`,
]
