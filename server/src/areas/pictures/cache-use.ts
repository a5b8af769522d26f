import type { FileHandle } from 'node:fs/promises'

/** Uses closer together than this are one: no write for every thumbnail of a page that is looked at again. */
const STEP_MS = 5 * 60_000

/** When what lies in a cache was last used is its modification time, as many disks keep no time of access. */
export async function noteCacheUse(
  file: Pick<FileHandle, 'utimes'>,
  { mtimeMs }: { mtimeMs: number },
  now = new Date(),
): Promise<void> {
  if (mtimeMs + STEP_MS < now.getTime()) await file.utimes(now, now)
}
