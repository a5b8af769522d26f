import { type Kysely, sql } from 'kysely'

/** People who asked for a retrieval, each with the search: of one exam that two people want at one time, both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table retrieval_asker (
    retrieval_uuid uuid not null references retrieval (uuid) on delete cascade,
    search_uuid uuid not null,
    user_uuid uuid not null references app_user (uuid),
    asked timestamptz not null default now(),
    primary key (retrieval_uuid, search_uuid)
  )`,
  // the progress of a search's studies
  `create index retrieval_asker_of_search on retrieval_asker (search_uuid)`,
  `insert into retrieval_asker (retrieval_uuid, search_uuid, user_uuid, asked)
    select uuid, search_uuid, user_uuid, created
    from retrieval`,
]
