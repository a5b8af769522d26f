import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { makeJob } from '../src/areas/job.ts'
import { createJobFeed } from '../src/areas/job/job-feed.ts'
import { enqueue } from '../src/areas/job/enqueue.command.ts'
import { openDatabase } from '../src/db/database.ts'
import { startRunner } from '../src/inbound/worker/run-work.ts'
import { openLog } from '../src/log.ts'
import type { Services } from '../src/services.ts'

/**
 * A server process for tests that kill it: `commit` puts work on the queue and dies without running any, `run` takes
 * due work and never ends. Says `ready` when the moment has come.
 */
export const longJob = {
  name: 'long',
  payload: z.object({ note: z.string() }),
  atOnce: 1,
  retries: 2,
  expireSeconds: 600,
}

if (process.argv[1] === import.meta.filename) {
  const [, , act = '', url = '', note = ''] = process.argv
  const { db } = openDatabase({ connectionString: url })
  const say = () => process.stdout.write('ready\n')
  if (act === 'commit') {
    await db.transaction().execute(async (tx) => {
      await sql`insert into setting (scope, scope_uuid, key, value) values ('user', ${randomUUID()}, ${note}, 'kept')`.execute(
        tx,
      )
      await enqueue(tx, longJob, { note })
    })
    say()
  } else {
    const services = { db, log: openLog('silent'), jobs: createJobFeed() } as unknown as Services
    const run = async () => {
      say()
      await new Promise(() => undefined)
    }
    await startRunner(services, [makeJob(longJob, { run })], { pollMs: 50, leaseSeconds: 2 })
  }
  setInterval(() => undefined, 1_000)
}
