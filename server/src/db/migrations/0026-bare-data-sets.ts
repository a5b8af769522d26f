import { type Kysely, sql } from 'kysely'

/**
 * Where the data set begins in a file that came without preamble or group 0002, so that both are written in front of it
 * when it leaves; null in all others. `crc32` of such a row is that of the data set.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instance add column bare_start integer`.execute(db)
  await sql`alter table deleted_instance add column bare_start integer`.execute(db)
}
