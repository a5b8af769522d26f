/** Debian's packages: installed where we are root on a Debian, else asked for in words. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { SetupError } from './setup-error.mjs'

/**
 * Installs packages of Debian.
 * @param why what is missing, as the beginning of a sentence for the person who may have to do it
 */
export function aptInstall(names, why) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new SetupError(
      `${why}: ${names.join(', ')}. On Debian, run as root:\n  apt-get update && apt-get install -y --no-install-recommends ${names.join(' ')}`,
    )
  }
  process.stderr.write(`Installing ${names.join(', ')} …\n`)
  apt(['update', '-qq'])
  apt(['install', '-y', '-qq', '--no-install-recommends', ...names])
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const result = spawnSync('apt-get', args, { env, encoding: 'utf8' })
  if (result.status !== 0) throw new SetupError(`apt-get ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`)
}
