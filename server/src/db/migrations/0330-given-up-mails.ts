import { type Kysely, sql } from 'kysely'

/** Mails that no mail server took in all the time that they were tried are told from those that came back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail add column given_up boolean not null default false`.execute(db)
}
