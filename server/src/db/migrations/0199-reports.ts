import { type Kysely, sql } from 'kysely'

/** Reports as files, for the person who had them made; kept for hours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table report (
    uuid uuid primary key,
    user_uuid uuid not null references app_user on delete cascade,
    account_uuid uuid not null references account on delete cascade,
    namespace_uuid uuid not null references namespace on delete cascade,
    act text not null,
    name text not null,
    csv bytea not null,
    created timestamptz not null default now(),
    fetched timestamptz
  )`,
  // those that are over, which the sweep takes
  `create index report_oldest on report (created)`,
]
