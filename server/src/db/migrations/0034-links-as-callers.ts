import { type Kysely, sql } from 'kysely'

/**
 * A link reads its studies in a session of its own, with its rights and until its end; a key may be for one place alone;
 * a user may be known to other providers of identities.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table link (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    created_by uuid not null references app_user (uuid),
    permissions text[] not null
      check ('study_view' = any(permissions)
        and permissions <@ array['study_view', 'study_download', 'study_report_view']),
    created timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at timestamptz
  )`,
  // the links of an account, the newest first
  `create index link_of_account on link (account_uuid, created desc)`,
  `create table link_study (
    link_uuid uuid not null references link (uuid) on delete cascade,
    phi_namespace uuid not null,
    study_uuid uuid not null,
    primary key (link_uuid, study_uuid),
    foreign key (phi_namespace, study_uuid) references study (phi_namespace, uuid) on delete cascade
  )`,
  // the links of a study, and what its purge takes along
  `create index link_study_of_study on link_study (phi_namespace, study_uuid)`,

  `create table user_identity (
    provider text not null check (provider <> ''),
    subject text not null check (subject <> ''),
    user_uuid uuid not null references app_user (uuid),
    created timestamptz not null default now(),
    last_used timestamptz,
    primary key (provider, subject)
  )`,
  `create index user_identity_of_user on user_identity (user_uuid)`,

  `alter table session
    alter column user_uuid drop not null,
    add column link_uuid uuid references link (uuid) on delete cascade,
    add column only_namespace uuid references namespace (uuid),
    drop constraint session_method,
    add constraint session_method check (method in ('password', 'basic', 'oauth', 'key', 'link')),
    add constraint session_of_one check ((user_uuid is null) = (link_uuid is not null)),
    add constraint session_of_link check ((method = 'link') = (link_uuid is not null)),
    add constraint session_place check (only_namespace is null or method = 'key')`,
  `create index session_of_open_link on session (link_uuid) where link_uuid is not null`,

  `alter table audit
    drop constraint audit_actor_kind_check,
    add constraint audit_actor_kind_check check (actor_kind in ('user', 'key', 'link', 'node', 'system'))`,

  // sessions through a link end as sessions of a person do
  `create function ring_access_of_sessions() returns trigger language plpgsql as $$
    begin
      perform pg_notify('hilum_access', actor::text)
        from (select distinct coalesce(link_uuid, user_uuid) as actor from gone) actors;
      return null;
    end
  $$`,
  `drop trigger session_gone on session`,
  `create trigger session_gone after delete on session
    referencing old table as gone for each statement execute function ring_access_of_sessions()`,
  `create function ring_access_of_links() returns trigger language plpgsql as $$
    begin
      perform pg_notify('hilum_access', link_uuid::text) from (select distinct link_uuid from gone) links;
      return null;
    end
  $$`,
  `create trigger link_study_gone after delete on link_study
    referencing old table as gone for each statement execute function ring_access_of_links()`,
  `create trigger link_changed after update on link
    for each row execute function ring_access_of_user()`,
]
