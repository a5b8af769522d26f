import { type Kysely, sql } from 'kysely'

/** Whether each destination answered the last C-ECHO by the clock, since when, and what went wrong. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table destination
      add column echo_at timestamptz,
      add column echo_ok boolean,
      add column echo_since timestamptz,
      add column echo_message text not null default ''
  `.execute(db)
}
