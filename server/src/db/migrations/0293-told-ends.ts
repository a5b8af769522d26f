import { type Kysely, sql } from 'kysely'

/** Counts how often the end of a request was told, and when last, so that nobody with its address makes a flood of mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table link_request
      add column ends_told integer not null default 0,
      add column end_told_at timestamptz
  `.execute(db)
}
