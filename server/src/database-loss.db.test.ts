import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makeOrganisation } from '../test/make-organisation.ts'
import { makeJob } from './areas/job.ts'
import { enqueue } from './areas/job/enqueue.command.ts'
import { writeEvent } from './areas/event/event.sql.ts'
import { readConfig } from './config.ts'
import { buildApp } from './inbound/http/app.ts'
import { startRunner } from './inbound/worker/run-work.ts'
import { openLog } from './log.ts'
import { openServices } from './open-services.ts'
import { takeWebBuild } from './web-build.ts'

const folder = mkdtempSync(join(tmpdir(), 'hilum-loss-'))
chmodSync(folder, 0o755)
const { services, close } = await openServices(readConfig({ HILUM_DATA: folder }), openLog('silent'))
const app = await buildApp(services, { web: takeWebBuild(folder), viewer: { folder: undefined } })
afterAll(async () => {
  await app.close()
  await close()
  rmSync(folder, { recursive: true, force: true })
})
const { addPerson } = await makeOrganisation(services.db)
const { sid, namespaceUuid } = await addPerson()
const mainProcess = () => Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
const socketFolder = () => readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
const ready = async () => (await app.inject({ url: '/health/ready' })).statusCode
const ask = async () => {
  const { statusCode, headers } = await app.inject({ method: 'POST', url: '/api/v3/session/user', payload: { sid } })
  return [statusCode, headers['retry-after']]
}

it('a database that is killed is started again: requests wait or are told when to come back, feeds and jobs go on', async () => {
  const heard: string[] = []
  const stop = services.events.listen((event) => heard.push(event.uuid))
  const jobsDone: object[] = []
  const job = {
    name: 'after-loss',
    payload: z.object({ uuid: z.string() }),
    atOnce: 1,
    retries: 2,
    expireSeconds: 60,
  }
  const runner = await startRunner(services, [makeJob(job, { run: async (_, payload) => void jobsDone.push(payload) })])
  expect(await ask()).toEqual([200, undefined])
  const before = mainProcess()
  process.kill(before, 'SIGKILL')
  const answers = await Promise.all(Array.from({ length: 20 }, ask))
  for (const answer of answers)
    expect([
      [200, undefined],
      [503, '5'],
    ]).toContainEqual(answer)
  await vi.waitFor(async () => expect(await ask()).toEqual([200, undefined]), { timeout: 30_000 })
  expect(mainProcess()).not.toBe(before)
  const uuid = crypto.randomUUID()
  await writeEvent(services.db, 'study', namespaceUuid, uuid)
  services.events.ring()
  await enqueue(services.db, job, { uuid })
  await vi.waitFor(() => expect([heard, jobsDone]).toEqual([[uuid], [{ uuid }]]), { timeout: 30_000 })
  stop()
  await runner.stop()
})

it.each([
  ['is told to stop from outside, and lets nobody new in', (pid: number) => process.kill(pid, 'SIGTERM')],
  ['lost its socket', () => rmSync(socketFolder(), { recursive: true })],
])('a database that %s is noticed, told and started anew, with all that was stored meanwhile', async (_, disturb) => {
  expect(await ask()).toEqual([200, undefined])
  const before = mainProcess()
  const table = sql.id(`kept_${before}`)
  // an open connection that works keeps a database that stops in peace waiting for ever
  await services.db.connection().execute(async (open) => {
    disturb(before)
    await sql`create table ${table} (word text)`.execute(open)
    await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 30_000 })
    await vi.waitFor(() => expect(mainProcess()).not.toBe(before), { timeout: 30_000 })
  })
  await vi.waitFor(async () => expect([await ask(), await ready()]).toEqual([[200, undefined], 200]), {
    timeout: 30_000,
  })
  expect((await sql`select word from ${table}`.execute(services.db)).rows).toEqual([])
})
