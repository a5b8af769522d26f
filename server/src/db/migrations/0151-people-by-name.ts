import { type Kysely, sql } from 'kysely'

/** Lists of people by name, and people found by a part of a name (`account-user.sql.ts`, `group-member.sql.ts`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const name = sql`lower(coalesce(nullif(trim(first_name || ' ' || last_name), ''), email))`
  await sql`create index app_user_by_name on app_user (${name}, uuid)`.execute(db)
  await sql`create index app_user_name_parts on app_user using gin (${name} gin_trgm_ops)`.execute(db)
}
