import { type Kysely, sql } from 'kysely'

/**
 * Links that ask for a code which is mailed to their addressee. The code in force is stored as a digest; a new one takes
 * the place of the one before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table link
      add column pin_auth boolean not null default false,
      add column pin_digest bytea,
      add column pin_expires_at timestamptz,
      add constraint link_pin_goes_somewhere check (not pin_auth or email <> ''),
      add constraint link_pin_is_whole check ((pin_digest is null) = (pin_expires_at is null))
  `.execute(db)
}
