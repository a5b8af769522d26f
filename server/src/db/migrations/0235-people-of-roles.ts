import { type Kysely, sql } from 'kysely'

/**
 * Index of people by role alone: the same entry again and again, which PostgreSQL keeps once, so that the people of each
 * role, and those of a place, are counted without reading their names.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index listed_person_of_role on listed_person (place_uuid, role_uuid)`.execute(db)
}
