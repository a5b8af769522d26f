import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseVersion } from '@hilum/contract/release'
import { z } from 'zod/mini'

const root = join(import.meta.dirname, '..', '..')
const file = join(root, 'release.json')

/** The release archive that this server runs from; undefined in a checkout. */
export const archive = existsSync(file)
  ? z
      .object({ version: z.string(), commit: z.string(), viewer: z.string() })
      .parse(JSON.parse(readFileSync(file, 'utf8')))
  : undefined

interface Release {
  version: string
  commit?: string | undefined
}

/** The release that runs; its commit is the archive's, or the one that the last installation of a checkout noted. */
export const thisRelease: Release = { version: releaseVersion, commit: archive?.commit ?? notedCommit() }

/** A release as people find it again: by its version, and by its commit where that is known. */
export function nameRelease({ version, commit }: Release): string {
  return commit ? `${version} (commit ${commit.slice(0, 12)})` : version
}

function notedCommit(): string | undefined {
  try {
    return readFileSync(join(root, 'node_modules', '.hilum-commit'), 'utf8').trim() || undefined
  } catch {
    return undefined // a checkout whose packages something else installed
  }
}

/** Where lies what is built for browsers: beside the sources in a checkout, inside in a release. */
export const madeFolder = join(root, archive === undefined ? '.cache' : 'made')
