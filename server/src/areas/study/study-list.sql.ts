import { type RawBuilder, sql } from 'kysely'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'

/** What to list, already turned into SQL by `study-question.ts`. */
export interface StudyQuestion {
  scope: StudyScope
  /** The scope's namespaces that the question is about. */
  namespaces: readonly string[]
  where: RawBuilder<unknown>
  /** Something is looked for that an index of its own finds in all namespaces at once: a name, a number, a tag. */
  isSought: boolean
  /** Expressions on the study `s`. */
  order: { by: RawBuilder<unknown>; descending: boolean }[]
  userUuid: string
  sessionUuid: string
}

export interface StudyKeyRow {
  phi_namespace: string
  uuid: string
}

/** With more matches than this, the first page is found sooner by walking through the order than by gathering them. */
const MAX_GATHERED = 1000

/** One page of record keys in a total order. */
export async function listStudyKeys(
  db: Db,
  question: StudyQuestion,
  limit: number,
  offset: number,
): Promise<StudyKeyRow[]> {
  const mayGather = question.isSought && question.namespaces.length > 1 && !db.isTransaction
  if (!mayGather) return walkKeys(db, question, limit, offset)
  const gathered = offset <= MAX_GATHERED ? await gatherKeys(db, question, limit, offset) : undefined
  if (gathered) return gathered
  return db.transaction().execute(async (tx) => {
    // the trigram index would now be read once for each namespace: fifty times the same many names
    await sql`set local enable_bitmapscan = off`.execute(tx)
    return walkKeys(tx, question, limit, offset)
  })
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
        and ${question.where}
      ${cap === undefined ? sql`` : sql`limit ${cap + 1}`}
    ) found
  `.execute(db)
  return rows[0]?.count ?? 0
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
