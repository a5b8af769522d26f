import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { DatabaseAwayError, explainLoss } from './database-away.ts'
import { PreparingClient } from './preparing-client.ts'

/** Rows are typed where they are asked for, in the `.sql.ts` files; no table is declared twice. */
export type Tables = Record<never, never>
export type Database = Kysely<Tables>
export type Tx = Transaction<Tables>
/** The pool beneath, for the one who needs a connection of its own. */
export type ConnectionPool = pg.Pool
export type PooledConnection = pg.PoolClient
/** Either of the two: what most queries take. */
export type Db = Database | Tx

const dateOid = 1082
const bigintOid = 20

/** A wait this long for a connection ends in an error: work that hangs for ever is found by nobody. */
const waitMs = 30_000
/**
 * A connection on which an answer is owed and nothing has come for this long is let go: PostgreSQL ends each statement
 * earlier by itself (`statement_timeout`) and says so, unless the database hangs. A commit is bounded by no such time:
 * its triggers wait ten seconds at most (migrations 0185 and 0193), and go row by row only through what was changed.
 */
const silenceMs = 45_000
/** How long a request waits for a database that is away, and how often it tries. */
const patienceMs = 5_000
const retryMs = 100
/** How long others wait for the one that tries whether the database is back. */
const witnessMs = 1_000

/**
 * Settings of the embedded PostgreSQL, said by each connection, so that they hold on another's server too. Settings of
 * the address itself (`?options=`) go before these.
 */
const settings = [
  'statement_timeout=30s',
  'idle_in_transaction_session_timeout=60s',
  // data lies on disks that do not seek, and what is often asked for lies in memory
  'random_page_cost=1.1',
  'jit=off',
]

/**
 * Opens the pool. Ten connections beat fifty on two cores; bigint comes as a number, date as its own text. Where the
 * caller or the address sets how long a statement may take, silence is not bounded: it may be a statement at work.
 */
export function openDatabase(connection: pg.PoolConfig & { silenceMs?: number }): { db: Database; pool: pg.Pool } {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: waitMs,
    options: settings.map((one) => `-c ${one}`).join(' '),
    ...(setsStatements(connection) ? {} : { silenceMs }),
    ...connection,
    types: { getTypeParser },
    Client: PreparingClient,
  })
  const reached = { connect: reach(pool), end: () => pool.end(), options: pool.options }
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: reached }) }), pool }
}

function setsStatements({ connectionString = '', options, statement_timeout }: pg.PoolConfig): boolean {
  // of an address only what follows the question mark sets anything; options there replace ours as a whole
  const query = /\?(.*)$/s.exec(connectionString)?.[1] ?? ''
  return options !== undefined || statement_timeout !== undefined || /(^|&)(options|statement_timeout)=/.test(query)
}

/**
 * A connection of the pool; while there is none to be had, tries again for some seconds, as a database that is started
 * again needs them. Once it has been away for longer, everybody is told so within a second: one caller at a
 * time tries whether it is back, and no others queue behind a database that hangs.
 * @throws DatabaseAwayError
 */
function reach(pool: pg.Pool): () => Promise<pg.PoolClient> {
  let away: { since: number; loss: DatabaseAwayError } | undefined
  let trying: Promise<unknown> | undefined
  const isAwayForLong = () => away !== undefined && performance.now() - away.since > patienceMs
  const connect = async (began: number) => {
    try {
      const client = await pool.connect()
      away = undefined
      return client
    } catch (error) {
      if (pool.ending) throw error
      const loss = explainLoss(error)
      if (!(loss instanceof DatabaseAwayError)) throw loss
      // a database that hangs has let this caller wait long enough already
      away = { since: away?.since ?? began, loss }
      return undefined
    }
  }
  return async () => {
    const began = performance.now()
    for (;;) {
      // whoever comes with the one that finds the database back is served with it
      if (trying !== undefined) {
        await Promise.race([trying, delay(witnessMs)])
        if (away !== undefined) throw away.loss
      }
      const tried = connect(began)
      if (isAwayForLong()) trying = tried.catch(() => undefined).finally(() => (trying = undefined))
      const client = await tried
      if (client !== undefined) return client
      if (away !== undefined && isAwayForLong()) throw away.loss
      await delay(retryMs)
    }
  }
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === dateOid) return (value: string) => value
  if (oid === bigintOid) return (value: string) => toSafeNumber(value)
  return pg.types.getTypeParser(oid, format as 'text')
}

function toSafeNumber(value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`bigint ${value} does not fit a number`)
  return number
}
