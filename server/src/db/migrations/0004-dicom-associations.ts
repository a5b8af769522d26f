import { type Kysely, sql } from 'kysely'

/** Reports of DICOM associations, and one namespace for each AE title. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // whom does a caller mean, asked at each association; no title may mean two
  `create unique index setting_of_ae_title on setting (value) where scope = 'namespace' and key = 'dicom_ae_title'`,

  `create table dicom_association (
    uuid uuid primary key,
    account_uuid uuid not null,
    namespace_uuid uuid not null,
    called_title text not null,
    calling_title text not null,
    address text not null,
    is_tls boolean not null,
    began timestamptz not null,
    ended timestamptz not null,
    outcome text not null check (outcome in ('released', 'refused', 'aborted', 'lost', 'timeout', 'protocol', 'failed')),
    reason text not null default '',
    stored integer not null default 0,
    duplicates integer not null default 0,
    conflicts integer not null default 0,
    failed integer not null default 0,
    bytes bigint not null default 0,
    failures jsonb not null default '[]'
  )`,
  // the newest of one organisation
  `create index dicom_association_newest on dicom_association (account_uuid, ended desc, uuid desc)`,
  // associations old enough to be deleted
  `create index dicom_association_ended on dicom_association (ended)`,
]
