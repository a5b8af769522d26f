import { type Kysely, sql } from 'kysely'

/** Searches at destinations with their answers, kept for a day, and the studies that are fetched by them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table destination_search (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    destination_uuid uuid not null references destination (uuid),
    user_uuid uuid not null references app_user (uuid),
    -- the place that studies are fetched for
    phi_namespace uuid not null references namespace (uuid),
    criteria jsonb not null,
    state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
    message text not null default '',
    results jsonb not null default '[]',
    is_cut boolean not null default false,
    created timestamptz not null default now()
  )`,
  // the sweep
  `create index destination_search_age on destination_search (created)`,
  `create table retrieval (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    node_uuid uuid not null references node (uuid),
    destination_uuid uuid not null references destination (uuid),
    search_uuid uuid not null,
    user_uuid uuid not null references app_user (uuid),
    phi_namespace uuid not null references namespace (uuid),
    study_uid text not null,
    state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'partial', 'failed')),
    message text not null default '',
    -- Message ID of the C-MOVE, which comes back with each object
    message_id integer,
    -- images, as the peer counts them
    total integer,
    completed integer not null default 0,
    failed integer not null default 0,
    created timestamptz not null default now(),
    updated timestamptz not null default now()
  )`,
  // the progress of a search's studies
  `create index retrieval_of_search on retrieval (search_uuid)`,
  // one study is fetched once at a time from a destination into a place
  `create unique index retrieval_once on retrieval (phi_namespace, destination_uuid, study_uid)
    where state in ('waiting', 'running')`,
  // the retrieval that an object belongs to, when a peer sends to our node
  `create index retrieval_running on retrieval (node_uuid) where state = 'running'`,
]
