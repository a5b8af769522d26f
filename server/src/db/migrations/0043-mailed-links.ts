import { type Kysely, sql } from 'kysely'

/** Links that sending by e-mail made: when their address is to be mailed, and the mail itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table link
    add column is_sent boolean not null default false,
    add column mail_at timestamptz,
    add column mail_uuid uuid`,
]
