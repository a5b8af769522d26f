import { type Kysely, sql } from 'kysely'

/** Images that come to records which were there already, counted by sender until the arrival ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table late_arrival (
    phi_namespace uuid not null,
    study_uuid uuid not null,
    sender text not null,
    actor uuid,
    by_key boolean not null,
    images integer not null,
    primary key (phi_namespace, study_uuid, sender)
  )`,
]
