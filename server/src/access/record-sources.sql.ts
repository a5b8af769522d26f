import { type RawBuilder, sql } from 'kysely'
import { ownGenerationOf, sourcesOf } from './source-rows.sql.ts'

/*
 * A record shows the union of its sources. The fragments of this file say which sources and images count; every
 * question about the images of a record is built from them.
 */

/** Whether source `o` counts: the record's own, or that of a share that was delivered, waits for nobody and is not over. */
export const isLive: RawBuilder<unknown> = sql`(
  o.share_uuid is null
  or (
    (o.ends_at is null or o.ends_at > now())
    and exists (
      select
      from share h
      where h.uuid = o.share_uuid and h.state = 'delivered' and not h.awaits_approval
        and (h.expires_at is null or h.expires_at > now())
    )
  )
)`

/** Condition: a source of this record counts. Only a record that a share made can be without one. */
export function hasLiveSource(record: 's' | 'd'): RawBuilder<unknown> {
  const s = (column: string) => sql.ref(`${record}.${column}`)
  return sql`(
  ${s('source')} <> 'share'
  or exists (
    select
    from ${sourcesOf(record)} o
    where ${isLive}
  )
)`
}

/** Condition on record `s`: a live source of it lies in this namespace. */
export const drawsOnNamespace = (storageNamespace: string): RawBuilder<unknown> => sql`exists (
  select
  from ${sourcesOf('s')} o
  where o.storage_namespace = ${storageNamespace} and ${isLive}
)`

/** The live sources of record `s` as an array of texts, which names each of them. */
export const namesOfSources: RawBuilder<unknown> = sql`array(
  select o.storage_namespace::text || '/' || o.generation
  from ${sourcesOf('s')} o
  where ${isLive}
)`

/** Condition: record `s` draws on stored study `t` by a live source. */
export const drawsOnStored: RawBuilder<unknown> = sql`(
  s.study_uid = t.study_uid
  and exists (
    select
    from ${sourcesOf('s')} o
    where o.storage_namespace = t.storage_namespace and o.generation = t.generation and ${isLive}
  )
)`

/**
 * The stored studies of record `s`, each once, to be joined laterally under the name `h`. `place` counts them from 1 in
 * the order in which the record got them, `sources` says how many there are, and `before_namespaces` with `before_keys`
 * name those in front of each.
 *
 * The `limit 1` lets PostgreSQL do nothing but look each of them up, whatever it believes of the table.
 */
export const storedOfRecord: RawBuilder<unknown> = sql`(
  select t.storage_namespace, t.key, t.generation, t.account_uuid, t.image_count, t.series_count, t.size,
    t.conflict_count, t.settled_count, t.content_version, t.identities, t.modalities,
    count(*) over () as sources, row_number() over earlier as place,
    array_agg(t.storage_namespace) over (earlier rows between unbounded preceding and 1 preceding) as before_namespaces,
    array_agg(t.key) over (earlier rows between unbounded preceding and 1 preceding) as before_keys
  from (
    select o.storage_namespace, o.generation, min(o.added) as added
    from ${sourcesOf('s')} o
    where ${isLive}
    group by o.storage_namespace, o.generation
  ) o
  cross join lateral (
    select *
    from stored_study t
    where t.storage_namespace = o.storage_namespace and t.study_uid = s.study_uid and t.generation = o.generation
    limit 1
  ) t
  window earlier as (order by o.added, t.key)
)`

/** Condition: stored study `t` holds what arrives for a record in its own namespace. */
export function isOwnStoredOf(record: 's' | 'd'): RawBuilder<unknown> {
  const s = (column: string) => sql.ref(`${record}.${column}`)
  return sql`(
  t.storage_namespace = ${s('phi_namespace')}
  and t.study_uid = ${s('study_uid')}
  and t.generation = ${ownGenerationOf(record)}
)`
}

/** Condition on image `i` of stored study `h`: no source in front holds an image of this SOP Instance UID. */
export const isOfFirstSource: RawBuilder<unknown> = sql`(
  h.place = 1
  or not exists (
    select
    from unnest(h.before_namespaces, h.before_keys) as p (storage_namespace, key)
    join instance d on d.storage_namespace = p.storage_namespace and d.study_key = p.key
    where d.sop_uid = i.sop_uid
  )
)`

/** Families of SOP classes: structured reports, and encapsulated documents (PS3.4 B.5). */
const reportFamilies = ['1.2.840.10008.5.1.4.1.1.88.', '1.2.840.10008.5.1.4.1.1.104.'] as const
/** Reports of eyes, which stand among measurements: spectacle prescriptions, and macular grid thickness and volume. */
const reportsElsewhere = ['1.2.840.10008.5.1.4.1.1.78.6', '1.2.840.10008.5.1.4.1.1.79.1'] as const
/** A list of images, of the family of structured reports and none itself. */
const keyObjectSelection = '1.2.840.10008.5.1.4.1.1.88.59'

const isReport = sql`(
  (starts_with(i.sop_class, ${sql.lit(reportFamilies[0])}) or starts_with(i.sop_class, ${sql.lit(reportFamilies[1])})
    or i.sop_class in (${sql.lit(reportsElsewhere[0])}, ${sql.lit(reportsElsewhere[1])}))
  and i.sop_class <> ${sql.lit(keyObjectSelection)}
)`

/** Condition on image `i`: a reader sees it. @param withoutReports reports are withheld from the reader */
export function isShown(withoutReports: boolean): RawBuilder<unknown> {
  return withoutReports ? sql`not ${isReport}` : sql`true`
}

/** `countsOfRecord` for a reader from whom reports are withheld: the images are counted, and conflicts are not told. */
const countsWithoutReports: RawBuilder<unknown> = sql`(
  select count(*) as image_count, count(distinct i.series_uid) as series_count, coalesce(sum(i.length), 0) as size,
    0::bigint as conflict_count, 0::bigint as settled_count
  from ${storedOfRecord} h
  join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
  where i.is_primary
    and ${isOfFirstSource}
    and ${isShown(true)}
)`

/**
 * One row of what record `s` shows in sum: images, series, bytes, and versions of images that are not shown, those that
 * nobody settled apart from those that somebody did. Of one source the stored study has the sums; of several the images
 * are counted, because sources may overlap.
 */
export const countsOfRecord: RawBuilder<unknown> = sql`(
  select
    coalesce(c.image_count, total.image_count, 0) as image_count,
    coalesce(c.series_count, total.series_count, 0) as series_count,
    coalesce(c.size, total.size, 0) as size,
    greatest(coalesce(c.conflict_count, total.conflict_count, 0) - coalesce(total.settled_count, 0), 0) as conflict_count,
    coalesce(total.settled_count, 0) as settled_count
  from (
    select count(*) as sources, sum(h.image_count) as image_count, sum(h.series_count) as series_count,
      sum(h.size) as size, sum(h.conflict_count) as conflict_count, sum(h.settled_count) as settled_count
    from ${storedOfRecord} h
  ) total
  left join lateral (
    select sum(e.images) as image_count, count(*) filter (where e.images > 0) as series_count, sum(e.size) as size,
      sum(e.versions) - sum(e.images) as conflict_count
    from (
      select i.series_uid,
        count(*) filter (where i.is_primary and not known.by_sop) as images,
        sum(i.length) filter (where not known.by_sop) as size,
        count(*) filter (where not known.by_version) as versions
      from ${storedOfRecord} h
      join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
      cross join lateral (
        select coalesce(bool_or(true), false) as by_sop,
          coalesce(bool_or(d.series_uid = i.series_uid and d.version = i.version), false) as by_version
        from unnest(h.before_namespaces, h.before_keys) as p (storage_namespace, key)
        join instance d on d.storage_namespace = p.storage_namespace and d.study_key = p.key
        where h.place > 1
          and d.sop_uid = i.sop_uid
      ) known
      where total.sources > 1
      group by i.series_uid
    ) e
  ) c on total.sources > 1
)`

/** The sums of record `s` for a reader, as `countsOfRecord` or without its reports. */
export function countsFor(withoutReports: boolean): RawBuilder<unknown> {
  return withoutReports ? countsWithoutReports : countsOfRecord
}
