import { type Kysely, sql } from 'kysely'

/** The texts that a user agreed to, as the MD5s that clients give with user/set. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table app_user
      add column terms_md5 text not null default '',
      add column privacy_md5 text not null default '',
      add column indicator_md5 text not null default ''
  `.execute(db)
}
