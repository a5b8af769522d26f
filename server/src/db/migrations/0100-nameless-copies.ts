import { type Kysely, sql } from 'kysely'

/**
 * Copies of studies without names, and the key to them: the secret of each place that pseudonyms, UIDs and moved dates
 * are made with, and which copy is whose. Nothing of these tables is given to a recipient.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table nameless_secret (
    phi_namespace uuid primary key,
    secret bytea not null,
    created timestamptz not null default now()
  )`,
  `create table nameless_copy (
    uuid uuid primary key,
    phi_namespace uuid not null,
    -- the record that it was made of
    study_uuid uuid not null,
    account_uuid uuid not null references account (uuid),
    study_uid text not null,
    copy_study_uid text not null,
    recipient text not null,
    pseudonym text not null,
    days integer not null,
    dates text not null check (dates in ('MOVED', 'REMOVED')),
    texts text[] not null,
    pixels_seen boolean not null,
    -- of the images that a person has seen described
    digest text not null,
    state text not null default 'making' check (state in ('making', 'made', 'failed')),
    message text not null default '',
    images integer not null default 0,
    left_out integer not null default 0,
    user_uuid uuid not null references app_user (uuid),
    created timestamptz not null default now(),
    updated timestamptz not null default now()
  )`,
  `create index nameless_copy_of_study on nameless_copy (phi_namespace, study_uuid, created desc)`,
  `create unique index nameless_copy_uid on nameless_copy (phi_namespace, copy_study_uid, uuid)`,
]
