import { CompiledQuery } from 'kysely'
import { type Db as BossDatabase, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database, Db } from '../../db/database.ts'

export interface QueuedWork {
  name: string
  schedule?: string
  retries: number
  expireSeconds: number
}

export interface JobQueue {
  /** Puts work on the queue inside the caller's transaction; one waiting entry for each key. */
  enqueue: (db: Db, name: string, payload: object, key?: string) => Promise<void>
  /** Makes the queues and their schedules. Once a process. */
  prepare: (work: readonly QueuedWork[]) => Promise<void>
  /** Runs entries of one queue as they come, one at a time. */
  work: (name: string, run: (payload: object) => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

/** pg-boss in the schema `jobs` of our own database. At least once: a run that died is given out again. */
export async function openJobQueue(db: Database, log: Logger): Promise<JobQueue> {
  const boss = new PgBoss({ db: asBossDatabase(db), schema: 'jobs', persistWarnings: false })
  boss.on('error', (error) => log.warn({ event: 'job queue failed', err: error }))
  await boss.start()
  return {
    enqueue: async (where, name, payload, key) => {
      await boss.send(name, payload, { db: asBossDatabase(where), ...(key ? { singletonKey: key } : {}) })
    },
    prepare: async (work) => {
      await boss.createQueue(deadLetters, {})
      for (const one of work) {
        await boss.createQueue(one.name, {
          policy: 'short', // one waiting entry for each key; asking twice is asking once
          retryLimit: one.retries,
          retryBackoff: true,
          retryDelay: 5,
          expireInSeconds: one.expireSeconds,
          deadLetter: deadLetters,
        })
        if (one.schedule) await boss.schedule(one.name, one.schedule, {}, { tz: 'UTC' })
      }
    },
    work: async (name, run) => {
      await boss.work<object>(name, { pollingIntervalSeconds: 2 }, async (jobs) => {
        for (const job of jobs) {
          const failure = await failureOf(() => run(job.data ?? {}))
          if (!failure) continue
          log.error({ event: 'job failed', job: name, id: job.id, err: failure.error })
          // pg-boss keeps what it is thrown; a parser's or database's words may quote a patient
          throw new Error(`${name} failed: see the log for ${job.id}`)
        }
      })
    },
    close: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}

async function failureOf(act: () => Promise<void>): Promise<{ error: unknown } | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    return { error }
  }
}

/** Work that failed for good lies here, for an administrator to see. */
const deadLetters = 'dead-letters'

function asBossDatabase(db: Db): BossDatabase {
  return {
    executeSql: async (text, values) => ({ rows: (await db.executeQuery(CompiledQuery.raw(text, values ?? []))).rows }),
  }
}
