import { randomInt } from 'node:crypto'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'

const repository = resolve(import.meta.dirname, '..', '..')
const START_MS = 90_000
const STOP_MS = 30_000
const LOG_CHARACTERS = 100_000
const run = promisify(execFile)

/** The password of every demo user of a server under test. */
export const password = 'end2end-password-26'

export interface RunningServer {
  /** `http://127.0.0.1:port`; the same after `start` again. */
  address: string
  dataFolder: string
  /** The most memory that the server's process has had so far, PostgreSQL apart; undefined where no /proc tells. */
  peakMemoryMb: () => number | undefined
  /** Output of the process, newest last. */
  log: () => string
  /** End of the process, if by itself. */
  findDeath: () => string | undefined
  /** Ends the process as a power cut would: at once, nothing tidied. */
  kill: () => Promise<void>
  /** Starts a killed server again, at the same address over the same data. */
  start: () => Promise<void>
  /** Ends the process in order; the data stay. */
  stop: () => Promise<void>
  /** Ends the process in order; the one that made the data folder removes it. */
  close: () => Promise<void>
}

/**
 * Starts the whole product as a process of its own over an empty folder, with the demo organisation unless `--empty` is
 * among the arguments.
 * @param from a data folder to begin with instead, which is copied
 */
export async function startServer(
  settings: Record<string, string> = {},
  args: readonly string[] = [],
  from?: string,
): Promise<RunningServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hilum-e2e-'))
  // by cp, which keeps owners: those of the database belong to another user where we are root
  if (from !== undefined) await run('cp', ['-a', `${from}/.`, dataFolder])
  // Started as root, the embedded PostgreSQL runs as another user, who must get in.
  await chmod(dataFolder, 0o755)
  const server = await startOver(dataFolder, () => settings, args)
  const close = async () => {
    try {
      await server.stop()
    } finally {
      await rm(dataFolder, { recursive: true, force: true })
    }
  }
  return { ...server, close }
}

/** Starts one more process of the product over the data folder and the embedded database of one that runs. */
export function startBeside({ dataFolder }: RunningServer, settings: Record<string, string>): Promise<RunningServer> {
  return startOver(dataFolder, () => {
    // elsewhere each time that the first process starts
    const database = findEmbeddedPostgres(join(dataFolder, 'postgres'))
    if (database === undefined) throw new Error('The first process runs no database')
    return { DATABASE_URL: database, ...settings }
  })
}

async function startOver(
  dataFolder: string,
  findSettings: () => Record<string, string>,
  args: readonly string[] = [],
): Promise<RunningServer> {
  const port = await findFreePort()
  const findEnvironment = () => ({
    ...ownEnvironment(),
    HILUM_DATA: dataFolder,
    HILUM_PORT: String(port),
    HILUM_HTTPS_PORT: '0',
    HILUM_DICOM_PORT: '0',
    HILUM_DEMO_PASSWORD: password,
    ...findSettings(),
  })
  let output = ''
  let child: ChildProcess
  const start = async () => {
    child = spawn(process.execPath, [join(repository, 'server', 'src', 'main.ts'), ...args], {
      env: findEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const keep = (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-LOG_CHARACTERS)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    await waitUntilReady(child, () => output)
  }
  await start()
  const stop = async () => {
    const isInOrder = await endBy(child, 'SIGTERM')
    if (!isInOrder) throw new Error(`The server did not stop in time:\n${output}`)
  }
  return {
    address: `http://127.0.0.1:${port}`,
    dataFolder,
    peakMemoryMb: () => {
      const status = `/proc/${child.pid}/status`
      if (!existsSync(status)) return undefined
      const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
      return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
    },
    log: () => output,
    findDeath: () => {
      if (child.exitCode === null && (child.signalCode === null || child.killed)) return undefined
      return `The server ended by itself (${child.exitCode ?? child.signalCode}):\n${output}`
    },
    start,
    kill: async () => {
      await endBy(child, 'SIGKILL')
    },
    stop,
    close: stop,
  }
}

/** Settings of whoever runs the tests must not reach the server. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('HILUM_') && name !== 'DATABASE_URL'),
  )
}

function waitUntilReady(child: ChildProcess, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (reason: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`The server ${reason}:\n${log()}`))
    }
    const timer = setTimeout(() => fail('did not start in time'), START_MS)
    const handleExit = (code: number | null) => fail(`ended with ${code}`)
    child.once('exit', handleExit)
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (!output.includes('Hilum is ready at')) return
      clearTimeout(timer)
      child.off('exit', handleExit)
      resolve()
    })
  })
}

/** @returns false when the process had to be killed because it did not heed the signal */
async function endBy(child: ChildProcess, signal: NodeJS.Signals): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  const ended = new Promise<true>((resolve) => child.once('exit', () => resolve(true)))
  child.kill(signal)
  const isInOrder = await Promise.race([ended, delay(STOP_MS, false, { ref: false })])
  if (!isInOrder) {
    child.kill('SIGKILL')
    await ended
  }
  return isInOrder
}

/**
 * A port that nobody listens on, from below those that systems hand to outgoing connections: it must still be free when
 * a server that was killed starts again.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer()
    probe.on('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
