import { isAbsolute } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError } from './command-error.ts'

/** The one folder that a command acts on. npm runs us elsewhere than where the person stands, so it must be absolute. */
export function readFolder(args: string[], command: string): string {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0 || !isAbsolute(folder))
    throw new CommandError(`Name one folder, as an absolute path: ${command} /backup/2026-05-03`)
  return folder
}
