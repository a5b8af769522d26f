import { type Kysely, sql } from 'kysely'

/** Mails were tried for two days: those that were abandoned then do not leave now that mails are tried for longer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update mail
    set given_up = true, returned_at = created + interval '2 days'
    where sent_at is null and returned_at is null and created <= now() - interval '2 days'
  `.execute(db)
}
