import { type Kysely, sql } from 'kysely'

/** How many images an exam had at the end of its upload by a request, where it was complete then: what is deleted later changes nothing about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table link_upload add column came_count integer`.execute(db)
}
