import { type Kysely, sql } from 'kysely'

/** Uploads by requests of whose end nobody was told yet, sendings by e-mail that did not leave, with the reason, and the mails of an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create index link_upload_untold on link_upload (link_uuid) where ended_at is not null and told_at is null`,
  `create index mail_of_account on mail (account_uuid, created desc)`,
  `alter table link
    add column send_failure text check (send_failure in ('NOT_PERMITTED', 'NOT_FOUND'))`,
]
