import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { roomOf } from './ballast.ts'
import { assertDatabaseFits } from './database-fitness.ts'
import { type PostgresAccount, canReach, findAccount, identity } from './embedded-postgres-account.ts'
import { type Binaries, findBinaries } from './embedded-postgres-binaries.ts'
import { findRunningPostgres, mustStop, launcherFile, socketPrefix, stopOrphan } from './embedded-postgres-orphan.ts'

/** A PostgreSQL of our own, running. */
export type EmbeddedPostgres = {
  /** Address of the database `hilum` for `pg`. */
  url: string
  /** Where its socket lies while it runs. */
  socketFolder: string
  /** Major version, e.g. 18. */
  major: number
  /** Process number of PostgreSQL. */
  pid: number
  /** Settles when PostgreSQL has ended, whoever ended it. */
  ended: Promise<void>
  /** Whether somebody told it to stop: it waits for open connections then, and takes no new one. */
  isStopping(): boolean
  /** Stops it, rolling back what is open, and waits until it has ended. Safe to call twice. */
  stop(): Promise<void>
}

const user = 'hilum'
// Recovery after a power cut reads the write-ahead log first, which may take minutes on slow disks.
const startLimitMs = 300_000
const stopLimitMs = 30_000
// A Unix socket's address holds 107 bytes, of which "/.s.PGSQL.5432" takes 14 and the folder's name 15.
const longestSocketParent = 76

/**
 * Starts PostgreSQL on a data folder, which is made at the first start. The server listens on a Unix socket that nobody
 * else can reach, and on no network. As root it runs as `postgres` or `nobody`. A server that a killed process left
 * running is stopped first.
 * @param dataFolder absolute path; its parent folder is made when missing
 * @param binFolder folder of PostgreSQL's programs, instead of those that npm carries
 * @param socketAgain where its socket lay before, so that its address stays
 * @throws Error in words for the person who runs the installation
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  binFolder?: string,
  socketAgain?: string,
): Promise<EmbeddedPostgres> {
  const parent = path.dirname(dataFolder)
  mkdirSync(parent, { recursive: true })
  const dataExists = existsSync(path.join(dataFolder, 'PG_VERSION'))
  const account = findAccount(dataFolder, dataExists)
  if (!canReach(account, parent)) {
    throw new Error(
      `As root, PostgreSQL runs as ${account?.name}, who cannot reach ${parent}. Choose another HILUM_DATA (as root /var/lib/hilum is usual), or open its parent folders to others (chmod o+x).`,
    )
  }
  refuseForeignFolder(dataFolder)
  const binaries = findBinaries(binFolder, account, parent)
  if (dataExists) refuseOtherMajor(dataFolder, binaries)
  else initialise(dataFolder, binaries, account)

  await stopOrphan(dataFolder)
  const socketFolder = makeSocketFolder(account, socketAgain)
  const child = spawn(path.join(binaries.folder, 'postgres'), serverArguments(dataFolder, socketFolder), {
    ...identity(account),
    cwd: '/',
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a group of its own: Ctrl-C in the terminal ends the server first, which then stops its database in order.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => {
    // 'error' instead of 'exit' when it could not be started at all.
    for (const event of ['exit', 'error']) child.once(event, () => resolve())
  }).then(() => rmSync(socketFolder, { recursive: true, force: true }))
  const endWithUs = () => child.kill('SIGINT')
  process.once('exit', endWithUs)
  void ended.finally(() => process.off('exit', endWithUs))
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await stopChild(child, ended)
    await ended
  }
  try {
    await waitUntilReady(child)
    writeFileSync(launcherFile(dataFolder), String(process.pid))
    const url = addressAt(socketFolder)
    await prepareDatabase(socketFolder, url)
    const isStopping = () => mustStop(dataFolder)
    return { url, socketFolder, major: binaries.major, pid: child.pid ?? 0, ended, isStopping, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The address of the database that another process of ours runs on this data folder; undefined when none does. */
export function findEmbeddedPostgres(dataFolder: string): string | undefined {
  const running = findRunningPostgres(dataFolder)
  return running?.launcher === undefined ? undefined : addressAt(running.socketFolder)
}

function addressAt(socketFolder: string): string {
  return `postgresql://${user}@localhost/${user}?host=${encodeURIComponent(socketFolder)}`
}

function refuseForeignFolder(dataFolder: string): void {
  const uid = process.getuid?.()
  const owner = statSync(dataFolder, { throwIfNoEntry: false })?.uid
  if (uid === undefined || uid === 0 || owner === undefined || owner === uid) return
  throw new Error(
    `The data folder ${dataFolder} belongs to another user (${owner}): start Hilum as that user, or as root, or set another HILUM_DATA.`,
  )
}

function refuseOtherMajor(dataFolder: string, binaries: Binaries): void {
  const major = Number(readFileSync(path.join(dataFolder, 'PG_VERSION'), 'utf8'))
  if (major === binaries.major) return
  throw new Error(
    `The data in ${dataFolder} was written by PostgreSQL ${major}, but the programs here are PostgreSQL ${binaries.major}. ` +
      `Set HILUM_PG_BIN to the programs of ${major}, export, and import into a new data folder. Nothing was changed.`,
  )
}

/** Makes the data folder beside its place and moves it there when it is whole, so that a cut first start leaves nothing half made. */
function initialise(dataFolder: string, binaries: Binaries, account: PostgresAccount | undefined): void {
  const unfinished = `${dataFolder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (account !== undefined) chownSync(unfinished, account.uid, account.gid)
  // macOS has no C.UTF-8 of its own; from 17 on PostgreSQL brings one.
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  const provider = binaries.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []
  const result = spawnSync(
    path.join(binaries.folder, 'initdb'),
    ['-D', unfinished, '-U', user, '-A', 'trust', '-E', 'UTF8', `--locale=${locale}`, ...provider, '--data-checksums'],
    { ...identity(account), cwd: '/', env: cleanEnvironment(), encoding: 'utf8', timeout: startLimitMs },
  )
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new Error(
      `The database could not be made in ${dataFolder}: ${result.stderr || (result.error?.message ?? 'initdb failed')}`,
    )
  }
  renameSync(unfinished, dataFolder)
}

function makeSocketFolder(account: PostgresAccount | undefined, again: string | undefined): string {
  const folder = again ?? findSocketPlace(account)
  if (again !== undefined) {
    rmSync(again, { recursive: true, force: true })
    mkdirSync(again, { mode: 0o700 })
  }
  chmodSync(folder, 0o700)
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  return folder
}

function findSocketPlace(account: PostgresAccount | undefined): string {
  const parents = [os.tmpdir(), '/tmp'].filter(
    (folder) => Buffer.byteLength(folder) <= longestSocketParent && canReach(account, folder),
  )
  if (parents[0] === undefined)
    throw new Error(`PostgreSQL’s socket has no place: ${os.tmpdir()} is too long or closed, and /tmp is closed.`)
  return mkdtempSync(path.join(parents[0], socketPrefix))
}

/** Log of changes between checkpoints: as much as usual, and no more than a small disk can hold beside the rest. */
function mostLogMegabytes(dataFolder: string): number {
  const { total } = roomOf(dataFolder)
  return Math.min(1024, Math.max(64, Math.floor(total / 20 / 1024 ** 2)))
}

function serverArguments(dataFolder: string, socketFolder: string): string[] {
  const logMegabytes = mostLogMegabytes(dataFolder)
  const settings = {
    max_wal_size: `${logMegabytes}MB`,
    min_wal_size: `${Math.min(80, logMegabytes)}MB`,
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    max_connections: '60',
    shared_buffers: '256MB',
    random_page_cost: '1.1',
    jit: 'off',
    // rows of a large upload are known to the planner soon
    autovacuum_naptime: '10s',
    statement_timeout: '30s',
    idle_in_transaction_session_timeout: '60s',
    timezone: 'UTC',
    lc_messages: 'C',
    logging_collector: 'off',
    // Statements and details of errors hold patients' names: neither may reach a log.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  }
  return ['-D', dataFolder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** Nothing of ours may change how PostgreSQL behaves (PG…, LC_…). */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`PostgreSQL did not get ready:\n${said}`)), startLimitMs)
    const settle = (act: () => void) => {
      clearTimeout(limit)
      act()
    }
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
      if (said.includes('ready to accept connections')) settle(resolve)
    })
    child.once('error', (error) => settle(() => reject(error)))
    child.once('exit', () => settle(() => reject(new Error(`PostgreSQL ended at once:\n${said}`))))
  })
  // From here on its words may be about data: they are read, so that it never blocks, and dropped.
  child.stderr?.removeAllListeners('data').resume()
}

async function prepareDatabase(socketFolder: string, url: string): Promise<void> {
  await withClient({ host: socketFolder, user, database: 'postgres' }, async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [user])
    if (found.rowCount === 0) await client.query(`create database ${user}`)
  })
  await withClient({ connectionString: url }, assertDatabaseFits)
}

async function withClient(config: pg.ClientConfig, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}

/**
 * SIGINT is PostgreSQL's fast stop; should it hang, SIGQUIT ends it at once, to recover at the next start. One that was
 * halted (SIGSTOP) hears neither before it goes on.
 */
async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGINT')
  child.kill('SIGCONT')
  const giveUp = new AbortController()
  const late = sleep(stopLimitMs, 'late', { signal: giveUp.signal, ref: false })
  const first = await Promise.race([ended, late])
  if (first === 'late') child.kill('SIGQUIT')
  else {
    giveUp.abort()
    await late.catch((error: Error) => {
      if (error.name !== 'AbortError') throw error
    })
  }
}
