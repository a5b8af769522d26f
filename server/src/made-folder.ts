import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/mini'

const root = join(import.meta.dirname, '..', '..')
const file = join(root, 'release.json')

/** The release archive that this server runs from; undefined in a checkout. */
export const archive = existsSync(file)
  ? z
      .object({ version: z.string(), commit: z.string(), viewer: z.string() })
      .parse(JSON.parse(readFileSync(file, 'utf8')))
  : undefined

/** Where lies what is built for browsers: beside the sources in a checkout, inside in a release. */
export const madeFolder = join(root, archive === undefined ? '.cache' : 'made')
