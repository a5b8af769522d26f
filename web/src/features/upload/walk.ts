import type { PickedFile } from './picked-files.ts'

/** Files found in one go, and the paths (of files or folders) that the browser could not open. */
export interface WalkBatch {
  files: PickedFile[]
  unreadable: string[]
}

/** Files a message to a parse worker; small enough that taking the answer in never holds the page up. */
const FILES_A_BATCH = 64

/**
 * The entries of a drop. Must run inside the drop handler: after the first `await` the browser empties the list.
 */
export function takeDroppedEntries(transfer: DataTransfer): FileSystemEntry[] {
  return [...transfer.items]
    .filter((item) => item.kind === 'file')
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null)
}

/** Walks dropped files and folders, to any depth; a file or folder that cannot be opened does not stop its siblings. */
export async function* walkEntries(entries: FileSystemEntry[], signal?: AbortSignal): AsyncGenerator<WalkBatch> {
  const folders: FileSystemDirectoryEntry[] = []
  const batch: WalkBatch = { files: [], unreadable: [] }

  async function take(page: FileSystemEntry[]) {
    folders.push(...page.filter(isFolder))
    const opened = await Promise.all(page.filter(isFile).map(openFile))
    for (const one of opened) {
      if (one.file) batch.files.push({ path: one.path, file: one.file })
      else batch.unreadable.push(one.path)
    }
  }
  function* full() {
    while (batch.files.length >= FILES_A_BATCH) {
      yield { files: batch.files.splice(0, FILES_A_BATCH), unreadable: batch.unreadable.splice(0) }
    }
  }

  for (let at = 0; at < entries.length; at += FILES_A_BATCH) {
    await take(entries.slice(at, at + FILES_A_BATCH))
    yield* full()
  }
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    const reader = folder.createReader()
    for (;;) {
      signal?.throwIfAborted()
      const page = await readPage(reader)
      if (!page) {
        batch.unreadable.push(pathOf(folder))
        break
      }
      if (page.length === 0) break
      await take(page)
      yield* full()
    }
  }
  if (batch.files.length > 0 || batch.unreadable.length > 0) yield batch
}

/** The files of a folder chosen by "Browse", in batches, giving the page a turn between them. */
export async function* walkFileList(list: ArrayLike<File>, signal?: AbortSignal): AsyncGenerator<WalkBatch> {
  for (let at = 0; at < list.length; at += FILES_A_BATCH) {
    signal?.throwIfAborted()
    const end = Math.min(at + FILES_A_BATCH, list.length)
    const files: PickedFile[] = []
    for (let k = at; k < end; k++) {
      const file = list[k]
      if (file) files.push({ path: file.webkitRelativePath || file.name, file })
    }
    yield { files, unreadable: [] }
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** Batches that are listed while the ones before are read. */
const BATCHES_AHEAD = 4

/** A walk that lists on while somebody works on what it found, so that neither the disc nor the reading waits for the other. */
export async function* listAhead(walk: AsyncIterable<WalkBatch>): AsyncGenerator<WalkBatch> {
  const batches = walk[Symbol.asyncIterator]()
  const listed: Promise<IteratorResult<WalkBatch>>[] = []
  try {
    for (;;) {
      while (listed.length < BATCHES_AHEAD) {
        const next = batches.next()
        next.catch(() => undefined) // thrown below, to whoever reads as far
        listed.push(next)
      }
      const batch = await listed.shift()
      if (!batch || batch.done) return
      yield batch.value
    }
  } finally {
    // not waited for: a disc that does not answer must not hold up whoever stopped
    void batches.return?.().catch(() => undefined)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const pathOf = (entry: FileSystemEntry) => entry.fullPath.replace(/^\/+/, '')

function openFile(entry: FileSystemFileEntry): Promise<{ path: string; file?: File }> {
  const path = pathOf(entry)
  return new Promise((resolve) =>
    entry.file(
      (file) => resolve({ path, file }),
      () => resolve({ path }),
    ),
  )
}

/** `readEntries` answers at most 100 entries a call in Chromium: call until it answers none. Undefined when refused. */
function readPage(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[] | undefined> {
  return new Promise((resolve) => reader.readEntries(resolve, () => resolve(undefined)))
}
