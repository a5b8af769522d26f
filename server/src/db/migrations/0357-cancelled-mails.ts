import { type Kysely, sql } from 'kysely'

/** Mails that an administrator cancelled, and mails that stand in no outbox any more though they were not sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mail
      add column cancelled boolean not null default false,
      add column dismissed boolean not null default false
  `.execute(db)
}
