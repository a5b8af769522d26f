import { type Kysely, sql } from 'kysely'

/**
 * A deletion ends a generation: a namespace may hold several records and stored studies of one study UID, of which one
 * record is not deleted and one stored study takes what arrives.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table stored_study add column generation integer not null default 1`,
  // when the generation ended by a deletion; what arrives afterwards begins the next
  `alter table stored_study add column ended_at timestamptz`,
  `alter table stored_study drop constraint stored_study_pkey`,
  `alter table stored_study add primary key (storage_namespace, study_uid, generation)`,
  `alter table study add column storage_generation integer not null default 1`,
  `alter table study_source add column generation integer not null default 1`,

  // the images of a deleted record, and of one that was purged while others still show them
  `update stored_study t
    set ended_at = coalesce((
      select s.deleted_at
      from study s
      where s.phi_namespace = t.storage_namespace and s.study_uid = t.study_uid
    ), now())
    where not exists (
      select
      from study s
      where s.phi_namespace = t.storage_namespace and s.study_uid = t.study_uid and s.deleted_at is null
    )`,
  // where images arrive
  `create unique index stored_study_open on stored_study (storage_namespace, study_uid) where ended_at is null`,

  `alter table study drop constraint study_phi_namespace_study_uid_key`,
  // the record of a study
  `create unique index study_live on study (phi_namespace, study_uid) where deleted_at is null`,
]
