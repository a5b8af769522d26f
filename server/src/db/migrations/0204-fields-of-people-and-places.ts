import { type Kysely, sql } from 'kysely'

/** Values of custom fields of people, groups, locations and accounts, by the field's uuid, as exams and orders hold theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['account_user', 'app_group', 'account']) {
    await sql`alter table ${sql.table(table)} add column customfields jsonb not null default '{}'`.execute(db)
  }
}
