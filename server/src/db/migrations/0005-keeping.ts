import { type Kysely, sql } from 'kysely'

/** How long things are kept: images and attachments that were deleted, holds, retention; and overruled patient warnings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // deleted images lie here until they are purged, so that no reader of instance can meet them
  `create table deleted_instance (
    like instance,
    deleted_at timestamptz not null,
    deleted_by uuid
  )`,
  // images due for the purge
  `create index deleted_instance_due on deleted_instance (deleted_at)`,
  // deleted images that still need a blob, asked by the purge
  `create index deleted_instance_of_blob on deleted_instance (account_uuid, sha256)`,
  `create index attachment_of_blob on attachment (account_uuid, sha256)`,
  `create index attachment_deleted on attachment (deleted_at) where deleted_at is not null`,
  // blobs that a purge began to delete
  `create index blob_doomed on blob (account_uuid, sha256) where state = 'doomed'`,
  // records that draw on a stored study, asked before its images are purged
  `create index study_source_of_stored on study_source (storage_namespace, study_uuid)`,

  `alter table study add column retain_until timestamptz`,
  `alter table study add column hold_reason text not null default ''`,
  // {reason, by, at, identities}: somebody said with a reason that the images belong together
  `alter table study add column mixed_overrule jsonb`,

  // everything of these patients is kept until the hold ends
  `create table patient_hold (
    account_uuid uuid not null references account (uuid),
    issuer text not null,
    patientid text not null,
    reason text not null,
    by_user uuid,
    at timestamptz not null default now(),
    primary key (account_uuid, issuer, patientid)
  )`,
]
