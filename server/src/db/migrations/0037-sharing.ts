import { type Kysely, sql } from 'kysely'

/**
 * Shares that people make: where each went, from which share it was passed on, when it ends, and why it failed. A source
 * that was passed on names the share it was passed on from, so that stopping that one ends it too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table study_source add column parent_share_uuid uuid`,
  // the earliest end of all the shares that the source came by
  `alter table study_source add column ends_at timestamptz`,
  `drop index study_source_once`,
  `create unique index study_source_once on study_source (
    phi_namespace, study_uuid, storage_namespace,
    coalesce(share_uuid, '00000000-0000-0000-0000-000000000000'),
    coalesce(parent_share_uuid, '00000000-0000-0000-0000-000000000000')
  )`,
  // all that was passed on from a share, when it stops
  `create index study_source_of_parent on study_source (parent_share_uuid) where parent_share_uuid is not null`,

  `alter table share drop column parent_uuid`,
  `alter table share add column to_namespace uuid`,
  `alter table share add column minutes integer`,
  `alter table share add column delivered_at timestamptz`,
  `alter table share add column ended_at timestamptz`,
  `alter table share add column ended_by uuid`,
  `alter table share add column failure text`,
  `alter table share drop constraint share_state_check`,
  `alter table share add constraint share_state_check check (state in ('scheduled', 'delivered', 'stopped', 'failed'))`,
  `drop index share_live`,
  `create unique index share_live on share (study_uuid, to_kind, to_uuid) where state in ('scheduled', 'delivered')`,
  // with whom a study was shared
  `create index share_of_study on share (study_uuid, created)`,

  // counted without a look at the table: a shared record counts as long as it has a source
  `drop index study_newest`,
  `create index study_newest on study (phi_namespace, created desc, uuid desc) include (must_approve, source)
    where deleted_at is null and arrival <> 'announced'`,

  // of what a person wants to be told by mail, where it differs from what everybody is told
  `create table event_choice (
    user_uuid uuid not null references app_user (uuid),
    namespace_uuid uuid not null,
    event text not null,
    is_on boolean not null,
    primary key (user_uuid, namespace_uuid, event)
  )`,

  // case and accents left out, as a person types a name
  `create function folded_name(name text) returns text
    language sql immutable strict parallel safe
    return lower(regexp_replace(normalize(name, nfkd), '[\\u0300-\\u036f]', '', 'g'))`,
]
