import { type Kysely, sql } from 'kysely'

/**
 * Requests for studies: links to upload into a namespace, the patient that is expected, and the studies that were sent by
 * each; and of every link whom its use is told to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table link
    add column action text not null default 'STUDY_VIEW' check (action in ('STUDY_VIEW', 'STUDY_UPLOAD')),
    add column notify text[] not null default '{}',
    drop constraint link_permissions_check,
    add constraint link_rights check (case action
      when 'STUDY_UPLOAD' then permissions = '{}'
      else 'study_view' = any(permissions)
        and permissions <@ array['study_view', 'study_download', 'study_report_view']
    end)`,
  `create table link_request (
    link_uuid uuid primary key references link (uuid) on delete cascade,
    namespace_uuid uuid not null references namespace (uuid),
    patient_name text not null,
    patient_birth_date text not null,
    patient_sex text not null,
    patientid text not null,
    sender text not null default '',
    -- when the first image came
    begun_at timestamptz
  )`,
  // the requests of a namespace
  `create index link_request_of_namespace on link_request (namespace_uuid)`,
  `create table link_upload (
    link_uuid uuid not null references link_request (link_uuid) on delete cascade,
    study_uid text not null,
    namespace_uuid uuid not null,
    image_count integer not null,
    created timestamptz not null default now(),
    first_at timestamptz,
    -- when the sender said that all was sent, or nothing came any more; null again when more comes
    ended_at timestamptz,
    told_at timestamptz,
    primary key (link_uuid, study_uid)
  )`,
  // uploads whose sender went away
  `create index link_upload_open on link_upload (link_uuid) where first_at is not null and ended_at is null`,
  // the request that a study answers
  `create index link_upload_of_study on link_upload (namespace_uuid, study_uid)`,
]
