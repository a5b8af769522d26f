import { type RawBuilder, sql } from 'kysely'
import { afterAll } from 'vitest'
import { type Database, openDatabase } from '../src/db/database.ts'
import { freshDatabase } from './fresh-database.ts'

export interface UnanalysedDatabase {
  db: Database
  /** Blocks of all tables and indexes that were read so far, wherever they were found. */
  blocksRead: () => Promise<number>
  /** The first number of an answer. */
  one: (question: RawBuilder<unknown>) => Promise<number>
}

/**
 * A database of which PostgreSQL does not learn what these tables hold, as for a minute or so after a large upload.
 * Called at the top of a test file.
 */
export async function unanalysedDatabase(tables: readonly string[]): Promise<UnanalysedDatabase> {
  const { url } = await freshDatabase()
  // one connection, which alone counts what it reads
  const { db } = openDatabase({ connectionString: url, max: 1 })
  afterAll(() => db.destroy())
  for (const table of tables) await sql`alter table ${sql.ref(table)} set (autovacuum_enabled = false)`.execute(db)
  const one = async (question: RawBuilder<unknown>) => {
    const { rows } = await sql<Record<string, unknown>>`${question}`.execute(db)
    return Number(Object.values(rows[0] ?? {})[0])
  }
  return {
    db,
    one,
    blocksRead: async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db)
      return one(
        sql`select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit) from pg_statio_user_tables`,
      )
    },
  }
}
