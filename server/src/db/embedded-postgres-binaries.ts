import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type PostgresAccount, canReach } from './embedded-postgres-account.ts'

/** PostgreSQL's programs: the folder of `postgres` and `initdb`, and their version, e.g. "18.4", major 18. */
export type Binaries = { folder: string; version: string; major: number }

const oldestMajor = 15
const systemRoot = '/usr/lib/postgresql'

/**
 * The PostgreSQL programs to run: those of the setting, else those that npm carries, else the system's newest.
 * @param setting folder of `postgres` and `initdb`, when the installation names one
 * @param account who has to be able to run them
 * @param copyParent where to keep a copy that the account can reach, when the checkout is closed to it
 */
export function findBinaries(
  setting: string | undefined,
  account: PostgresAccount | undefined,
  copyParent: string,
): Binaries {
  if (setting !== undefined) {
    const binaries = describe(setting)
    if (binaries === undefined) throw new Error(`HILUM_PG_BIN: there is no PostgreSQL that runs in ${setting}.`)
    if (binaries.major < oldestMajor) throw tooOld(setting, binaries.version)
    if (!canReach(account, path.join(setting, 'postgres')))
      throw new Error(`HILUM_PG_BIN: ${account?.name} cannot run ${setting}/postgres.`)
    return binaries
  }
  const packaged = findPackaged(account, copyParent)
  if (packaged !== undefined) return packaged
  const system = findSystemBinaries()
  if (system !== undefined) return system
  throw new Error(
    `No PostgreSQL was found: npm has none for ${process.platform}-${process.arch}. Install PostgreSQL ${oldestMajor} or later, or set HILUM_PG_BIN or DATABASE_URL.`,
  )
}

/** The newest PostgreSQL that Debian's packages have installed, from 15 on. */
export function findSystemBinaries(): Binaries | undefined {
  if (!existsSync(systemRoot)) return undefined
  const majors = readdirSync(systemRoot)
    .map(Number)
    .filter((major) => major >= oldestMajor)
  for (const major of majors.sort((a, b) => b - a)) {
    const binaries = describe(path.join(systemRoot, String(major), 'bin'))
    if (binaries !== undefined) return binaries
  }
  return undefined
}

function findPackaged(account: PostgresAccount | undefined, copyParent: string): Binaries | undefined {
  const home = packageHome()
  if (home === undefined) return undefined
  const isMended = recreateLinks(home)
  if (isMended && canReach(account, path.join(home, 'bin', 'postgres'))) return describe(path.join(home, 'bin'))
  return describe(path.join(copyOut(home, copyParent), 'bin'))
}

function packageHome(): string | undefined {
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  // Only the entry point is exported, which is dist/index.js; the programs stand in native/ beside it.
  const found = require.resolve.paths(name)?.find((folder) => existsSync(path.join(folder, name, 'native', 'bin')))
  return found === undefined ? undefined : path.join(found, name, 'native')
}

/**
 * npm packs no symbolic links and its install script, which makes them, may have been skipped: make them here.
 * @returns false when something is missing that we may not write
 */
function recreateLinks(home: string): boolean {
  const list: { source: string; target: string }[] = JSON.parse(
    readFileSync(path.join(home, 'pg-symlinks.json'), 'utf8'),
  )
  const missing = list.filter(
    ({ target }) => lstatSync(linkPath(home, target), { throwIfNoEntry: false }) === undefined,
  )
  const programs = readdirSync(path.join(home, 'bin')).map((name) => path.join(home, 'bin', name))
  const closed = programs.filter((program) => (lstatSync(program).mode & 0o111) !== 0o111)
  const mayWrite = [path.join(home, 'lib'), path.join(home, 'bin')].every(isWritable)
  if (missing.length + closed.length > 0 && !mayWrite) return false
  for (const { source, target } of missing) symlinkSync(path.basename(source), linkPath(home, target))
  for (const program of closed) chmodSync(program, 0o755)
  return true
}

/** The list names its files from the package's folder ("native/lib/…"). */
function linkPath(home: string, target: string): string {
  return path.join(home, path.relative('native', target))
}

/** Copies the programs to where the account can run them, and removes copies of other versions. */
function copyOut(home: string, copyParent: string): string {
  const manifest: { version: string } = JSON.parse(readFileSync(path.join(home, '..', 'package.json'), 'utf8'))
  const prefix = 'postgres-programs-'
  const copy = path.join(copyParent, `${prefix}${manifest.version}`)
  if (existsSync(copy)) return copy
  for (const name of readdirSync(copyParent)) {
    if (name.startsWith(prefix)) rmSync(path.join(copyParent, name), { recursive: true })
  }
  const unfinished = `${copy}.unfinished`
  cpSync(home, unfinished, { recursive: true, verbatimSymlinks: true })
  recreateLinks(unfinished)
  openToAll(unfinished)
  renameSync(unfinished, copy)
  return copy
}

/** The copy must be readable whatever mask and modes the checkout had. */
function openToAll(place: string): void {
  const status = lstatSync(place)
  if (status.isSymbolicLink()) return
  chmodSync(place, status.isDirectory() || (status.mode & 0o100) !== 0 ? 0o755 : 0o644)
  if (status.isDirectory()) for (const name of readdirSync(place)) openToAll(path.join(place, name))
}

function describe(folder: string): Binaries | undefined {
  if (!existsSync(path.join(folder, 'initdb'))) return undefined
  const result = spawnSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8', cwd: '/' })
  const version = /\(PostgreSQL\) ([\d.]+)/.exec(result.stdout ?? '')?.[1]
  return version === undefined ? undefined : { folder, version, major: Number.parseInt(version, 10) }
}

function tooOld(folder: string, version: string): Error {
  return new Error(`PostgreSQL in ${folder} is ${version}; Hilum needs ${oldestMajor} or later.`)
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['EACCES', 'EROFS', 'EPERM'].includes(String(error.code)))
      return false
    throw error
  }
}
