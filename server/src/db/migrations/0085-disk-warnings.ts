import { type Kysely, sql } from 'kysely'

/** When administrators were last mailed how full the disk is, for `noteDiskWarning`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table disk_warning (
      level text primary key,
      mailed_at timestamptz not null
    )
  `.execute(db)
}
