import { type Kysely, sql } from 'kysely'

/** Finds what one person did in an account, newest first, for `listAuditOfAccount`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index audit_of_actor on audit (account_uuid, actor, at desc, id desc)`.execute(db)
}
