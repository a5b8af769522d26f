import { type Kysely, sql } from 'kysely'

/**
 * Images that a person moved from one study to another: the act, the images that it takes while it is made, and of each
 * original which act set it aside and which image was stored anew for it. Arriving images ask whether they follow.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table separation (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    phi_namespace uuid not null,
    -- the record that the images leave, and the stored study that holds them
    study_uuid uuid not null,
    study_uid text not null,
    study_generation integer not null,
    study_key bigint not null,
    -- the record that gets them, null until it is made; its stored study is made before, and no record shows that
    to_study_uuid uuid,
    to_study_uid text not null,
    state text not null default 'making' check (state in ('making', 'made', 'failed', 'undone')),
    message text not null default '',
    -- the patient and exam that a person confirmed; emptied when it is made
    confirmed jsonb not null default '{}',
    -- spellings of the patients of what moves and of what stays
    moved_identities jsonb not null,
    kept_identities jsonb not null,
    -- demographics of the first image that stays, for records that showed those of one that moves
    kept_demographics jsonb not null,
    -- series that move as a whole
    series_uids text[] not null,
    -- images up to this number were looked at
    up_to_seq bigint not null,
    -- values of records before it was made, for undoing
    before jsonb not null default '[]',
    to_row_version integer,
    images integer not null,
    reason text not null default '',
    user_uuid uuid not null references app_user (uuid),
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    undone_by uuid references app_user (uuid)
  )`,
  `create index separation_of_study on separation (study_uuid)`,
  `create index separation_into on separation (to_study_uuid)`,
  // asked by arriving images
  `create index separation_of_study_uid on separation (phi_namespace, study_uid) where state = 'made'`,
  `create unique index separation_running on separation (study_uuid) where state = 'making'`,
  `create table separated_image (
    separation_uuid uuid not null references separation (uuid) on delete cascade,
    seq bigint not null,
    -- the image that was stored anew for it
    new_version uuid,
    primary key (separation_uuid, seq)
  )`,
  `alter table deleted_instance add column separation_uuid uuid`,
  `alter table deleted_instance add column moved_version uuid`,
  `create index deleted_instance_separated on deleted_instance (separation_uuid) where separation_uuid is not null`,
  `alter table stored_study add column is_separated boolean not null default false`,
]
