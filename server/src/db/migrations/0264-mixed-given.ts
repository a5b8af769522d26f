import { type Kysely, sql } from 'kysely'

/** Shares and links of images of several patients that a person looked at before giving them, and sendings that failed for want of that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table share add column mixed_seen boolean not null default false`,
  `alter table link add column mixed_seen boolean not null default false`,
  `alter table link drop constraint link_send_failure_check`,
  `alter table link add constraint link_send_failure_check
    check (send_failure in ('NOT_PERMITTED', 'NOT_FOUND', 'MIXED_PATIENTS'))`,
]
