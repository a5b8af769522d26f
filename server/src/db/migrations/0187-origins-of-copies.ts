import { type Kysely, sql } from 'kysely'

/**
 * Records of others whose images a copy without names was made of, so that taking one of them back finds the copy. Of a
 * copy that is there already the sources of today are known, and those that have ended are not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table nameless_copy add column copied_from uuid[] not null default '{}'`,
  `with recursive source as (
    select c.uuid as copy, o.phi_namespace, o.study_uuid, o.storage_namespace, o.generation, o.share_uuid, o.copied_from
    from nameless_copy c
    join study_source o on o.phi_namespace = c.phi_namespace and o.study_uuid = c.study_uuid and o.added <= c.created
    union
    select r.copy, o.phi_namespace, o.study_uuid, o.storage_namespace, o.generation, o.share_uuid, o.copied_from
    from source r
    join share h on h.uuid = r.share_uuid
    join study_source o on o.phi_namespace = h.from_namespace and o.study_uuid = h.study_uuid
      and o.storage_namespace = r.storage_namespace and o.generation = r.generation
  )
  update nameless_copy c
  set copied_from = array(
    select f.uuid
    from source r
    left join share h on h.uuid = r.share_uuid
    cross join lateral unnest(array[r.study_uuid, h.study_uuid] || coalesce(r.copied_from, '{}')) as f (uuid)
    where r.copy = c.uuid and f.uuid <> c.study_uuid
    group by f.uuid
    order by f.uuid
  )`,
  // the copies that taking a record back reaches
  `create index nameless_copy_copied_from on nameless_copy using gin (copied_from)`,
  // all records that one act hid
  `create index study_hidden_by on study (retraction_uuid) where retraction_uuid is not null`,
]
