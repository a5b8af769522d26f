import { type Kysely, sql } from 'kysely'

/**
 * Studies that their owner took back everywhere: the act with its reason, the records that it hides, and of copies that
 * recipients kept, from which records they came.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table retraction (
    uuid uuid primary key,
    account_uuid uuid not null,
    study_uid text not null,
    phi_namespace uuid not null,
    study_uuid uuid not null,
    reason text not null,
    by_user uuid not null,
    at timestamptz not null default now(),
    undone_at timestamptz,
    undone_by uuid
  )`,
  `alter table study add column retraction_uuid uuid`,
  // whether an arriving study was taken back from its place before, and all that one act hid
  `create index study_retracted on study (study_uid, phi_namespace) where retraction_uuid is not null`,
  `alter table study_source add column copied_from uuid[]`,
]
