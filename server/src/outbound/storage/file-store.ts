import { randomBytes } from 'node:crypto'
import { close, closeSync, constants, fdatasync, fsync, open as openDescriptor, writev } from 'node:fs'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { type FileSource, openFileSource } from '@hilum/dicom/render/file-source'
import { limitStore } from './limit-store.ts'
import type { FindReferenced, ObjectStore, ObjectWriter, SweepPart } from './object-store.ts'
import { explainReading, StoreError } from './store-error.ts'
import { walkFiles } from './walk-files.ts'

const SWEEP_BATCH = 500
/** More than these are made and synced again, which is cheap. */
const MAX_KNOWN_FOLDERS = 10_000
/** Held in memory by each reader, however slow: 500 of them take 32 MB. */
const READ_BYTES = 64 * 1024
/** Read at once for whoever takes pieces quickly, while all such readers together hold little. */
const LARGE_READ_BYTES = 512 * 1024
/** Held by all readers of this process in large pieces; whoever comes beyond reads in small ones. */
const MOST_LARGE_BYTES = 8 * 1024 * 1024
/** A reader who takes longer over a piece is a slow one, and gets a small one next. */
const QUICK_MS = 100

/** The store of an installation, in its data folder. */
export function openObjectStore(dataFolder: string, assertRoom?: () => Promise<void>): ObjectStore {
  return limitStore(createFileStore(objectsFolder(dataFolder), assertRoom))
}

/** The folder of an installation's objects, whose disk is watched. */
export function objectsFolder(dataFolder: string): string {
  return join(dataFolder, 'objects')
}

/**
 * The object store in a folder of this machine, or one that several share.
 * @param assertRoom asked before anything is written; throws where nothing more may be
 */
export function createFileStore(root: string, assertRoom: () => Promise<void> = async () => undefined): ObjectStore {
  /** Folders that are there, and whether their own entry is known to be on disk. */
  const folders = new Map<string, 'made' | 'durable'>()
  const pathOf = (key: string) => join(root, ...key.split('/'))

  async function makeFolder(path: string): Promise<void> {
    if (folders.has(path)) return
    await mkdir(path, { recursive: true, mode: 0o700 }).catch(async (error: unknown) => {
      // below a read-only folder Node says ENOENT of the path; what the folder itself says tells the reason
      await assertWritable()
      throw error
    })
    if (folders.size >= MAX_KNOWN_FOLDERS) folders.clear()
    if (!folders.has(path)) folders.set(path, 'made')
  }

  /** The folders are synced beside the files: their entries are there since the objects were begun. */
  async function finish(writers: readonly ObjectWriter[]): Promise<void> {
    const folderOf = ({ key }: ObjectWriter) => key.slice(0, key.lastIndexOf('/'))
    await Promise.all([...writers.map((writer) => writer.end()), syncFolders(new Set(writers.map(folderOf)))])
  }

  /** A folder that was there before may be of a killed process and not on disk yet, so it counts as just made. */
  async function syncFolders(keys: Iterable<string>): Promise<void> {
    const holders = new Set<string>()
    const settled: string[] = []
    for (const key of keys) {
      let path = pathOf(key)
      for (holders.add(path); path !== dirname(root) && folders.get(path) !== 'durable'; path = dirname(path)) {
        holders.add(dirname(path))
        settled.push(path)
      }
    }
    await Promise.all([...holders].map(syncFolder))
    for (const path of settled) folders.set(path, 'durable')
  }

  async function begin(folder: string): Promise<ObjectWriter> {
    await assertRoom()
    return write(`${folder}/${newObjectName()}`, constants.O_EXCL)
  }

  async function restore(key: string): Promise<ObjectWriter> {
    await assertRoom()
    return write(key, constants.O_TRUNC)
  }

  async function write(key: string, mode: number): Promise<ObjectWriter> {
    const path = pathOf(key)
    await makeFolder(dirname(path))
    const file = await begun(path, constants.O_WRONLY | constants.O_CREAT | mode, 0o600)
    return createWriter(key, path, file, assertRoom)
  }

  async function assertWritable(): Promise<void> {
    await mkdir(root, { recursive: true, mode: 0o700 })
    const path = join(root, `.probe-${newObjectName()}`)
    await (await open(path, 'wx', 0o600)).close()
    await rm(path, { force: true })
  }

  async function sweep(
    before: Date,
    findReferenced: FindReferenced,
    { after, most = Number.POSITIVE_INFINITY }: SweepPart = {},
  ): Promise<{ swept: string[]; next?: string }> {
    const swept: string[] = []
    let seen = 0
    let batch: string[] = []
    const settle = async () => {
      const referenced = await findReferenced(batch)
      for (const key of batch) {
        if (referenced.has(key)) continue
        await rm(pathOf(key), { force: true })
        swept.push(key)
      }
      batch = []
    }
    for await (const { path, mtimeMs } of walkFiles(root, after?.split('/'))) {
      const key = relative(root, path).split(sep).join('/')
      if (mtimeMs < before.getTime()) batch.push(key)
      if (batch.length === SWEEP_BATCH) await settle()
      seen += 1
      if (seen < most) continue
      await settle()
      return { swept, next: key }
    }
    if (batch.length > 0) await settle()
    return { swept }
  }

  return {
    assertWritable,
    begin,
    restore,
    finish,
    stream: (key, offset, length) => streamRange(pathOf(key), offset, length),
    read: (key, offset, length) => reading(readRange(pathOf(key), offset, length)),
    open: ({ object_key, byte_offset, length }) => openRange(pathOf(object_key), byte_offset, length),
    useFile: async ({ object_key, byte_offset, length }, use) => {
      const path = pathOf(object_key)
      // asked here, since those who open the file cannot tell its lack from faults of their own
      await reading(stat(path))
      return use({ path, offset: byte_offset, length })
    },
    size: async (key) => (await reading(stat(pathOf(key)))).size,
    remove: (key) => rm(pathOf(key), { force: true }),
    sweep,
  }
}

const begun = promisify(openDescriptor)
const closed = promisify(close)
const writtenTo = promisify(writev)
const dataOnDisk = promisify(fdatasync)
const entriesOnDisk = promisify(fsync)

function createWriter(key: string, path: string, file: number, assertRoom: () => Promise<void>): ObjectWriter {
  let isOpen = true
  let ended: Promise<void> | undefined
  /** Settles when no thread works on the file: its number is another file's once it is closed. */
  let atRest: Promise<unknown> = Promise.resolve()
  const working = (work: () => Promise<void>): Promise<void> => {
    const done = isOpen ? work() : Promise.reject(new Error('The object was discarded'))
    atRest = Promise.allSettled([atRest, done])
    return done
  }
  const forceToDisk = async () => {
    await working(() => dataOnDisk(file))
    if (!isOpen) return
    isOpen = false
    // of what is on disk nothing is left to do: cheaper here than by a thread of the pool, with a turn of its own
    closeSync(file)
  }
  return {
    key,
    write: async (chunks) => {
      await assertRoom()
      await working(() => writeAll(file, chunks))
    },
    end: () => (ended ??= forceToDisk()),
    discard: async () => {
      if (isOpen) {
        isOpen = false
        await atRest
        await closed(file)
      }
      await rm(path, { force: true })
    },
  }
}

async function writeAll(file: number, chunks: readonly Uint8Array[]): Promise<void> {
  let rest = chunks
  while (rest.length > 0) {
    const { bytesWritten } = await writtenTo(file, rest)
    rest = withoutFirst(rest, bytesWritten)
  }
}

/** The chunks that a short write left over. */
function withoutFirst(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let skipped = 0
  for (const [index, chunk] of chunks.entries()) {
    if (skipped + chunk.length > bytes) return [chunk.subarray(bytes - skipped), ...chunks.slice(index + 1)]
    skipped += chunk.length
  }
  return []
}

async function readRange(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  } finally {
    await file.close()
  }
}

async function openRange(path: string, offset: number, length: number): Promise<FileSource> {
  const source = await reading(openFileSource(path, offset, length))
  return { ...source, read: (from, wanted) => reading(source.read(from, wanted)) }
}

let largeBytes = 0

/** How much of the rest is read next. The piece counts as held until its reader asks for another, or goes. */
function takePiece(rest: number, isQuick: boolean): { bytes: number; release: () => void } {
  const large = Math.min(LARGE_READ_BYTES, rest)
  if (!isQuick || large <= READ_BYTES || largeBytes + large > MOST_LARGE_BYTES) {
    return { bytes: Math.min(READ_BYTES, rest), release: () => undefined }
  }
  largeBytes += large
  return { bytes: large, release: () => void (largeBytes -= large) }
}

async function* streamRange(path: string, offset: number, length: number): AsyncGenerator<Buffer> {
  const file = await reading(open(path, 'r'))
  try {
    let isQuick = false
    for (let sent = 0; sent < length; ) {
      const piece = takePiece(length - sent, isQuick)
      try {
        const buffer = Buffer.allocUnsafeSlow(piece.bytes)
        const { bytesRead } = await reading(file.read(buffer, 0, buffer.length, offset + sent))
        if (bytesRead === 0) throw new StoreError('short')
        sent += bytesRead
        const givenAt = performance.now()
        yield buffer.subarray(0, bytesRead)
        isQuick = performance.now() - givenAt < QUICK_MS
      } finally {
        piece.release()
      }
    }
  } finally {
    await file.close()
  }
}

/** @throws StoreError for a failure of the system */
function reading<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw explainReading(error)
  })
}

async function syncFolder(path: string): Promise<void> {
  const folder = await begun(path, constants.O_RDONLY)
  try {
    await entriesOnDisk(folder)
  } finally {
    closeSync(folder)
  }
}

let lastStamp = 0
/** Milliseconds and randomness, never going back within a process. */
function newObjectName(): string {
  lastStamp = Math.max(Date.now(), lastStamp)
  return `${lastStamp.toString(36).padStart(9, '0')}-${randomBytes(9).toString('base64url')}`
}
