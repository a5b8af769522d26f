import { type Kysely, sql } from 'kysely'

/** Acts of people under a key of the client's, with their sealed answers; without one while they are under way, or where it was lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table answered_act (
    user_uuid uuid not null references app_user on delete cascade,
    key_digest bytea not null,
    call text not null,
    -- of the parameters, by the key itself, which is stored nowhere
    sent_mac bytea not null,
    sealed_answer bytea,
    begun timestamptz not null default now(),
    primary key (user_uuid, key_digest)
  )`,
  // those whose time is over
  `create index answered_act_by_begun on answered_act (begun)`,
]
