import { dirname, isAbsolute } from 'node:path'
import { parseArgs } from 'node:util'
import { rehearseImport } from '../backup/rehearse-import.ts'
import { readConfig } from '../config.ts'
import { CommandError } from './command-error.ts'
import { interruptible } from './interruptible.ts'
import { say } from './say.ts'

/** Restores an export into a scratch folder, checks all of it, reports, and removes the folder. */
export async function rehearse(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { in: { type: 'string' } } })
  const [folder, ...more] = positionals
  const { in: given } = values
  if (folder === undefined || more.length > 0 || ![folder, given ?? '/'].every((place) => isAbsolute(place)))
    throw new CommandError(
      'Name an export, and if need be a folder for the rehearsal, as absolute paths: hilum rehearse /backup/2026-05-03 [--in /scratch]',
    )
  const { dataFolder, postgresBinFolder } = readConfig()
  const { taken, rows, objects, bytes, faults, seconds } = await rehearseImport({
    folder,
    scratchParent: given ?? dirname(dataFolder),
    postgresBinFolder,
    tell: say,
    signal: interruptible(),
  })
  const size = (bytes / 1024 ** 3).toFixed(2)
  say(
    `Restored and removed again in ${seconds} s: the state of ${taken}, ${rows} rows, ${objects} objects, ${size} GB.`,
  )
  say(faults === 0 ? 'This export can be restored whole.' : `${faults} faults: see above. The rest can be restored.`)
  return faults === 0 ? 0 : 1
}
