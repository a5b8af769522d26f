import { type Kysely, sql } from 'kysely'

/**
 * A record shows the images of its sources alone: every record has one for its own images, and none of the columns that
 * named one source before decides any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `insert into study_source (phi_namespace, study_uuid, storage_namespace, generation, added)
    select s.phi_namespace, s.uuid, s.storage_namespace, s.storage_generation, s.created
    from study s
    where not exists (
      select
      from study_source o
      where o.phi_namespace = s.phi_namespace and o.study_uuid = s.uuid
        and o.storage_namespace = s.storage_namespace and o.generation = s.storage_generation
    )
    on conflict do nothing`,
  `alter table study drop column storage_generation`,
  // a right to images ends with their source: rings as when a person loses a place
  `create trigger study_source_gone after delete on study_source
    for each row when (old.share_uuid is not null) execute function ring_access_of_all()`,
  `create trigger share_over after update on share
    for each row when (old.state = 'delivered' and (new.state <> 'delivered' or new.expires_at is distinct from old.expires_at))
    execute function ring_access_of_all()`,
]
