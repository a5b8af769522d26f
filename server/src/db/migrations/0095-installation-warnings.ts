import { type Kysely, sql } from 'kysely'

/**
 * Administrators are mailed of more than disks, for `noteWarning`: rows of before name levels of a disk. Failed pushes of
 * an account are asked every few seconds by the page that shows what is stuck.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table disk_warning rename to installation_warning`.execute(db)
  await sql`alter table installation_warning rename column level to warning`.execute(db)
  await sql`update installation_warning set warning = 'disk ' || warning`.execute(db)
  await sql`create index push_failed on push (account_uuid, updated) where status = 'F'`.execute(db)
}
