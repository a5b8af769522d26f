import { type Kysely, sql } from 'kysely'

/** Links to choose a password open nothing once the person has another address than the one that they were mailed to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- folded; null of links that were made before
    alter table password_reset add column mailed_to text
  `.execute(db)
}
