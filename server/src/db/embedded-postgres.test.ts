import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findAccount } from './embedded-postgres-account.ts'
import { findBinaries } from './embedded-postgres-binaries.ts'

const isRoot = process.getuid?.() === 0
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
const program = path.resolve(import.meta.dirname, '../../test/launch-postgres.ts')

type Launched = { url: string; pid: number; process: ChildProcess }

/** Kept for all tests: PostgreSQL's programs for a plain user, and data folders that were started and stopped once. */
const shared = mkdtempSync(path.join(os.tmpdir(), 'hilum-launcher-'))
chmodSync(shared, 0o755)
afterAll(() => rmSync(shared, { recursive: true, force: true }))

let folder: string
let launched: ChildProcess[]
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'hilum-launcher-'))
  chmodSync(folder, 0o755)
  launched = []
})
afterEach(async () => {
  for (const child of launched) await end(child, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** Starts it in a process of its own, as root or as a plain user; a refusal is thrown with its words. */
async function launch(as: 'root' | 'plain user', dataFolder: string): Promise<Launched> {
  const args = [program, dataFolder]
  // As root a plain user is played by nobody, who may not be able to reach the checkout's own programs.
  if (as === 'plain user' && isRoot) {
    args.push(findBinaries(undefined, nobody, shared).folder, String(nobody.uid), String(nobody.gid))
  }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' })
  launched.push(child)
  let said = ''
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
    said += text
    if (said.endsWith('\n')) return { ...JSON.parse(said), process: child }
  }
  throw new Error(complaint)
}

/** Runs a script that lives on, and gives the process number that it says. */
async function pidOf(script: string, own: { uid?: number; gid?: number }): Promise<number> {
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], ...own })
  launched.push(child)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return Number(String(said))
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

function socketFolder(url: string): string {
  return new URL(url).searchParams.get('host') ?? ''
}

/** Names beside the data but for the programs, which lie there as root where the checkout is out of reach. */
function neighboursOf(dataFolder: string): string[] {
  return readdirSync(path.dirname(dataFolder)).filter((name) => !name.startsWith('postgres-programs-'))
}

function isRunning(pid: number): boolean {
  // a small system has no ps
  if (process.platform === 'linux')
    return existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const { status, stdout } = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
  return status === 0 && !stdout.startsWith('Z')
}

function dataFolderFor(as: 'root' | 'plain user', base = folder): string {
  const parent = path.join(base, 'data')
  mkdirSync(parent, { recursive: true })
  if (as === 'plain user' && isRoot) chownSync(parent, nobody.uid, nobody.gid)
  return path.join(parent, 'postgres')
}

/** A data folder whose database was stopped in order: a copy of one that is made at the first request, by its user. */
async function usedDataFolderFor(as: 'root' | 'plain user'): Promise<string> {
  const original = dataFolderFor(as, path.join(shared, as))
  if (!existsSync(original)) await end((await launch(as, original)).process, 'SIGTERM')
  const dataFolder = dataFolderFor(as)
  // by cp, which keeps the owner
  const { status, stderr } = spawnSync('cp', ['-a', original, dataFolder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return dataFolder
}

describe.each(isRoot ? (['root', 'plain user'] as const) : (['plain user'] as const))(
  'the embedded PostgreSQL, started as %s',
  (as) => {
    it('listens on a closed socket and no network, with checksums, limits and letters of every script', async () => {
      const dataFolder = dataFolderFor(as)
      const server = await launch(as, dataFolder)
      const [facts] = await ask(
        server.url,
        `select current_setting('listen_addresses') as network, current_setting('data_checksums') as checksums,
        current_setting('statement_timeout') as statement_limit, current_setting('idle_in_transaction_session_timeout') as idle_limit,
        cardinality(show_trgm('É')) > 0 and cardinality(show_trgm('山田')) > 0 as searchable`,
      )
      expect(facts).toEqual({
        network: '',
        checksums: 'on',
        statement_limit: '30s',
        idle_limit: '1min',
        searchable: true,
      })
      expect(statSync(socketFolder(server.url)).mode & 0o777).toBe(0o700)
      expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
      expect(statSync(dataFolder).uid).not.toBe(0)
    })

    it('stops in order, leaves nothing running and no socket, and keeps its data for the next start', async () => {
      const dataFolder = await usedDataFolderFor(as)
      const first = await launch(as, dataFolder)
      await ask(first.url, 'create table kept as select 7 as n')
      await end(first.process, 'SIGTERM')
      expect(isRunning(first.pid)).toBe(false)
      expect(existsSync(socketFolder(first.url))).toBe(false)
      expect(neighboursOf(dataFolder)).toEqual(['postgres'])

      const second = await launch(as, dataFolder)
      expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }])
    })

    it('stops at the next start what a killed process has left running', async () => {
      const dataFolder = await usedDataFolderFor(as)
      const killed = await launch(as, dataFolder)
      await ask(killed.url, 'create table kept as select 7 as n')
      await end(killed.process, 'SIGKILL')
      expect(isRunning(killed.pid)).toBe(true)

      const next = await launch(as, dataFolder)
      expect(isRunning(killed.pid)).toBe(false)
      expect(existsSync(socketFolder(killed.url))).toBe(false)
      expect(await ask(next.url, 'select n from kept')).toEqual([{ n: 7 }])
    })

    // of the database's own user: of others PostgreSQL knows that they are none of its kind
    it.each<[string, string | undefined, boolean]>([
      ['names a process that is another program by now', 'echo $$; exec sleep 600', true],
      ['names a process that has ended and was not collected', 'sleep 1 & echo $!; exec sleep 600', false],
      ['is empty', undefined, false],
    ])('starts after a power cut when the lock that was left %s', async (_, script, isAlive) => {
      const dataFolder = await usedDataFolderFor(as)
      const lock = path.join(dataFolder, 'postmaster.pid')
      const first = await launch(as, dataFolder)
      await ask(first.url, 'create table kept as select 7 as n')
      const [, ...lines] = readFileSync(lock, 'utf8').split('\n')
      await end(first.process, 'SIGTERM')
      const { uid, gid } = statSync(dataFolder)
      const pid = script === undefined ? 0 : await pidOf(script, isRoot ? { uid, gid } : {})
      await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(isAlive)
      writeFileSync(lock, script === undefined ? '' : [pid, ...lines].join('\n'))
      if (isRoot) chownSync(lock, uid, gid)

      const next = await launch(as, dataFolder)
      expect(await ask(next.url, 'select n from kept')).toEqual([{ n: 7 }])
      expect(isRunning(pid)).toBe(isAlive)
    })

    it('refuses a data folder that another running process uses, and leaves that one alone', async () => {
      const dataFolder = await usedDataFolderFor(as)
      const first = await launch(as, dataFolder)
      await expect(launch(as, dataFolder)).rejects.toThrow(`in use by another Hilum (process ${first.process.pid})`)
      expect(await ask(first.url, 'select 1 as n')).toEqual([{ n: 1 }])
    })

    it('refuses data of another major version in words and changes nothing', async () => {
      const dataFolder = await usedDataFolderFor(as)
      writeFileSync(path.join(dataFolder, 'PG_VERSION'), '14\n')
      await expect(launch(as, dataFolder)).rejects.toThrow(
        'was written by PostgreSQL 14, but the programs here are PostgreSQL 18',
      )
      expect(readFileSync(path.join(dataFolder, 'PG_VERSION'), 'utf8')).toBe('14\n')
    })

    it('makes a data folder anew whose first start was cut off', async () => {
      const dataFolder = dataFolderFor(as)
      mkdirSync(`${dataFolder}.unfinished`)
      writeFileSync(path.join(`${dataFolder}.unfinished`, 'PG_VERSION'), '18\n')
      if (as === 'plain user' && isRoot) chownSync(`${dataFolder}.unfinished`, nobody.uid, nobody.gid)
      const server = await launch(as, dataFolder)
      expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }])
      expect(neighboursOf(dataFolder)).toEqual(['postgres'])
    })
  },
)

if (isRoot)
  describe('as root', () => {
    it('says in words that the unprivileged user cannot reach the data folder', async () => {
      const closed = path.join(folder, 'closed')
      mkdirSync(closed, { mode: 0o700 })
      const { name } = findAccount('', false) ?? {}
      await expect(launch('root', path.join(closed, 'hilum', 'postgres'))).rejects.toThrow(
        `PostgreSQL runs as ${name}, who cannot reach ${closed}/hilum. Choose another HILUM_DATA`,
      )
    })

    it('leaves a data folder of another user to that user', async () => {
      const dataFolder = await usedDataFolderFor('root')
      const parent = path.dirname(dataFolder)
      chownSync(parent, nobody.uid, nobody.gid)
      chownSync(dataFolder, nobody.uid + 1, nobody.gid)
      await expect(launch('plain user', dataFolder)).rejects.toThrow('belongs to another user')
    })
  })
