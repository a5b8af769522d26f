import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { walkFiles } from './walk-files.ts'

/** Bytes on their way into the store. Nothing counts as stored before `sync` and `syncFolders`. */
export type ObjectWriter = {
  readonly key: string
  write: (chunks: readonly Uint8Array[]) => Promise<void>
  /** Forces the bytes to disk and closes the file. */
  sync: () => Promise<void>
  /** Closes and deletes what was written. */
  discard: () => Promise<void>
}

export type FileStore = {
  /** @throws the system's error where no object could be begun */
  assertWritable: () => Promise<void>
  /** Begins an object in a folder like `account/namespace/study`; its name sorts by arrival. */
  begin: (folder: string) => Promise<ObjectWriter>
  /** Forces to disk what the folders hold, and the folders themselves. Objects in them are synced on their own. */
  syncFolders: (folders: Iterable<string>) => Promise<void>
  /** `length` bytes from `offset`, one chunk in memory at a time. @throws when the object ends before */
  stream: (key: string, offset: number, length: number) => AsyncGenerator<Buffer>
  /** Up to `length` bytes from `offset`; fewer at the end of the object. */
  read: (key: string, offset: number, length: number) => Promise<Buffer>
  size: (key: string) => Promise<number>
  /** Where the object lies, for a reader in another thread. */
  path: (key: string) => string
  remove: (key: string) => Promise<void>
  /**
   * Deletes objects begun before `before` that nothing refers to, and gives their keys; with `next` when it stopped before
   * the end, behind the object of that key.
   */
  sweep: (before: Date, findReferenced: FindReferenced, part?: SweepPart) => Promise<{ swept: string[]; next?: string }>
}

export type FindReferenced = (keys: readonly string[]) => Promise<ReadonlySet<string>>
export type SweepPart = {
  /** A key: what sorts behind it is looked at. */
  after?: string
  /** How many objects are looked at. */
  most?: number
}

const SWEEP_BATCH = 500
/** More than these are made and synced again, which is cheap. */
const MAX_KNOWN_FOLDERS = 10_000
/** Held in memory by each reader, however slow: 500 of them take 32 MB. */
const READ_BYTES = 64 * 1024

/**
 * The object store in a folder of this machine. An object is written once, under a name that nobody had before,
 * and never changed.
 * @param assertRoom asked before anything is written; throws where nothing more may be
 */
export function createFileStore(root: string, assertRoom: () => Promise<void> = async () => undefined): FileStore {
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
    const key = `${folder}/${newObjectName()}`
    const path = pathOf(key)
    await makeFolder(dirname(path))
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
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
    syncFolders,
    stream: (key, offset, length) => streamRange(pathOf(key), offset, length),
    read: (key, offset, length) => readRange(pathOf(key), offset, length),
    size: async (key) => (await stat(pathOf(key))).size,
    path: pathOf,
    remove: (key) => rm(pathOf(key), { force: true }),
    sweep,
  }
}

function createWriter(key: string, path: string, file: FileHandle, assertRoom: () => Promise<void>): ObjectWriter {
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await file.close()
  }
  return {
    key,
    write: async (chunks) => {
      await assertRoom()
      await writeAll(file, chunks)
    },
    sync: async () => {
      await file.datasync()
      await close()
    },
    discard: async () => {
      await close()
      await rm(path, { force: true })
    },
  }
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let rest = chunks
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest)
    rest = withoutFirst(rest, bytesWritten)
  }
}

/** What a short write left over. */
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

async function* streamRange(path: string, offset: number, length: number): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    for (let sent = 0; sent < length; ) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, length - sent))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset + sent)
      if (bytesRead === 0) throw new Error('A stored object is shorter than its record says')
      sent += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

let lastStamp = 0
/** Milliseconds and randomness, never going back within a process. */
function newObjectName(): string {
  lastStamp = Math.max(Date.now(), lastStamp)
  return `${lastStamp.toString(36).padStart(9, '0')}-${randomBytes(9).toString('base64url')}`
}
