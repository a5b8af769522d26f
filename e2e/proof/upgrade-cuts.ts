import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { randomFrom } from '@hilum/dicom/synthetic/random'
import { openDatabase } from '@hilum/server/db/database'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import { listAppliedMigrations, migrateTo, migrationNames } from '@hilum/server/db/migrate'
import { sql } from 'kysely'
import { oldData } from '../../server/test/old-data.ts'
import type { Outcome, ProofPart, Stage } from './proof.ts'

const root = resolve(import.meta.dirname, '..', '..')
const STUDIES = 20_000
const START_MS = 240_000
/** The release whose data are upgraded, by the last step of its schema. */
const oldStep = '0011-search-shares'

/** An upgrade that is cut, and begun again. */
export const upgradeCuts: ProofPart = {
  name: 'upgrade-cuts',
  title: 'An upgrade cut at random moments',
  method: `A data folder of an early release (schema \`${oldStep}\`, ${STUDIES.toLocaleString('en')} studies) is copied for each
case and started with the release of today, which brings it up to date. At a random moment of that start the server is killed
(SIGKILL), every second time together with its PostgreSQL, as a loss of power would. The next start must come to the schema
of today with every row, and \`hilum verify\` and \`hilum verify --audit\` must find nothing.`,
  run: runCuts,
}

interface Cut {
  atMs: number
  /** Steps of the schema that were taken when it was cut; undefined where the database was killed, too. */
  steps: number | undefined
  againMs: number
}

async function runCuts(stage: Stage): Promise<Outcome> {
  const { folder, numberOf, seed, say } = stage
  const random = randomFrom(seed)
  const old = join(folder, 'old')
  await makeOld(old)
  say('data of the early release made')
  const whole = await copyOf(old, join(folder, 'whole'))
  const uncut = await upgrade(whole)
  const faults = await findFaults(whole, uncut.fault)
  say(`uncut: ${Math.round(uncut.ms)} ms`)
  await rm(whole, { recursive: true })
  const cuts: Cut[] = []
  for (let number = 1; number <= numberOf('HILUM_PROOF_CUTS', 10); number++) {
    const place = await copyOf(old, join(folder, `cut-${number}`))
    const withDatabase = number % 2 === 0
    // a process of Node needs a while before it touches anything
    const atMs = uncut.ms * (0.15 + 0.8 * random())
    const steps = await cutUpgrade(place, atMs, withDatabase)
    const again = await upgrade(place)
    const found = await findFaults(place, again.fault)
    faults.push(...found.map((fault) => `cut ${number} at ${Math.round(atMs)} ms: ${fault}`))
    cuts.push({ atMs, steps, againMs: again.ms })
    say(`cut ${number} at ${Math.round(atMs)} ms: ${found.length} faults`)
    await rm(place, { recursive: true })
  }
  const all = migrationNames.length
  return {
    table: [
      ['Cut after', 'Killed', 'Steps taken by then', 'Ready again after'],
      ...cuts.map(({ atMs, steps, againMs }) => [
        `${(atMs / 1000).toFixed(1)} s`,
        steps === undefined ? 'server and PostgreSQL' : 'server',
        steps === undefined ? 'not asked' : `${steps} of ${all}`,
        `${(againMs / 1000).toFixed(1)} s`,
      ]),
    ],
    notes: [`Uncut, the start with the upgrade took ${(uncut.ms / 1000).toFixed(1)} s.`],
    faults,
  }
}

async function makeOld(folder: string): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o755)
  await withDatabase(folder, async (db) => {
    for (const { from, before } of oldData.filter((one) => one.step <= oldStep)) {
      await migrateTo(db, from)
      for (const statement of before) await statement.execute(db)
    }
    await migrateTo(db, oldStep)
    await sql`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search, tags, arrival, created, updated)
      select phi_namespace, gen_random_uuid(), '1.9.' || n, storage_namespace, account_uuid, 'MANY^' || n, 'many^' || n, '{}', 'complete', created, updated
      from study cross join generate_series(1, ${STUDIES}) n where study_uid = '1.1'`.execute(db)
  })
}

async function withDatabase<T>(folder: string, act: (db: ReturnType<typeof openDatabase>['db']) => Promise<T>) {
  const running = findEmbeddedPostgres(join(folder, 'postgres'))
  const server = running === undefined ? await startEmbeddedPostgres(join(folder, 'postgres')) : undefined
  const { db, pool } = openDatabase({ connectionString: running ?? server?.url ?? '', max: 1 })
  pool.on('error', () => undefined)
  try {
    return await act(db)
  } finally {
    await db.destroy()
    await server?.stop()
  }
}

/** By cp, which keeps owners: those of the database belong to another user where we are root. */
async function copyOf(from: string, to: string): Promise<string> {
  execFileSync('cp', ['-a', from, to])
  return to
}

function spawnServer(folder: string): { child: ChildProcess; said: () => string } {
  let output = ''
  const child = spawn(process.execPath, [join(root, 'server', 'src', 'main.ts'), '--empty'], {
    env: environmentOf(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-4000)))
  return { child, said: () => output }
}

function environmentOf(folder: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HILUM_DATA: folder,
    HILUM_PORT: '0',
    HILUM_HTTPS_PORT: '0',
    HILUM_DICOM_PORT: '0',
    HILUM_ADMIN_EMAIL: 'first@hilum.example',
    HILUM_ADMIN_PASSWORD: 'a long enough password 26',
  }
}

/** Starts until ready and stops in order. */
async function upgrade(folder: string): Promise<{ ms: number; fault: string | undefined }> {
  const began = performance.now()
  const { child, said } = spawnServer(folder)
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  while (child.exitCode === null && !said().includes('Hilum is ready') && performance.now() - began < START_MS)
    await wait(20)
  const ms = performance.now() - began
  if (!said().includes('Hilum is ready')) {
    child.kill('SIGKILL')
    return { ms, fault: `it did not get ready: ${said()}` }
  }
  child.kill('SIGTERM')
  const code = await ended
  return { ms, fault: code === 0 ? undefined : `it ended with ${code}: ${said()}` }
}

/** @returns how many steps were taken, where the database outlived the server */
async function cutUpgrade(folder: string, atMs: number, killsDatabase: boolean): Promise<number | undefined> {
  const { child } = spawnServer(folder)
  const ended = new Promise((done) => child.once('exit', done))
  await wait(atMs)
  const postmaster = killsDatabase ? findPostmaster(folder) : undefined
  child.kill('SIGKILL')
  if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
  await ended
  if (killsDatabase) return undefined
  return withDatabase(folder, async (db) => (await listAppliedMigrations(db)).length)
}

function findPostmaster(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    // it was not started yet
    return undefined
  }
}

async function findFaults(folder: string, fault: string | undefined): Promise<string[]> {
  if (fault !== undefined) return [fault]
  const faults: string[] = []
  await withDatabase(folder, async (db) => {
    const applied = await listAppliedMigrations(db)
    if (applied.join() !== migrationNames.join()) faults.push(`${applied.length} of ${migrationNames.length} steps`)
    const { rows } = await sql<{ count: number }>`select count(*) as count from study`.execute(db)
    if (rows[0]?.count !== STUDIES + 3) faults.push(`${rows[0]?.count} studies of ${STUDIES + 3}`)
    for (const args of [['verify'], ['verify', '--audit']]) {
      const hilum = spawnSync(process.execPath, [join(root, 'server', 'src', 'cli', 'hilum.ts'), ...args], {
        env: environmentOf(folder),
        encoding: 'utf8',
      })
      if (hilum.status !== 0) faults.push(`hilum ${args.join(' ')}: ${hilum.stdout}${hilum.stderr}`.slice(0, 500))
    }
  })
  return faults
}
