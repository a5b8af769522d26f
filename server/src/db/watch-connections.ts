import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { boundSilence } from './bound-silence.ts'

/** A database as far as new connections to it are concerned. */
export interface WatchedDatabase {
  url: string
  /** Only for a database of our own, which can be started anew. */
  own?: {
    /** Number of the running process; another one after each start. */
    pid: () => number
    /** Whether it was told to stop, by its own lock file. */
    isStopping: () => boolean
    /** Stops it in order, which rolls back open transactions; supervision starts it again. */
    startAnew: () => Promise<void>
  }
}

/** Events of new connections, with the cause in words. */
export type ConnectionEvent = 'takes no new connections' | 'is started anew' | 'takes new connections again'

export interface ConnectionWatch {
  /** Why no new connection can be opened; undefined while they can, as far as the last look tells. */
  fault: () => string | undefined
  close: () => Promise<void>
}

interface WatchOptions {
  tell: (event: ConnectionEvent, fault?: string) => void
  everyMs?: number
  patienceMs?: number
}

const ordinaryEveryMs = 5_000
const ordinaryPatienceMs = 10_000

/**
 * Failures in a row after which a database of our own is started anew. One that was told to stop never takes another
 * connection; a socket that is gone comes back by nothing else; silence may be a machine under load. Every other refusal
 * (starting, recovering, full of connections, short of memory) passes, and a new start would only disturb it, as it would
 * where this process itself is short of something.
 */
const failuresUntilAnew = { stopping: 1, 'no socket': 2, silent: 6, passing: Number.POSITIVE_INFINITY }

/** Errors of a connection that never left this process: nothing is known of the database. */
const ownErrors: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EACCES', 'EPERM']

/**
 * Opens a connection of its own every few seconds. Connections that are open go on working while a database is told to
 * stop, has lost its socket, hangs or is full, so that whoever uses only those notices nothing until they are gone.
 */
export function watchNewConnections(database: WatchedDatabase, options: WatchOptions): ConnectionWatch {
  const { tell, everyMs = ordinaryEveryMs, patienceMs = ordinaryPatienceMs } = options
  const closing = new AbortController()
  let fault: string | undefined
  let failures = 0
  let failedPid: number | undefined

  async function look(): Promise<void> {
    const pid = database.own?.pid()
    const error = await tryConnection(database.url, patienceMs)
    if (closing.signal.aborted) return
    if (error === undefined) {
      if (fault !== undefined) tell('takes new connections again')
      fault = undefined
      failures = 0
      return
    }
    const words = wordsOf(error)
    if (words !== fault) tell('takes no new connections', words)
    fault = words
    failures = pid === failedPid ? failures + 1 : 1
    failedPid = pid
    const { own } = database
    if (own === undefined || own.pid() !== pid || failures < failuresUntilAnew[kindOf(error, own)]) return
    tell('is started anew', words)
    failures = 0
    await own.startAnew()
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await delay(everyMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      if (!closing.signal.aborted) await look()
    }
  }

  const watching = watch()
  return {
    fault: () => fault,
    close: async () => {
      closing.abort()
      await watching
    },
  }
}

/** @returns the error of a connection that could not be opened, or not be closed again by a database that hangs */
async function tryConnection(url: string, patienceMs: number): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patienceMs })
  boundSilence(client, patienceMs, () => false)
  let lost: Error | undefined
  client.on('error', (error) => (lost = error))
  try {
    await client.connect()
    await client.end()
    return lost
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function kindOf(error: Error, own: NonNullable<WatchedDatabase['own']>): keyof typeof failuresUntilAnew {
  if (own.isStopping()) return 'stopping'
  if (error instanceof pg.DatabaseError) return 'passing'
  const code = codeOf(error)
  if (ownErrors.includes(code)) return 'passing'
  return code === 'ENOENT' || code === 'ECONNREFUSED' ? 'no socket' : 'silent'
}

function wordsOf(error: Error): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined
}
