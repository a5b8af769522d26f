import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { longJob } from '../../../test/killed-worker.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { type DeclaredJob, type Job, type JobActs, makeJob, type Run } from '../../areas/job.ts'
import { enqueue } from '../../areas/job/enqueue.command.ts'
import { sweepJobsAt } from '../../areas/job/sweep-jobs.job.ts'
import { WorkFailure } from '../../areas/job/work-failure.ts'
import { cancelWork } from '../../areas/job/cancel-work.command.ts'
import { type RunnerTimes, startRunner, type WorkRunner } from './run-work.ts'

const { services, query, url } = await openTestServices()
const { db } = services

type Note = { note: string }
const declare = (name: string, changes: Partial<DeclaredJob<Note>> = {}): DeclaredJob<Note> => ({
  name,
  payload: z.object({ note: z.string() }),
  atOnce: 4,
  retries: 2,
  expireSeconds: 60,
  ...changes,
})

const runners: WorkRunner[] = []
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop()
  await query('delete from work')
})

async function start(jobs: readonly Job[], times: Partial<RunnerTimes> = {}): Promise<WorkRunner> {
  const runner = await startRunner(services, jobs, { pollMs: 20, patienceMs: 200, ...times })
  runners.push(runner)
  return runner
}

/** A job that notes its runs, and one more act of a test. */
function noting(declared: DeclaredJob<Note>, act: (note: string, run: Run) => Promise<void> = async () => undefined) {
  const notes: string[] = []
  const run: JobActs<Note>['run'] = async (_, { note }, its) => {
    notes.push(note)
    await act(note, its)
  }
  return { notes, job: makeJob(declared, { run }) }
}

/** Something that runs wait for until the test opens it. */
function gate() {
  let open = () => undefined as void
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

type Row = { uuid: string; job: string; state: string; tries: number; error: string | null; message: string | null }
const left = () => query<Row>('select uuid, job, state, tries, error, message from work order by seq')
const nothingLeft = () => vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 20_000 })
const wait = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 })

test('work put on the queue in a transaction that is rolled back is not there; of one that commits it runs once, with two workers', async () => {
  const declared = declare('notes')
  const { notes, job } = noting(declared)
  await start([job])
  await start([job])
  const undone = db.transaction().execute(async (tx) => {
    await enqueue(tx, declared, { note: 'undone' })
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  const wanted = Array.from({ length: 30 }, (_, index) => `kept ${index}`)
  await db.transaction().execute(async (tx) => {
    for (const note of wanted) await enqueue(tx, declared, { note }, { group: note })
  })
  await nothingLeft()
  expect(notes.toSorted()).toEqual(wanted.toSorted())
})

test('slow work in one lane delays no other lane, and a lane runs one at a time whatever processes there are', async () => {
  const push = declare('push')
  const fetch = declare('fetch')
  const slow = gate()
  const running = new Map<string, number>()
  let most = 0
  const act = async (note: string) => {
    const lane = note.split(' ')[0] ?? ''
    running.set(lane, (running.get(lane) ?? 0) + 1)
    most = Math.max(most, running.get(lane) ?? 0)
    if (note === 'slow first') await slow.passed
    running.set(lane, (running.get(lane) ?? 0) - 1)
  }
  const pushes = noting(push, act)
  const fetches = noting(fetch, act)
  for (let count = 0; count < 3; count += 1) await start([pushes.job, fetches.job])
  await enqueue(db, push, { note: 'slow first' }, { group: 'slow' })
  await wait(() => expect(pushes.notes).toEqual(['slow first']))
  // of another job, but to the same place
  await enqueue(db, fetch, { note: 'slow second' }, { group: 'slow' })
  for (let count = 0; count < 12; count += 1) {
    await enqueue(db, push, { note: `quick ${count}` }, { group: 'quick' })
    await enqueue(db, push, { note: `other ${count}` }, { group: 'other' })
  }
  await wait(async () => expect((await left()).map((row) => row.state)).toEqual(['running', 'waiting']))
  expect(fetches.notes).toEqual([])
  slow.open()
  await nothingLeft()
  expect(fetches.notes).toEqual(['slow second'])
  expect(most).toBe(1)
  expect(pushes.notes.filter((note) => note.startsWith('quick'))).toEqual(
    Array.from({ length: 12 }, (_, count) => `quick ${count}`),
  )
})

test('many slow lanes of one job leave room for other jobs', async () => {
  const push = declare('push', { atOnce: 2 })
  const seal = declare('seal')
  const slow = gate()
  const pushes = noting(push, () => slow.passed)
  const seals = noting(seal)
  await start([pushes.job, seals.job])
  for (const note of ['a', 'b', 'c']) await enqueue(db, push, { note }, { group: note })
  await wait(() => expect(pushes.notes).toHaveLength(2))
  await enqueue(db, seal, { note: 'sealed' })
  await wait(() => expect(seals.notes).toEqual(['sealed']))
  expect(pushes.notes).toHaveLength(2)
  slow.open()
  await nothingLeft()
})

test('lanes of one owner take two places at most, and the first of another owner goes before the second', async () => {
  const call = declare('call', { atOnce: 3 })
  const slow = gate()
  const calls = noting(call, () => slow.passed)
  for (const note of ['busy/a', 'busy/b', 'busy/c', 'busy/d', 'quiet/a'])
    await enqueue(db, call, { note }, { group: note })
  await start([calls.job])
  await wait(() => expect(calls.notes.toSorted()).toEqual(['busy/a', 'busy/b', 'quiet/a']))
  await start([calls.job])
  await enqueue(db, call, { note: 'quiet/b' }, { group: 'quiet/b' })
  await wait(() => expect(calls.notes).toHaveLength(4))
  expect(calls.notes).not.toContain('busy/c')
  slow.open()
  await nothingLeft()
  expect(calls.notes).toHaveLength(6)
})

test('work waits for its start time, also across a restart', async () => {
  const declared = declare('later')
  const { notes, job } = noting(declared)
  const first = await start([job])
  const uuid = await enqueue(db, declared, { note: 'in an hour' }, { runAt: new Date(Date.now() + 3_600_000) })
  await enqueue(db, declared, { note: 'now' })
  await wait(() => expect(notes).toEqual(['now']))
  await first.stop()
  // an hour later
  await query(`update work set run_at = run_at - interval '61 minutes' where uuid = '${uuid}'`)
  expect(notes).toEqual(['now'])
  await start([job])
  await nothingLeft()
  expect(notes).toEqual(['now', 'in an hour'])
})

test('cancelled before it began, work never runs; cancelled while it runs, it is told, and is not tried again', async () => {
  const declared = declare('cancel')
  const given: string[] = []
  const begun = gate()
  const signals: unknown[] = []
  const job = makeJob(declared, {
    run: async (_, { note }, { signal }) => {
      if (note !== 'running') return
      begun.open()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      signals.push((signal.reason as WorkFailure).code)
      throw new Error('cut off')
    },
    giveUp: async (_, { note }, __, { error }) => {
      given.push(`${note}: ${error}`)
      return undefined
    },
  })
  const by = randomUUID()
  const waiting = await enqueue(db, declared, { note: 'waiting' }, { runAt: new Date(Date.now() + 3_600_000) })
  const running = await enqueue(db, declared, { note: 'running' })
  expect(await cancelWork(services, [job], waiting, by)).toBe('cancelled')
  await start([job])
  await begun.passed
  expect(await cancelWork(services, [job], running, by)).toBe('cancelling')
  await wait(async () => expect((await left()).map((row) => row.state)).toEqual(['cancelled', 'cancelled']))
  expect(signals).toEqual(['CANCELLED'])
  expect(given).toEqual(['waiting: CANCELLED', 'running: CANCELLED'])
  expect(await cancelWork(services, [job], running, by)).toBe('gone')
  const who = await query<{ cancelled_by: string }>('select distinct cancelled_by from work')
  expect(who).toEqual([{ cancelled_by: by }])
})

test('a payload that an older release left, or that is damaged, ends with its reason and blocks nothing behind it', async () => {
  const declared = declare('read')
  const { notes, job } = noting(declared)
  for (const payload of ['{"text": "DOE^JANE"}', '{"note": 7}', '[]', 'null', '"words"']) {
    await query(`insert into work (uuid, job, payload, lane) values (gen_random_uuid(), 'read', '${payload}', 'read')`)
  }
  await enqueue(db, declared, { note: 'behind' })
  await start([job])
  await wait(() => expect(notes).toEqual(['behind']))
  await wait(async () =>
    expect((await left()).map((row) => row.state)).toEqual(Array.from({ length: 5 }, () => 'failed')),
  )
  for (const row of await left()) {
    expect(row).toMatchObject({ error: 'BAD_PAYLOAD', tries: 1, message: expect.stringMatching(/cannot be read/) })
    expect(row.message).not.toContain('DOE')
  }
})

test('failed work is tried again after growing pauses, and given up with its reason in words of ours', async () => {
  const declared = declare('fails', { retries: 2 })
  const reasons = new Map<string, Error>([
    ['known', new WorkFailure('REFUSED', 'The destination refused the association')],
    ['unknown', new Error('column "DOE^JANE" does not exist')],
    ['final', new WorkFailure('GONE', 'The study was deleted', { isFinal: true })],
  ])
  const { notes, job } = noting(declared, async (note) => {
    throw reasons.get(note) ?? new Error('not one of these')
  })
  await start([job])
  for (const note of reasons.keys()) await enqueue(db, declared, { note }, { group: note })
  const pauses: number[] = []
  for (const tries of [1, 2]) {
    await wait(async () => {
      const rows = await query<Row & { pause: number }>(
        `select state, tries, extract(epoch from run_at - updated)::float as pause from work where lane = 'known'`,
      )
      expect(rows).toEqual([{ state: 'waiting', tries, pause: expect.any(Number) }])
      pauses.push(rows[0]?.pause ?? 0)
    })
    await query(`update work set run_at = now() where state = 'waiting'`)
  }
  expect((pauses[0] ?? 0) > 3 && (pauses[1] ?? 0) > (pauses[0] ?? 0)).toBe(true)
  await wait(async () => {
    await query(`update work set run_at = now() where state = 'waiting'`)
    expect((await left()).map(({ state, tries, error, message }) => [state, tries, error, message])).toEqual([
      ['failed', 3, 'REFUSED', 'The destination refused the association'],
      ['failed', 3, 'FAILED', "The server's log says why, under the uuid of this work"],
      ['failed', 1, 'GONE', 'The study was deleted'],
    ])
  })
  expect(notes).toHaveLength(7)
})

test('work that takes too long is cut off, and its lane goes on', async () => {
  const declared = declare('hangs', { expireSeconds: 0.1, retries: 0 })
  const { notes, job } = noting(declared, (note) =>
    note === 'hangs' ? new Promise(() => undefined) : Promise.resolve(),
  )
  await start([job])
  await enqueue(db, declared, { note: 'hangs' })
  await enqueue(db, declared, { note: 'next' })
  await wait(() => expect(notes).toEqual(['hangs', 'next']))
  await wait(async () => expect(await left()).toMatchObject([{ state: 'failed', error: 'TIMED_OUT' }]))
})

test('a process that stops gives back what it could not end', async () => {
  const declared = declare('stops')
  const first = noting(declared, () => new Promise(() => undefined))
  const runner = await start([first.job])
  await enqueue(db, declared, { note: 'half done' })
  await wait(() => expect(first.notes).toEqual(['half done']))
  await runner.stop()
  expect(await left()).toMatchObject([{ state: 'waiting', tries: 0, error: null }])
  const second = noting(declared)
  await start([second.job])
  await nothingLeft()
  expect(second.notes).toEqual(['half done'])
})

test('what a process committed before it was killed is done, and what it had begun is begun again by another', async () => {
  const { notes, job } = noting(longJob)
  const child = async (act: string, note: string) => {
    const started = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../../test/killed-worker.ts'), act, url, note],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    await once(started.stdout, 'data')
    started.kill('SIGKILL')
    await once(started, 'exit')
  }
  await child('commit', 'committed')
  expect(await left()).toMatchObject([{ job: 'long', state: 'waiting', tries: 0 }])
  expect(await query(`select value from setting where key = 'committed'`)).toEqual([{ value: 'kept' }])
  await child('run', '')
  expect(await left()).toMatchObject([{ job: 'long', state: 'running', tries: 1 }])
  await start([job])
  // the job's lease runs out, and the pause after a failed try goes by
  await wait(async () => {
    await query(`update work set run_at = now() where state = 'waiting'`)
    expect(notes).toEqual(['committed'])
  })
  await nothingLeft()
})

test('asked for twice under one key, work waits once, at the earlier time; while it runs, it can be asked for again', async () => {
  const declared = declare('keyed')
  const slow = gate()
  const { notes, job } = noting(declared, () => slow.passed)
  const later = new Date(Date.now() + 3_600_000)
  const uuid = await enqueue(db, declared, { note: 'first' }, { key: 'one', runAt: later, group: 'a' })
  expect(await enqueue(db, declared, { note: 'second' }, { key: 'one' })).toBe(uuid)
  await enqueue(db, declared, { note: 'other' }, { key: 'two', runAt: later, group: 'a' })
  await start([job])
  await wait(() => expect(notes).toEqual(['first']))
  expect(await enqueue(db, declared, { note: 'again' }, { key: 'one' })).not.toBe(uuid)
  slow.open()
  await wait(() => expect(notes).toEqual(['first', 'again']))
})

test('what comes by the clock is one piece of work for all processes, and comes again after it failed', async () => {
  const declared = declare('clock', { payload: z.object({}) as never, clock: { hour: 3, minute: 41 }, retries: 0 })
  let runs = 0
  const run = async () => {
    runs += 1
    if (runs === 1) throw new Error('failed once')
  }
  const job = makeJob(declared, { run })
  await start([job])
  await start([job])
  expect(await left()).toMatchObject([{ job: 'clock', state: 'waiting' }])
  for (const fault of ['FAILED', null]) {
    await query(`update work set run_at = now()`)
    await wait(async () => {
      expect(await query('select state, error, run_at > now() as is_later from work')).toEqual([
        { state: 'waiting', error: fault, is_later: true },
      ])
    })
  }
  expect(runs).toBe(2)
})

test('work of a job that only another release knows is left to it, and fails when nobody took it for a day', async () => {
  const declared = declare('known')
  const { notes, job } = noting(declared)
  await query(`insert into work (uuid, job, payload, lane) values (gen_random_uuid(), 'of tomorrow', '{}', 'shared')`)
  await enqueue(db, declared, { note: 'behind' }, { group: 'shared' })
  await start([job])
  await wait(() => expect(notes).toEqual(['behind']))
  expect(await left()).toMatchObject([{ job: 'of tomorrow', state: 'waiting' }])
  await query(`update work set run_at = now() - interval '25 hours'`)
  await sweepJobsAt(services, new Date())
  expect(await left()).toMatchObject([{ state: 'failed', error: 'UNKNOWN_JOB' }])
  await sweepJobsAt(services, new Date(Date.now() + 31 * 86_400_000))
  expect(await left()).toEqual([])
})
