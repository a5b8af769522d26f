import { type Kysely, sql } from 'kysely'

/** When an account was closed: its row stays for the audit and for what lies in its bin; nobody belongs to it any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table account add column closed_at timestamptz`.execute(db)
}
