import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawNode,
} from 'kysely'
import type { Database, Tables } from '../src/db/database.ts'
import { joinParts } from './source-types.ts'

/** A statement that a function wanted to run. */
export interface AskedStatement {
  text: string
  /** See `WrittenStatement.parts`. */
  parts: string
}

/** More statements than any function runs for one value of each kind: one that goes on until there are no rows left. */
const statementLimit = 40

/** A database that runs nothing: it hands each statement on, and answers with the rows that come back. */
export function recordingDatabase(answer: (asked: AskedStatement) => Promise<unknown[]>): Database {
  let count = 0
  const connection = {
    executeQuery: async <Row>(compiled: CompiledQuery) => {
      if (++count > statementLimit) throw new Error('goes on and on')
      const { sqlFragments } = compiled.query as RawNode
      const rows = await answer({ text: compiled.sql, parts: joinParts(sqlFragments) })
      return { rows: rows as Row[], numAffectedRows: BigInt(rows.length) }
    },
    streamQuery: () => {
      throw new Error('nothing streams')
    },
  }
  const nothing = async () => undefined
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: async () => connection,
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        savepoint: nothing,
        rollbackToSavepoint: nothing,
        releaseSavepoint: nothing,
        releaseConnection: nothing,
        destroy: nothing,
      }),
    },
  })
}
