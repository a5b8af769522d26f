import { type Kysely, sql } from 'kysely'

/** Lists of an account's bin, of what is kept there, and of what was purged, look at their own rows alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create index study_bin_of_account on study (account_uuid, deleted_at) where deleted_at is not null`,
  `create index study_held on study (account_uuid) where hold`,
  `create index study_with_date on study (account_uuid, retain_until) where retain_until is not null`,
  `create index audit_purges on audit (account_uuid, at desc, id desc) where action = 'PURGE'`,
]
