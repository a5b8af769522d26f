import { importInstallation } from '../backup/import-installation.ts'
import { readConfig } from '../config.ts'
import { interruptible } from './interruptible.ts'
import { readFolder } from './read-folder.ts'
import { say } from './say.ts'

/** Makes an installation from an export, where there is none yet. */
export async function importAll(args: string[]): Promise<number> {
  const folder = readFolder(args, 'hilum import')
  const config = readConfig()
  const { faults, manifest } = await importInstallation(config, { folder, tell: say, signal: interruptible() })
  say(
    faults === 0
      ? `The installation of ${manifest.taken} is in ${config.dataFolder}.`
      : `The installation of ${manifest.taken} is in ${config.dataFolder}, with the ${faults} faults that it had where it was exported.`,
  )
  return faults === 0 ? 0 : 1
}
