import { type Kysely, sql } from 'kysely'

/** People whom an account lets in by its provider of identities alone, also where it takes passwords of others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table account_user add column sso_only boolean not null default false`.execute(db)
}
