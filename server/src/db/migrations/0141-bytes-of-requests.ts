import { type Kysely, sql } from 'kysely'

/** The bytes that requests and openings of share codes may store, and those that they stored or are storing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // 20 GB for requests that were made before
  await sql`
    alter table link_request
      add column max_bytes bigint not null default 21474836480,
      add column stored_bytes bigint not null default 0
  `.execute(db)
}
