import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Lies in a data folder into which an import is under way or was cut short; holds the name of the export. */
export function importMark(dataFolder: string): string {
  return join(dataFolder, 'import-unfinished')
}

/** @throws Error in words when an import into this data folder was never finished: a server would begin anew beside it */
export function refuseUnfinishedImport(dataFolder: string): void {
  if (!existsSync(importMark(dataFolder))) return
  throw new Error(
    `An import into ${dataFolder} was not finished. Run the same import again; it goes on where it was. Or choose another HILUM_DATA.`,
  )
}
