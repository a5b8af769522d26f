import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { orMissing } from '../files/or-missing.ts'

/** A file under a folder, and what the disk says of it. */
type WalkedFile = { path: string; size: number; mtimeMs: number }

/**
 * Files under a folder in the order of their names; none where there is no folder yet, and not those that go meanwhile.
 * @param after names of folders and, last, a file inside of `folder`: only what sorts behind it
 */
export async function* walkFiles(folder: string, after: readonly string[] = []): AsyncGenerator<WalkedFile> {
  const entries = (await orMissing(readdir(folder, { withFileTypes: true }))) ?? []
  const [last = '', ...within] = after
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name < last) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      yield* walkFiles(path, entry.name === last ? within : [])
      continue
    }
    const found = entry.name === last ? undefined : await orMissing(stat(path))
    if (found) yield { path, size: found.size, mtimeMs: found.mtimeMs }
  }
}
