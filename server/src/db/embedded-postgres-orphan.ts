import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Socket folders carry this in their name, so that one left by a killed process is known as ours. */
export const socketPrefix = 'hilum-pg-'

const fastStopMs = 30_000

/** Where a data folder keeps which process started its PostgreSQL. */
export function launcherFile(dataFolder: string): string {
  return path.join(dataFolder, 'hilum-launcher.pid')
}

/** A PostgreSQL that runs on a data folder. */
interface RunningPostgres {
  pid: number
  /** Where its socket lies. */
  socketFolder: string
  /** The Hilum that runs it; undefined when that one is gone and has left it over. */
  launcher: number | undefined
}

/**
 * The PostgreSQL that runs on this data folder.
 * @param dataFolder that of PostgreSQL, inside Hilum's own
 */
export function findRunningPostgres(dataFolder: string): RunningPostgres | undefined {
  const { pid, socketFolder } = readLock(dataFolder) ?? {}
  const running = describeProcess(pid)
  if (pid === undefined || !running?.command.includes(dataFolder)) return undefined
  const record = launcherFile(dataFolder)
  const launcher = existsSync(record) ? Number(readFileSync(record, 'utf8')) : undefined
  // An orphan gets a new parent from the system, so a parent that is still the one on record is alive.
  return { pid, socketFolder: socketFolder ?? '', launcher: running.parent === launcher ? launcher : undefined }
}

/**
 * Stops the PostgreSQL that a killed process has left running on this data folder, and removes its socket folder and a
 * lock that holds PostgreSQL up although nothing stands behind it.
 * @throws Error when the process that started it is alive: then it is not left over but in use
 */
export async function stopOrphan(dataFolder: string): Promise<void> {
  const running = findRunningPostgres(dataFolder)
  if (running?.launcher !== undefined) {
    throw new Error(
      `The data folder ${dataFolder} is in use by another Hilum (process ${running.launcher}). Stop that one first, or set another HILUM_DATA.`,
    )
  }
  const lock = readLock(dataFolder)
  if (!lock) return
  if (running) await stopProcess(running.pid)
  else if (isLeftBehind(lock)) rmSync(lockFile(dataFolder))
  const { socketFolder } = lock
  if (path.basename(socketFolder).startsWith(socketPrefix)) rmSync(socketFolder, { recursive: true, force: true })
}

/**
 * Whether there is no PostgreSQL behind a lock. PostgreSQL itself only asks whether the process number is in use: after a
 * crash by a process that nobody collects yet, since a power cut or in a container that was begun again by another
 * program. An empty lock it refuses, too. Were there a PostgreSQL after all, the next one would still meet its shared
 * memory.
 */
function isLeftBehind({ pid, folder }: Lock): boolean {
  const running = describeProcess(pid)
  if (!running) return true
  // a command that is hidden from us tells nothing
  return running.command !== '' && !running.command.includes(folder)
}

/** Whether the PostgreSQL of this data folder was told to stop, by whomever: then it takes no new connection. */
export function mustStop(dataFolder: string): boolean {
  return readLock(dataFolder)?.status === 'stopping'
}

/** The lock file that PostgreSQL keeps while it runs. */
interface Lock {
  /** 0 where the lock is empty. */
  pid: number
  folder: string
  socketFolder: string
  /** `starting`, `ready`, `standby` or `stopping`; empty before the first of them. */
  status: string
}

function lockFile(dataFolder: string): string {
  return path.join(dataFolder, 'postmaster.pid')
}

/** Lines of the lock: 1 process, 2 data folder, 3 start time, 4 port, 5 socket folder, 8 status. */
function readLock(dataFolder: string): Lock | undefined {
  const file = lockFile(dataFolder)
  if (!existsSync(file)) return undefined
  const [pid, folder = '', , , socketFolder = '', , , status = ''] = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(pid), folder: folder.trim(), socketFolder: socketFolder.trim(), status: status.trim() }
}

/** Stops a PostgreSQL by its main process: open transactions are rolled back; after half a minute without a checkpoint. */
async function stopProcess(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!sendSignal(pid, signal)) return
    const deadline = Date.now() + fastStopMs
    while (Date.now() < deadline) {
      if (!sendSignal(pid, 0)) return
      await sleep(20)
    }
  }
  throw new Error(`PostgreSQL (process ${pid}), left over from an earlier run, does not stop.`)
}

/** @returns false when the process is gone */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return describeProcess(pid) !== undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw new Error(
      `PostgreSQL (process ${pid}), left over from an earlier run, belongs to another user and cannot be stopped.`,
      { cause: error },
    )
  }
}

/** A running process; undefined when there is none, or one that has ended and only waits to be collected. */
function describeProcess(pid: number | undefined): { command: string; parent: number } | undefined {
  if (pid === undefined || !Number.isInteger(pid) || pid <= 0) return undefined
  if (process.platform === 'linux') {
    const folder = `/proc/${pid}`
    if (!existsSync(folder)) return undefined
    // After the program's name in brackets, which may hold spaces: state, parent, …
    const [state, parent] = readProc(`${folder}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')
    if (state === undefined || state === '' || state === 'Z') return undefined
    return { command: readProc(`${folder}/cmdline`).replaceAll('\0', ' '), parent: Number(parent) }
  }
  const result = spawnSync('ps', ['-o', 'ppid=,state=,command=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/s.exec(result.stdout ?? '') ?? []
  return command === undefined || state?.startsWith('Z') ? undefined : { command, parent: Number(parent) }
}

/** Empty when the process ended while we looked. */
function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
    throw error
  }
}
