import { type Kysely, sql } from 'kysely'

/** Shares that give access now or will, by the place that gives it, for `listOutside`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index share_live_from on share (from_namespace) where state in ('scheduled', 'delivered')
  `.execute(db)
}
