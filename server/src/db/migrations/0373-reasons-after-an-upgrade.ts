import { type Kysely, sql } from 'kysely'

/**
 * The questions of pushes that were held before are not those of this release, so that a reason would answer none of these.
 * Such a push is sent again without a reason, and asks anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update push
    set wants_reason = false, asked = '{}',
      message = message || ' This was asked before an upgrade of Hilum: send the exam again, and it is asked anew where it still has to be.'
    where wants_reason
  `.execute(db)
}
