import { type Kysely, sql } from 'kysely'

/** Refusals of a supporter who is signed in as a person, and of a program with a person's key, are told apart from the person's own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table access_refusal
      -- name of the supporter
      add column proxy text not null default '',
      add column is_by_key boolean not null default false
  `.execute(db)
}
