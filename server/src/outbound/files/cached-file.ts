import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { orMissing } from './or-missing.ts'

/*
 * Files of the cache: made from stored objects, and made again once the cache was swept. The modification time of such a
 * file is the time of its last use, as many disks keep no time of access.
 */

/** Uses closer together than this are one: no write for every thumbnail of a page that is looked at again. */
const STEP_MS = 5 * 60_000
const draftName = /\.[0-9a-f]{12}$/

/** Whether a file of the cache is a draft, left behind where its process ended before the file was whole. */
export function isDraft(path: string): boolean {
  return draftName.test(path)
}

/** The bytes of a file of the cache, and a note of its use; undefined where there is none. */
export async function readCached(path: string): Promise<Buffer | undefined> {
  const file = await orMissing(open(path))
  if (!file) return undefined
  try {
    await noteUse(file, await file.stat())
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Whether a file is in the cache, and a note of its use. */
export async function isCached(path: string): Promise<boolean> {
  const touched = async () => {
    await noteUse({ utimes: (at, now) => utimes(path, at, now) }, await stat(path))
    return true
  }
  return (await orMissing(touched())) ?? false
}

/** A stream of a file of the cache, without a note of its use. It fails where the file has gone. */
export function streamCached(path: string): Readable {
  return createReadStream(path)
}

/** Time of the last use of a file of the cache, in milliseconds since 1970; 0 where there is none. */
export async function findLastUse(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
}

/** Names of the files in a folder of the cache; none where there is no folder. */
export async function listCached(folder: string): Promise<string[]> {
  return (await orMissing(readdir(folder))) ?? []
}

/**
 * Writes a file of the cache as a draft, which gets its name once it is whole. A failure leaves nothing behind.
 * @param complete runs between: what must be there before the file is
 */
export async function writeCached(
  path: string,
  content: Uint8Array | string | AsyncIterable<Uint8Array>,
  complete: () => Promise<void> = async () => undefined,
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(draft, content, { mode: 0o600 })
    await complete()
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Removes a file or a folder of the cache, if it is there. */
export async function removeCached(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

async function noteUse(file: Pick<FileHandle, 'utimes'>, { mtimeMs }: { mtimeMs: number }): Promise<void> {
  const now = new Date()
  if (mtimeMs + STEP_MS < now.getTime()) await file.utimes(now, now)
}
