import { type Kysely, sql } from 'kysely'

/** Files that hold what is stored in other bytes, and in what the versions of one image differ. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // bytes that came and were not stored, because `stored_version` of the same image holds the same in another writing
  `create table same_content (
    storage_namespace uuid not null,
    study_key bigint not null,
    sop_uid text not null,
    sha256 bytea not null,
    version uuid not null,
    stored_version uuid not null,
    at timestamptz not null default now(),
    primary key (storage_namespace, study_key, sop_uid, version)
  )`,
  // of a version beside the first: {attributes: [path], attribute_count, pixels, frames}; null when it was not compared
  `alter table instance add column differs jsonb`,
  `alter table deleted_instance add column differs jsonb`,
  // somebody chose which of the versions is shown, knowing this one
  `alter table instance add column is_settled boolean not null default false`,
  `alter table deleted_instance add column is_settled boolean not null default false`,
  // versions beside the one shown, of images that somebody settled
  `alter table stored_study add column settled_count integer not null default 0`,
]
