import { type WalkBatch, walkEntries } from './walk.ts'

/*
 * Folders and files by handles, which a browser may keep over a reload (File System Access). Chromium alone has the
 * choices and permissions; the types of the DOM know neither.
 */

interface Chooser {
  showDirectoryPicker?: (options: { id: string; mode: 'read' }) => Promise<FileSystemDirectoryHandle>
  showOpenFilePicker?: (options: { id: string; multiple: true }) => Promise<FileSystemFileHandle[]>
}
interface Permitting {
  requestPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>
}
interface Listing {
  values: () => AsyncIterable<FileSystemHandle>
}
interface Dropped {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

const pickerId = 'hilum-upload'
/** Files a message to a parse worker, as in `walk.ts`. */
const FILES_A_BATCH = 64

/** The browser's own choice of a folder or of files; undefined where it has none that gives handles. */
export function handleChooser(what: 'folder' | 'files'): (() => Promise<FileSystemHandle[] | 'no-choice'>) | undefined {
  const { showDirectoryPicker, showOpenFilePicker } = globalThis as Chooser // Chromium on https alone
  if (what === 'folder' && showDirectoryPicker) {
    return () => unlessStopped(showDirectoryPicker({ id: pickerId, mode: 'read' }).then((one) => [one]))
  }
  if (what === 'files' && showOpenFilePicker) {
    return () => unlessStopped(showOpenFilePicker({ id: pickerId, multiple: true }))
  }
  return undefined
}

/** 'no-choice' when the person closed the browser's window. @throws when the browser refuses to ask */
async function unlessStopped(choice: Promise<FileSystemHandle[]>): Promise<FileSystemHandle[] | 'no-choice'> {
  try {
    return await choice
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'no-choice'
    throw error
  }
}

/**
 * The handles of a drop; none where the browser gives not all of them. Must be called inside the drop handler: after
 * the first `await` the browser empties the list.
 */
export async function takeDroppedHandles(transfer: DataTransfer): Promise<FileSystemHandle[]> {
  const items = [...transfer.items].filter((item) => item.kind === 'file') as Dropped[]
  const asked = items.map((item) => item.getAsFileSystemHandle?.())
  try {
    const handles = await Promise.all(asked)
    return handles.every((one) => one instanceof FileSystemHandle) ? (handles as FileSystemHandle[]) : []
  } catch {
    return []
  }
}

/** Asks the browser, which may ask the person, for files that were chosen before the page was loaded. */
export async function mayRead(handles: readonly FileSystemHandle[]): Promise<boolean> {
  for (const handle of handles) {
    const state = await (handle as Permitting).requestPermission?.({ mode: 'read' })
    if (state !== 'granted') return false
  }
  return true
}

/**
 * Walks a drop by its handles, where the browser gave them: it opens a file by its handle in a seventh of the time that an
 * entry takes.
 */
export async function* walkDropped(
  taken: Promise<readonly FileSystemHandle[]>,
  entries: FileSystemEntry[],
  signal?: AbortSignal,
): AsyncGenerator<WalkBatch> {
  const handles = await taken
  yield* handles.length > 0 ? walkHandles(handles, signal) : walkEntries(entries, signal)
}

/** Walks folders and files to any depth; what cannot be opened does not stop its neighbours. */
export async function* walkHandles(
  handles: readonly FileSystemHandle[],
  signal?: AbortSignal,
): AsyncGenerator<WalkBatch> {
  const unreadable: string[] = []
  let found: { path: string; handle: FileSystemFileHandle }[] = []
  async function* list(
    all: AsyncIterable<FileSystemHandle> | Iterable<FileSystemHandle>,
    under: string,
  ): AsyncGenerator<void> {
    for await (const handle of all) {
      signal?.throwIfAborted()
      const path = `${under}${handle.name}`
      if (isFolder(handle)) yield* listFolder(handle, path)
      else if (isFile(handle)) found.push({ path, handle })
      if (found.length >= FILES_A_BATCH) yield
    }
  }
  async function* listFolder(folder: FileSystemDirectoryHandle & Listing, path: string): AsyncGenerator<void> {
    try {
      yield* list(folder.values(), `${path}/`)
    } catch {
      signal?.throwIfAborted()
      unreadable.push(path)
    }
  }
  async function open(): Promise<WalkBatch> {
    const batch = found
    found = []
    const opened = await Promise.all(batch.map(openFile))
    return {
      files: opened.flatMap(({ path, file }) => (file ? [{ path, file }] : [])),
      unreadable: [...unreadable.splice(0), ...opened.filter(({ file }) => !file).map(({ path }) => path)],
    }
  }
  for await (const _full of list(handles, '')) yield await open()
  if (found.length > 0 || unreadable.length > 0) yield await open()
}

const isFolder = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle & Listing =>
  handle.kind === 'directory'
const isFile = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === 'file'

async function openFile({ path, handle }: { path: string; handle: FileSystemFileHandle }) {
  try {
    return { path, file: await handle.getFile() }
  } catch {
    return { path, file: undefined }
  }
}
