import { type RawBuilder, sql } from 'kysely'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'

/** The question of a study list, already turned into SQL by `study-question.ts`. */
export interface StudyQuestion {
  scope: StudyScope
  /** The scope's namespaces that the question is about. */
  namespaces: readonly string[]
  where: RawBuilder<unknown>
  /**
   * The part of the namespaces' studies: all; some of them; or those sought by something that an index of its own finds
   * in all namespaces at once – a name, a number, a tag.
   */
  wants: 'all' | 'some' | 'sought'
  /** Expressions on the study `s`. */
  order: { by: RawBuilder<unknown>; descending: boolean }[]
  userUuid: string
  sessionUuid: string
}

interface StudyKeyRow {
  phi_namespace: string
  uuid: string
}

/**
 * So many matches are gathered and sorted in about the time in which their newest are met by walking through the order:
 * gathering grows with their number, walking with their rareness (20 ms each, of a million studies).
 */
const MAX_GATHERED = 5000
/** Each namespace of a merge is planned by itself, 0.1 ms each. */
const MAX_MERGED = 100

/** One page of record keys in a total order. */
export async function listStudyKeys(
  db: Db,
  question: StudyQuestion,
  limit: number,
  offset: number,
): Promise<StudyKeyRow[]> {
  const [only, ...others] = question.namespaces
  if (only === undefined) return []
  if (others.length === 0) return listKeysOf(db, question, only, limit, offset)
  if (question.wants === 'all') return walkKeys(db, question, limit, offset)
  if (question.wants === 'some' || db.isTransaction) return mergeKeys(db, question, limit, offset)
  const mayGather = offset <= MAX_GATHERED && (await estimateMatches(db, question)) <= MAX_GATHERED
  const gathered = mayGather ? await gatherKeys(db, question, limit, offset) : undefined
  if (gathered) return gathered
  return db.transaction().execute(async (tx) => {
    // the trigram index would now be read once for each namespace: fifty times the same many names
    await sql`set local enable_bitmapscan = off`.execute(tx)
    return mergeKeys(tx, question, limit, offset)
  })
}

/** The namespace stands in the statement as a value: how much it holds decides which index is the best. */
async function listKeysOf(
  db: Db,
  question: StudyQuestion,
  namespace: string,
  limit: number,
  offset: number,
): Promise<StudyKeyRow[]> {
  const { rows } = await sql<StudyKeyRow>`
    select m.phi_namespace, m.uuid
    from ${headOf(question, namespace, limit + offset)} m
    order by ${orderBy(question, sql`m.uuid`)}
    limit ${limit}
    offset ${offset}
  `.execute(db)
  return rows
}

/** The first of one namespace, in order. */
function headOf(question: StudyQuestion, namespace: string, most: number): RawBuilder<unknown> {
  return sql`(
      select s.phi_namespace, s.uuid, ${sortColumns(question)}
      from study s
      where s.phi_namespace = ${namespace}
        and ${approvedIn(question, namespace)}
        and ${question.where}
      order by ${orderBy(question, sql`s.uuid`)}
      limit ${most}
    )`
}

/** How many the planner expects, without looking. */
async function estimateMatches(db: Db, question: StudyQuestion): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json)
    select
    from study s
    where s.phi_namespace = any(${question.namespaces as string[]})
      and ${question.where}
  `.execute(db)
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

/** All matches, found by what is sought and then sorted; undefined when they are too many. */
async function gatherKeys(
  db: Db,
  question: StudyQuestion,
  limit: number,
  offset: number,
): Promise<StudyKeyRow[] | undefined> {
  const { rows } = await sql<StudyKeyRow & { matches: number }>`
    with found as materialized (
      select s.phi_namespace, s.uuid, ${sortColumns(question)}
      from study s
      where s.phi_namespace = any(${question.namespaces as string[]})
        and ${approved(question)}
        and ${question.where}
      limit ${MAX_GATHERED + 1}
    )
    select m.phi_namespace, m.uuid, (select count(*) from found) as matches
    from found m
    order by ${orderBy(question, sql`m.uuid`)}
    limit ${limit}
    offset ${offset}
  `.execute(db)
  if ((rows[0]?.matches ?? 0) > MAX_GATHERED) return undefined
  return rows.map(({ phi_namespace, uuid }) => ({ phi_namespace, uuid }))
}

/**
 * Each namespace walks its own index only as far as its next match is wanted: 2 ms for a name that every 30th has in
 * 50 groups, where the first 51 of each of them take 50.
 */
async function mergeKeys(db: Db, question: StudyQuestion, limit: number, offset: number): Promise<StudyKeyRow[]> {
  if (question.namespaces.length > MAX_MERGED) return walkKeys(db, question, limit, offset)
  const heads = question.namespaces.map((namespace) => headOf(question, namespace, limit + offset))
  const { rows } = await sql<StudyKeyRow>`
    select m.phi_namespace, m.uuid
    from (${sql.join(heads, sql` union all `)}) m
    order by ${orderBy(question, sql`m.uuid`)}
    limit ${limit}
    offset ${offset}
  `.execute(db)
  return rows
}

/**
 * Each namespace walks its own index and stops early; their heads are merged.
 * `namespace = any(…) order by …` instead would sort everything: 344 ms against 5 over 50 groups.
 */
async function walkKeys(db: Db, question: StudyQuestion, limit: number, offset: number): Promise<StudyKeyRow[]> {
  const { rows } = await sql<StudyKeyRow>`
    select m.phi_namespace, m.uuid
    from unnest(${question.namespaces as string[]}::uuid[]) as n (uuid)
    cross join lateral (
      select s.phi_namespace, s.uuid, ${sortColumns(question)}
      from study s
      where s.phi_namespace = n.uuid
        and ${approved(question)}
        and ${question.where}
      order by ${orderBy(question, sql`s.uuid`)}
      limit ${limit + offset}
    ) m
    order by ${orderBy(question, sql`m.uuid`)}
    limit ${limit}
    offset ${offset}
  `.execute(db)
  return rows
}

/** Exact, or stopped at cap + 1. */
export async function countStudies(db: Db, question: StudyQuestion, cap?: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (
      select
      from study s
      where s.phi_namespace = any(${question.namespaces as string[]})
        and ${approved(question)}
        and ${question.where}
      ${cap === undefined ? sql`` : sql`limit ${cap + 1}`}
    ) found
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Studies that wait for approval are shown only where the caller may approve. */
function approved({ scope }: StudyQuestion): RawBuilder<unknown> {
  return sql`(not s.must_approve or s.phi_namespace = any(${[...scope.approving]}))`
}

function approvedIn({ scope }: StudyQuestion, namespace: string): RawBuilder<unknown> {
  return scope.approving.has(namespace) ? sql`true` : sql`not s.must_approve`
}

function sortColumns({ order }: StudyQuestion): RawBuilder<unknown> {
  return sql.join(order.map(({ by }, index) => sql`${by} as ${sql.ref(`sort_${index}`)}`))
}

/** The order of both, a namespace's own and the merged one; they share the names of what they sort by. */
function orderBy({ order }: StudyQuestion, uuid: RawBuilder<unknown>): RawBuilder<unknown> {
  const direction = (descending: boolean) => (descending ? sql`desc` : sql`asc`)
  const last = order.at(-1)?.descending ?? true
  return sql.join([
    ...order.map(({ descending }, index) => sql`${sql.ref(`sort_${index}`)} ${direction(descending)}`),
    sql`${uuid} ${direction(last)}`,
  ])
}
