import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { findLastUse, listCached, readCached, streamCached } from '../../outbound/files/cached-file.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'

/** The note beside a file of metadata: the state that all of its images share, and which images in which order. */
export interface FileContents {
  form: string
  /** In the order of the file; empty for an image of which nothing could be told. */
  keys: readonly string[]
}

/** Names the bytes of an image, from which its metadata were made. */
export const keyOfImage = ({ sop_uid, sha256 }: StoredInstance): string => `${sop_uid} ${sha256}`

/** The name of the note beside a file of metadata. */
export const contentsPath = (path: string): string => path.replace(/\.json\.gz$/, '.contents.json')

/** A file of metadata in which each image has a line. */
interface TextFile {
  path: string
  keys: readonly string[]
}

/** Metadata of images as earlier files hold them, so that no image is opened for what was told before. */
export interface StoredTexts {
  has: (key: string) => boolean
  /** The text of an image; undefined where its file cannot be read. Cheap in the order of the files only. */
  take: (key: string) => Promise<Buffer | undefined>
  close: () => Promise<void>
}

/**
 * Opens what earlier files tell of images.
 * @param names beginnings of the files' names; of each the one that was used last counts
 * @param form a file of another form (another correction, another way of writing) is passed over
 */
export async function openStoredTexts(folder: string, names: readonly string[], form: string): Promise<StoredTexts> {
  const listed = await listCached(folder).catch(() => [])
  const fileOf = new Map<string, { file: TextFile; place: number }>()
  for (const name of new Set(names)) {
    const file = await findFile(folder, listed, name, form)
    for (const [place, key] of file?.keys.entries() ?? []) if (file && key) fileOf.set(key, { file, place })
  }
  const readers = new Map<TextFile, LineReader>()
  return {
    has: (key) => fileOf.has(key),
    take: async (key) => {
      const found = fileOf.get(key)
      if (!found) return undefined
      const reader = readers.get(found.file) ?? new LineReader(found.file)
      readers.set(found.file, reader)
      return reader.read(found.place)
    },
    close: async () => {
      for (const reader of readers.values()) await reader.close()
    },
  }
}

async function findFile(
  folder: string,
  listed: readonly string[],
  name: string,
  form: string,
): Promise<TextFile | undefined> {
  const files = listed.filter((one) => one.startsWith(`${name}.`) && one.endsWith('.json.gz'))
  const aged = await Promise.all(
    files.map(async (one) => {
      const path = join(folder, one)
      return { path, used: await findLastUse(path) }
    }),
  )
  for (const { path } of aged.sort((one, other) => other.used - one.used)) {
    const contents = await readContents(path)
    if (contents?.form !== form) continue
    return { path, keys: contents.keys }
  }
  return undefined
}

/** The note beside a file; undefined where it is missing or damaged. */
async function readContents(path: string): Promise<FileContents | undefined> {
  try {
    const { form, keys } = JSON.parse(String(await readCached(contentsPath(path)))) as Partial<FileContents>
    return typeof form === 'string' && Array.isArray(keys) ? { form, keys } : undefined
  } catch {
    return undefined
  }
}

/** Reads the lines of one file forward. A file that is damaged or swept meanwhile has no more lines. */
class LineReader {
  readonly #lines: AsyncGenerator<Buffer>
  readonly #count: number
  #next = 0

  constructor({ path, keys }: TextFile) {
    this.#lines = linesOf(path)
    this.#count = keys.length
  }

  async read(place: number): Promise<Buffer | undefined> {
    try {
      while (this.#next <= place) {
        const { value, done } = await this.#lines.next()
        if (done) return undefined
        this.#next += 1
        if (this.#next === place + 1) return this.#unwrap(value, place)
      }
    } catch {
      this.#next = Number.POSITIVE_INFINITY
    }
    return undefined
  }

  async close(): Promise<void> {
    await this.#lines.return(undefined)
  }

  /** The object alone: the first line begins with the bracket of the list, each ends with a comma or the last bracket. */
  #unwrap(line: Buffer, place: number): Buffer | undefined {
    const text = line.subarray(place === 0 ? 1 : 0, -1)
    const end = place === this.#count - 1 ? ']' : ','
    return text[0] === 0x7b && text.at(-1) === 0x7d && line.at(-1) === end.charCodeAt(0) ? text : undefined
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const pending: Buffer[] = []
  const opened = pipeline(streamCached(path), createGunzip(), () => undefined)
  for await (const chunk of opened as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      pending.push(chunk.subarray(start, end))
      yield Buffer.concat(pending.splice(0))
      start = end + 1
    }
    pending.push(chunk.subarray(start))
  }
  yield Buffer.concat(pending)
}
