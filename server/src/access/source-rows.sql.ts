import { type RawBuilder, sql } from 'kysely'

/*
 * Rows of the table of sources, live or not, to be read under a name of the statement: `from ${sourcesOf('s')} o`, and
 * `join lateral` beside the table of the record. `record-sources.sql.ts` says which of them count (`isLive`, of `o`) and
 * which images they show. No other file reads the table; a tools test lists those that write to it.
 */

/** A record by the name of its table in the statement, or by its key. */
type NamedRecord = 's' | 'd' | 'r' | { phi_namespace: string; uuid: string }

const columns = sql.raw(
  'x.phi_namespace, x.study_uuid, x.storage_namespace, x.generation, x.share_uuid, x.parent_share_uuid, x.ends_at, x.added, x.copied_from',
)

/** The sources of a record. */
export function sourcesOf(record: NamedRecord): RawBuilder<unknown> {
  const [namespace, uuid] =
    typeof record === 'string'
      ? [sql.ref(`${record}.phi_namespace`), sql.ref(`${record}.uuid`)]
      : [record.phi_namespace, record.uuid]
  return sql`(
  select ${columns}
  from study_source x
  where x.phi_namespace = ${namespace} and x.study_uuid = ${uuid}
)`
}

/** The sources of the record that share `h` was made of. */
export const sourcesOfSharedRecord: RawBuilder<unknown> = sql`(
  select ${columns}
  from study_source x
  where x.phi_namespace = h.from_namespace and x.study_uuid = h.study_uuid
)`

/** The sources that share `h` gave. */
export const sourcesByShare: RawBuilder<unknown> = sql`(
  select ${columns}
  from study_source x
  where x.share_uuid = h.uuid
)`

/** The sources that were passed on from source `b`. Uses study_source_of_parent. */
export const sourcesPassedOn: RawBuilder<unknown> = sql`(
  select ${columns}
  from study_source x
  where x.parent_share_uuid = b.share_uuid
    and x.storage_namespace = b.storage_namespace and x.generation = b.generation
)`

/** The sources of all copies that were kept of images of a record. Uses study_source_copied_from. */
export function sourcesCopiedFrom(uuid: string): RawBuilder<unknown> {
  return sql`(
  select ${columns}
  from study_source x
  where x.copied_from @> array[${uuid}]::uuid[]
)`
}

/** The sources of all copies that were kept of images of an account. Uses study_source_copied_from_accounts. */
export function sourcesCopiedFromAccount(accountUuid: string): RawBuilder<unknown> {
  return sql`(
  select ${columns}
  from study_source x
  where x.copied_from_accounts @> array[${accountUuid}]::uuid[]
)`
}

/** The generation of a record's own images; null without any. */
export function ownGenerationOf(record: 's' | 'd'): RawBuilder<unknown> {
  return sql`(
    select max(o.generation)
    from ${sourcesOf(record)} o
    where o.storage_namespace = ${sql.ref(`${record}.phi_namespace`)}
  )`
}

/**
 * The sources that shares gave, with the earlier ones that go with these, and those that were passed on from them, as a
 * recursive query named `ended`. Uses study_source_of_share, share_goes_with and study_source_of_parent.
 */
export const passedOn = (shareUuids: readonly string[]): RawBuilder<unknown> => sql`
  select o.phi_namespace, o.study_uuid, o.storage_namespace, o.generation, o.share_uuid, o.parent_share_uuid
  from study_source o
  where o.share_uuid = any(array(
    select unnest(${shareUuids as string[]}::uuid[])
    union
    select g.uuid from share g where g.goes_with = any(${shareUuids as string[]}::uuid[])
  ))
  union
  select o.phi_namespace, o.study_uuid, o.storage_namespace, o.generation, o.share_uuid, o.parent_share_uuid
  from ended e
  join study_source o on o.parent_share_uuid = e.share_uuid
    and o.storage_namespace = e.storage_namespace and o.generation = e.generation`
