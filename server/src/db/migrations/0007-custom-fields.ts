import { type Kysely, sql } from 'kysely'

/** Custom fields: definitions here, values in the object's own row by the field's uuid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // a removed definition stays, so that histories can name it
  `create table customfield (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    name text not null,
    object text not null,
    type text not null,
    display_order integer,
    required boolean not null default false,
    options jsonb,
    ui_json jsonb,
    field_flag text not null default '',
    extra jsonb not null default '{}',
    created timestamptz not null default now(),
    deleted_at timestamptz
  )`,
  // the fields of an account's studies, asked with every page of studies
  `create index customfield_of_account on customfield (account_uuid, object) where deleted_at is null`,
  // studies that have a certain value
  `create index study_customfields on study using gin (customfields jsonb_path_ops) where customfields <> '{}'`,
]
