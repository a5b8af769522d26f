import { type Kysely, sql } from 'kysely'

/**
 * How many studies a part of a name finds is guessed from as many names as PostgreSQL keeps of a table. Of a hundred, a
 * name that one study in sixty has is missing every fifth time: then all that have it are gathered and sorted, 15,000
 * blocks of a million studies, where walking from the newest meets the first fifty in a few hundred. Gathering five
 * times as many takes a second or two in the background.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table study alter column search set statistics 500`.execute(db)
}
