import { type Kysely, sql } from 'kysely'

/** Merges that move some images of an exam to another one, and leave the others where they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table separation add column is_part boolean not null default false`.execute(db)
}
