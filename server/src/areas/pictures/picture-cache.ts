import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { noteCacheUse } from './cache-use.ts'

/** Raised when pictures are drawn differently, so that old ones are not shown again. */
export const DRAWING_VERSION = 2

type PictureKey = { account_uuid: string; sha256: string; frame: number; edge: number; withOverlays: boolean }

/** Drawn pictures on disk, by the hash of the file they show: nothing in them can go stale. */
export type PictureCache = {
  get: (key: PictureKey, draw: () => Promise<Uint8Array>) => Promise<Uint8Array>
  /** Removes every picture of one file. */
  forget: (key: Pick<PictureKey, 'account_uuid' | 'sha256'>) => Promise<void>
}

/** @param folder may be emptied at any time */
export function createPictureCache(folder: string): PictureCache {
  const drawing = new Map<string, Promise<Uint8Array>>()

  async function find(path: string): Promise<Uint8Array | undefined> {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (!file) return undefined
    try {
      await noteCacheUse(file, await file.stat())
      return await file.readFile()
    } finally {
      await file.close()
    }
  }

  async function drawAndCache(path: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const picture = await draw()
    const draft = `${path}.${randomBytes(6).toString('hex')}`
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(draft, picture, { mode: 0o600 })
      await rename(draft, path)
    } catch {
      // A full disk costs the cache, not the picture.
      await rm(draft, { force: true })
    }
    return picture
  }

  return {
    forget: async ({ account_uuid, sha256 }) => {
      const place = join(folder, account_uuid, sha256.slice(0, 2))
      const names = await readdir(place).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const own = names.filter((name) => name.startsWith(sha256.slice(2)))
      await Promise.all(own.map((name) => rm(join(place, name), { force: true })))
    },
    get: async (key, draw) => {
      const { account_uuid, sha256, frame, edge, withOverlays } = key
      const name = `${sha256.slice(2)}-${frame}-${edge}-v${DRAWING_VERSION}${withOverlays ? '' : '-plain'}`
      const path = join(folder, account_uuid, sha256.slice(0, 2), name)
      const kept = await find(path)
      if (kept) return kept
      const running = drawing.get(path)
      if (running) return running
      const started = drawAndCache(path, draw).finally(() => drawing.delete(path))
      drawing.set(path, started)
      return started
    },
  }
}
