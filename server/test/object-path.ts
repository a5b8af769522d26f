import { join } from 'node:path'
import type { Config } from '../src/config.ts'

/** Where a test finds an object's file, to damage it as a disk would; without a key, the folder of all of them. */
export function objectPath({ dataFolder }: Pick<Config, 'dataFolder'>, key = ''): string {
  return join(dataFolder, 'objects', ...key.split('/'))
}
