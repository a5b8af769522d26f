import { type Kysely, sql } from 'kysely'

/**
 * Under whom the images of a record last left for a destination, by whichever door: a digest of patient and accession
 * number, as far as anybody knows what lies there. Pushes kept this of themselves alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table departure (
    phi_namespace uuid not null,
    study_uuid uuid not null,
    destination_uuid uuid not null references destination (uuid),
    sent_as bytea not null,
    updated timestamptz not null default now(),
    primary key (phi_namespace, study_uuid, destination_uuid)
  )`,
  `insert into departure (phi_namespace, study_uuid, destination_uuid, sent_as, updated)
    select p.phi_namespace, p.study_uuid, p.destination_uuid, known.sent_as, p.updated
    from push p
    cross join lateral (select coalesce(case when p.sent <> '{}' then p.sent_as end, p.former_as) as sent_as) known
    where known.sent_as is not null`,
  `alter table push drop column former_as`,
]
