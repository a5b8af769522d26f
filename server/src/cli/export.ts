import { exportInstallation } from '../backup/export-installation.ts'
import { readConfig } from '../config.ts'
import { interruptible } from './interruptible.ts'
import { openInstallation } from './open-installation.ts'
import { readFolder } from './read-folder.ts'
import { say } from './say.ts'

/** Writes the whole installation into a new folder, also while Hilum runs. */
export async function exportAll(args: string[]): Promise<number> {
  const folder = readFolder(args, 'hilum export')
  const config = readConfig()
  const signal = interruptible()
  await using installation = await openInstallation(config)
  const { db, pool } = installation
  const { faults } = await exportInstallation(
    { db, pool, dataFolder: config.dataFolder },
    { folder, tell: say, signal },
  )
  for (const { kind, what } of faults) say(`${kind}: ${what}`)
  say(
    faults.length === 0
      ? `The export in ${folder} is whole.`
      : `The export in ${folder} holds everything but ${faults.length} objects that this installation itself has lost or damaged.`,
  )
  return faults.length === 0 ? 0 : 1
}
