import { type Kysely, sql } from 'kysely'

/**
 * Whether a destination is sent exams that could not be looked up there first, and the content of the exam that a push
 * sent, so that images which came later are told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table destination add column push_unchecked boolean not null default false`,
  // destinations that were sent to without a search go on; their page says so
  `update destination set push_unchecked = true where not can_search`,
  // keys and versions of the stored studies; null: pushed before this was kept
  `alter table push add column content text`,
]
