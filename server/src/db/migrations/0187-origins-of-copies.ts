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
  // copies of copies: what the copy between was made of
  `with recursive origin as (
    select c.uuid as copy, f.uuid
    from nameless_copy c
    cross join lateral unnest(c.study_uuid || c.copied_from) as f (uuid)
    union
    select o.copy, f.uuid
    from origin o
    join study s on s.uuid = o.uuid
    join nameless_copy between_them on between_them.phi_namespace = s.phi_namespace
      and between_them.copy_study_uid = s.study_uid
    cross join lateral unnest(between_them.study_uuid || between_them.copied_from) as f (uuid)
  )
  update nameless_copy c
  set copied_from = array(select o.uuid from origin o where o.copy = c.uuid and o.uuid <> c.study_uuid order by o.uuid)`,
  // the copies that taking a record back reaches
  `create index nameless_copy_copied_from on nameless_copy using gin (copied_from)`,
  // retractions of copies without names: their reason is for the place alone that the copy was made in
  `alter table retraction add column is_nameless boolean not null default false`,
  `update retraction r
  set is_nameless = true
  from nameless_copy c
  where c.phi_namespace = r.phi_namespace and c.copy_study_uid = r.study_uid`,
  // whether something that a copy comes from is taken back
  `create index retraction_in_force on retraction (study_uuid) where undone_at is null`,
  // all records that one act hid
  `create index study_hidden_by on study (retraction_uuid) where retraction_uuid is not null`,
]
