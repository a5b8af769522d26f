import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** The operating system's account that PostgreSQL runs as, when that is not our own. */
export type PostgresAccount = { name: string; uid: number; gid: number }

/**
 * As root: the account to drop to, for PostgreSQL refuses to run as root. Otherwise undefined: it runs as we do.
 * A data folder that exists already keeps its owner, so that installing Debian's PostgreSQL later changes nothing.
 */
export function findAccount(dataFolder: string, dataExists: boolean): PostgresAccount | undefined {
  if (process.getuid?.() !== 0) return undefined
  if (dataExists) {
    const { uid, gid } = statSync(dataFolder)
    if (uid !== 0) return { name: `the owner of ${dataFolder}`, uid, gid }
  }
  for (const name of ['postgres', 'nobody']) {
    const uid = numberFrom('id', ['-u', name])
    const gid = numberFrom('id', ['-g', name])
    if (uid !== undefined && gid !== undefined) return { name, uid, gid }
  }
  throw new Error('As root, PostgreSQL has to run as another user: there is neither "postgres" nor "nobody" here.')
}

/** Whether the account may search a folder, or run a file. */
export function canReach(account: PostgresAccount | undefined, place: string): boolean {
  return spawnSync('test', ['-x', place], { cwd: '/', ...identity(account) }).status === 0
}

/** Options of `spawn` that run a program as the account. */
export function identity(account: PostgresAccount | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid }
}

function numberFrom(program: string, args: string[]): number | undefined {
  const result = spawnSync(program, args, { encoding: 'utf8' })
  return result.status === 0 ? Number(result.stdout) : undefined
}
