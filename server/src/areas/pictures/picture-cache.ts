import { join } from 'node:path'
import { listCached, readCached, removeCached, writeCached } from '../../outbound/files/cached-file.ts'

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

  async function drawAndCache(path: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const picture = await draw()
    // A full disk costs the cache, not the picture.
    await writeCached(path, picture).catch(() => undefined)
    return picture
  }

  return {
    forget: async ({ account_uuid, sha256 }) => {
      const place = join(folder, account_uuid, sha256.slice(0, 2))
      const names = await listCached(place)
      const own = names.filter((name) => name.startsWith(sha256.slice(2)))
      await Promise.all(own.map((name) => removeCached(join(place, name))))
    },
    get: async (key, draw) => {
      const { account_uuid, sha256, frame, edge, withOverlays } = key
      const name = `${sha256.slice(2)}-${frame}-${edge}-v${DRAWING_VERSION}${withOverlays ? '' : '-plain'}`
      const path = join(folder, account_uuid, sha256.slice(0, 2), name)
      const cached = await readCached(path)
      if (cached) return cached
      const running = drawing.get(path)
      if (running) return running
      const started = drawAndCache(path, draw).finally(() => drawing.delete(path))
      drawing.set(path, started)
      return started
    },
  }
}
