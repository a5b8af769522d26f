import { afterAll, expect, it, vi } from 'vitest'
import { freshDatabase } from '../../../test/fresh-database.ts'
import { openDatabase } from '../../db/database.ts'
import { openLog } from '../../log.ts'
import { openEventFeed } from '../event/event-feed.ts'
import { createJobFeed, type JobFeed, type JobProgress } from './job-feed.ts'

const { url } = await freshDatabase()

/** The feed of one server process over the database. */
async function openProcess(): Promise<JobFeed> {
  const { db, pool } = openDatabase({ connectionString: url, max: 3 })
  const events = await openEventFeed(db, pool, openLog('silent'))
  const jobs = createJobFeed(events.handOnJob)
  events.listenToJobs(jobs.takeIn)
  afterAll(async () => {
    await events.close()
    await db.destroy()
  })
  return jobs
}

const [one, other] = [await openProcess(), await openProcess()]
const download = (sent: number, state: JobProgress['state'] = 'RUNNING'): JobProgress => ({
  jobId: 'archive',
  userUuid: 'reader',
  namespaceUuid: 'place',
  state,
  sent,
  total: 100,
})

it('a job of one process is told at every process, once, in its order and to its person alone', async () => {
  const [here, there, stranger]: [JobProgress[], JobProgress[], JobProgress[]] = [[], [], []]
  one.listen('reader', (progress) => here.push(progress))
  other.listen('reader', (progress) => there.push(progress))
  other.listen('somebody else', (progress) => stranger.push(progress))
  for (let sent = 0; sent < 50; sent++) one.tell(download(sent))
  one.tell(download(100, 'DONE'))
  await vi.waitFor(() => expect(there.at(-1)).toEqual(download(100, 'DONE')), { timeout: 20_000 })
  expect(there.map(({ sent }) => sent)).toEqual(there.map(({ sent }) => sent).toSorted((a, b) => a - b))
  // the process that did the work heard all of it by itself, and nothing a second time
  other.tell(download(7))
  await vi.waitFor(() => expect(here.at(-1)).toEqual(download(7)), { timeout: 20_000 })
  expect(here).toHaveLength(52)
  expect(stranger).toEqual([])
  expect(other.current('reader', 'place')).toEqual([download(7)])
  expect(one.current('reader', 'place')).toEqual([download(7)])
})

it('a text that is too long to be handed on holds up none that come after it', async () => {
  const there: JobProgress[] = []
  other.listen('writer', (progress) => there.push(progress))
  one.tell({ ...download(1), userUuid: 'writer', message: 'x'.repeat(9000) })
  one.tell({ ...download(2), userUuid: 'writer' })
  await vi.waitFor(() => expect(there.map(({ sent }) => sent)).toEqual([2]), { timeout: 20_000 })
})
