import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/mini'
import { nameRelease, thisRelease } from '../made-folder.ts'
import { migrationNames } from './migrate.ts'

/** Says in a data folder which release used it last; no part of exports. */
export const releaseMark = 'release.json'

const markSchema = z.object({ version: z.string(), commit: z.optional(z.string()), newest_step: z.string() })

/**
 * Refuses data of a newer release before anything of them is opened, so that neither the database nor a file changes.
 * @throws Error in words, with the name of that release
 */
export function refuseNewerRelease(dataFolder: string): void {
  const mark = readMark(dataFolder)
  if (mark === undefined || migrationNames.includes(mark.newest_step)) return
  throw new Error(
    `The data in ${dataFolder} were last used by Hilum ${nameRelease(mark)}, this is Hilum ${nameRelease(thisRelease)} (which does not know ${mark.newest_step}): run that release, or restore an export of this one. Nothing was changed.`,
  )
}

/** Names this release in the data folder, once its database is at the present schema. */
export async function noteReleaseIn(dataFolder: string): Promise<void> {
  const mark = { ...thisRelease, newest_step: migrationNames.at(-1) ?? '' }
  const found = readMark(dataFolder)
  const isSame = found?.version === mark.version && found.commit === mark.commit
  if (isSame && found.newest_step === mark.newest_step) return
  const place = join(dataFolder, releaseMark)
  const unfinished = `${place}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(mark)}\n`)
  await rename(unfinished, place)
}

/** A mark that was cut short or edited says nothing: the database has its own. */
function readMark(dataFolder: string): z.infer<typeof markSchema> | undefined {
  try {
    const { data } = markSchema.safeParse(JSON.parse(readFileSync(join(dataFolder, releaseMark), 'utf8')))
    return data
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      return undefined
    throw error
  }
}
