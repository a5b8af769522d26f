import { type Kysely, sql } from 'kysely'

/** Worklists of destinations: what a search found there, and the orders that were taken from one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table destination_search
    add column worklist boolean not null default false,
    add column orders jsonb not null default '[]'`,
  // names the item of the worklist, so that it is one order however often it is taken
  `alter table imaging_order add column worklist_key text`,
  `create unique index order_of_worklist on imaging_order (account_uuid, namespace_uuid, worklist_key)
    where worklist_key is not null`,
]
