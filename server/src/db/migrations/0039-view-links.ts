import { type Kysely, sql } from 'kysely'

/**
 * The opening of a link: the secret of its address, as a digest to find it by and sealed to show it again, the
 * password or date of birth that is asked for, how often it may be opened, and when it was.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // no release made links
  `delete from link`,
  `alter table link
    add column secret_digest bytea not null,
    add column sealed_secret bytea,
    add column password_hash text,
    add column password_is_dob boolean not null default false,
    add column wrong_passwords integer not null default 0,
    add column max_hits integer check (max_hits > 0),
    add column hits integer not null default 0,
    add column message text not null default '',
    add column email text not null default '',
    add constraint link_one_factor check (password_hash is null or not password_is_dob)`,
  // whoever knocks at an address
  `create unique index link_of_secret on link (secret_digest)`,
  `create table link_use (
    uuid uuid primary key,
    link_uuid uuid not null references link (uuid) on delete cascade,
    opened_at timestamptz not null default now(),
    client_address text not null
  )`,
  // the last uses of a link
  `create index link_use_of_link on link_use (link_uuid, opened_at desc)`,
]
