import { type Kysely, sql } from 'kysely'

/** A new password that came with a sign-in is in force once the second factor has proven who signs in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session add column new_password_hash text`.execute(db)
  await sql`alter table session add check (new_password_hash is null or waits_for is not null)`.execute(db)
}
