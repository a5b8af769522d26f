import { exportInstallation } from '../backup/export-installation.ts'
import { isAbsolute } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { CommandError } from './command-error.ts'
import { interruptible } from './interruptible.ts'
import { openInstallation } from './open-installation.ts'
import { say } from './say.ts'

/** Writes the whole installation into a new folder, also while Hilum runs. */
export async function exportAll(args: string[]): Promise<number> {
  const { folder, since } = readExportArguments(args)
  const config = readConfig()
  const signal = interruptible()
  await using installation = await openInstallation(config)
  const { db, pool, store } = installation
  const { faults, holders = [] } = await exportInstallation(
    { db, pool, store, dataFolder: config.dataFolder },
    { folder, since, tell: say, signal },
  )
  if (holders.length > 0)
    say(
      `A restore needs, beside this export, those of ${holders.map(({ taken }) => taken).join(', ')}: keep them in the same folder.`,
    )
  for (const { kind, what } of faults) say(`${kind}: ${what}`)
  say(
    faults.length === 0
      ? `The export in ${folder} is whole.`
      : `The export in ${folder} holds everything but ${faults.length} objects that this installation itself has lost or damaged.`,
  )
  return faults.length === 0 ? 0 : 1
}

function readExportArguments(args: string[]): { folder: string; since: string | undefined } {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { since: { type: 'string' } } })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0 || ![folder, values.since ?? '/'].every((path) => isAbsolute(path)))
    throw new CommandError(
      'Name one new folder, and if need be the export before it or the folder of all exports, as absolute paths: hilum export /backup/2026-05-04 [--since /backup]',
    )
  return { folder, since: values.since }
}
