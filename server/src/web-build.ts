import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { madeFolder } from './made-folder.ts'

/** Folders that `tools/web-build.mjs` has built for browsers. */
export interface WebBuild {
  app: string
  /** The page behind `/proviewer`. */
  proviewer: string
}

const builds = join(madeFolder, 'web')

/**
 * The current build, for as long as this process lives: later builds have folders of their own, and a build that a
 * living process has noted itself in is not removed. Without any, its folders are not there.
 */
export function takeWebBuild(folder = builds): WebBuild {
  const build = currentBuild(folder)
  if (build !== undefined) noteUse(build)
  const place = build ?? join(folder, 'none')
  return { app: join(place, 'app'), proviewer: join(place, 'proviewer') }
}

function currentBuild(folder: string): string | undefined {
  try {
    return realpathSync(join(folder, 'current'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Where the checkout belongs to somebody else who lets nobody write, nothing is noted: that one knows when to pull. */
function noteUse(build: string): void {
  try {
    makeFolder(join(build, 'users'))
    writeFileSync(join(build, 'users', String(process.pid)), '')
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes(codeOf(error))) throw error
  }
}

/** Not with `recursive`, by which Node says ENOENT where the file system is read-only. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
