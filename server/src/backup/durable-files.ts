import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A file's length and SHA-256 in hex. */
export interface FileDigest {
  bytes: number
  sha256: string
}

/** Being written; a file gets its own name only when it is whole and on disk. */
const unfinished = '.unfinished'
const READ_BYTES = 256 * 1024

/** Writes a stream to a file that is on disk, under its name, when this settles; folders are made. */
export async function writeDurably(path: string, chunks: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let bytes = 0
  const draft = `${path}${unfinished}`
  const file = await open(draft, 'w', 0o600)
  try {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      await writeAll(file, chunk)
    }
    await file.datasync()
  } catch (error) {
    await file.close()
    await rm(draft, { force: true })
    throw error
  }
  await file.close()
  await rename(draft, path)
  return { bytes, sha256: hash.digest('hex') }
}

/** As `writeDurably`, of a short text. */
export async function writeTextDurably(path: string, text: string): Promise<void> {
  await writeDurably(
    path,
    (async function* () {
      yield Buffer.from(text)
    })(),
  )
  await syncFolder(dirname(path))
}

/** Copies a file; the copy is on disk when this settles. Gives what the copy holds. */
export function copyDurably(from: string, to: string): Promise<FileDigest> {
  return writeDurably(to, readDurable(from))
}

/** The bytes of a file, a quarter of a megabyte at a time. */
export function readDurable(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: READ_BYTES })
}

/** Undefined where there is no such file. */
export async function digestFile(path: string): Promise<FileDigest | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
      hash.update(chunk as Buffer)
      bytes += (chunk as Buffer).length
    }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Undefined where there is no such file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Names in a folder; none where there is no folder. */
export async function listNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Files under a folder, as paths from it with slashes, in order. */
export async function* walk(folder: string, below = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* walk(folder, path)
    else if (entry.isFile()) yield path
  }
}

/** Forces the names in all folders under one to disk. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncTree(join(folder, entry.name))
  }
  await syncFolder(folder)
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    written += (await file.write(chunk, written)).bytesWritten
  }
}
