import { type RawBuilder, sql } from 'kysely'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db, Tx } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { foldTextSql } from '../../db/fold-text-sql.ts'
import type { SortTerm } from '@hilum/contract/list'

/** Columns that tags are found and sorted by. */
export const tagColumns = {
  tag: { kind: 'text', column: sql.ref('w.tag') },
  namespace_id: { kind: 'uuid', column: sql.ref('w.phi_namespace') },
} as const satisfies FilterColumns

export const tagTieBreak = sql`w.tag`

/** Tags by their letters where that is asked for, otherwise the commonest first. */
export function tagOrder(sort: SortTerm | undefined): RawBuilder<unknown> {
  if (!sort) return sql`count desc, lower(w.tag), w.tag`
  return sql`lower(w.tag) ${sort.descending ? sql`desc` : sql`asc`}, w.tag`
}

/** Newest studies of each group that say how much a tag is in use. A whole count would read every tagged study. */
const countedPerNamespace = 200

/**
 * The tags of these namespaces, each once, with how often it stands on the newest studies. Words of deleted records
 * alone are left out: they may tell who the patient was. Only a word that no newest study has is looked up.
 */
export async function listTags(
  db: Db,
  scope: StudyScope,
  { where, limit }: ListSql,
  orderBy: RawBuilder<unknown>,
): Promise<{ tag: string; count: number }[]> {
  const namespaces = scope.namespaces.map((one) => one.namespaceUuid)
  const { rows } = await sql<{ tag: string; count: number }>`
    with word as (
      select w.tag, array_agg(w.phi_namespace) as namespaces
      from tag_word w
      where w.phi_namespace = any(${namespaces}) and ${where}
      group by w.tag
    ), newest as (
      select unnest(s.tags) as tag
      from unnest(${namespaces}::uuid[]) as n (uuid)
      cross join lateral (
        select s.tags
        from study s
        where s.phi_namespace = n.uuid and s.deleted_at is null and s.arrival <> 'announced'
        order by s.created desc, s.uuid desc
        limit ${countedPerNamespace}
      ) s
    ), used as (
      select tag, count(*)::integer as count from newest group by tag
    )
    select w.tag, coalesce(u.count, 0) as count, ${totalColumn}
    from word w
    left join used u on u.tag = w.tag
    where u.count is not null
      or exists (
        select
        from study s
        where s.phi_namespace = any(w.namespaces) and s.tags @> array[w.tag]
          and s.deleted_at is null and s.arrival <> 'announced'
      )
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Words in use in these namespaces that are one of these tags, as each is written there.
 * @param folded the tags as `foldText` gives them
 */
export async function listSpellings(
  db: Db,
  namespaces: readonly string[],
  folded: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct w.tag
    from tag_word w
    where w.phi_namespace = any(${namespaces as string[]}) and ${foldTextSql(sql.ref('w.tag'))} = any(${folded as string[]})
    order by w.tag
  `.execute(db)
  return rows.map((row) => row.tag)
}

/** The tags of a record, which is locked for the change that follows. */
export async function lockTags(tx: Tx, key: { phi_namespace: string; uuid: string }): Promise<string[] | undefined> {
  const { rows } = await sql<{ tags: string[] }>`
    select s.tags
    from study s
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid} and s.deleted_at is null
    for update
  `.execute(tx)
  return rows[0]?.tags
}

/** Tags are no part of what an editor of the demographics read, so the record's version for `study/set` stays. */
export async function updateTags(
  tx: Tx,
  key: { phi_namespace: string; uuid: string },
  tags: readonly string[],
): Promise<void> {
  await sql`
    update study
    set tags = ${tags as string[]}::text[], updated = now()
    where phi_namespace = ${key.phi_namespace} and uuid = ${key.uuid}
  `.execute(tx)
}

/** Forgets a word that no record of the namespace has any more. */
export async function forgetUnusedTag(tx: Tx, phiNamespace: string, tag: string): Promise<void> {
  await sql`
    delete from tag_word
    where phi_namespace = ${phiNamespace}
      and tag = ${tag}
      and not exists (select from study s where s.phi_namespace = ${phiNamespace} and s.tags @> array[${tag}::text])
  `.execute(tx)
}
