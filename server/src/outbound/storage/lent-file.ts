import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Opens a file that the store lent (`useFile`), or one that was uploaded and not yet stored, for reading by position. */
export function openLentFile(path: string): Promise<FileHandle> {
  return open(path, 'r')
}

/** The whole of such a file, for libraries that take nothing else; its thread waits. */
export function readLentFile(path: string): Buffer {
  return readFileSync(path)
}
