import { type Kysely, sql } from 'kysely'

/** The session of a link that a date of birth opened shows exams of that date alone: one may be corrected to another patient since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- of a link that asks for a date of birth: of the uuid of the session and the date; null of any other
    alter table session add column birth_date_digest bytea
  `.execute(db)
}
