import { type Kysely, sql } from 'kysely'

/**
 * A digest of the patient and accession number under which the images of a push left, so that later ones do not follow
 * under another. Pushes under way kept none: they begin anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table push add column sent_as bytea`.execute(db)
  await sql`update push set sent = '{}' where status not in ('S', 'F')`.execute(db)
}
