import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { BackupError } from './backup-error.ts'
import type { FileDigest } from './durable-files.ts'
import { safePath } from './manifest.ts'

export interface ListedObject {
  key: string
  bytes: number
  /** Hex; empty where it is not known. */
  sha256: string
  /** The earlier export that holds the object, by its uuid; undefined: the one whose list it is. */
  holder?: string | undefined
}

/** A list of objects, one line each, read as it is asked for. */
export async function* readObjectList(path: string): AsyncGenerator<ListedObject> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [key = '', bytes, sha256 = '', holder] = line.split('\t')
    if (!safePath.safeParse(key).success) throw new BackupError(`${path} names an object that cannot be: ${key}`)
    yield { key, bytes: Number(bytes), sha256, holder }
  }
}

export function objectLine(key: string, { bytes, sha256 }: FileDigest, holder?: string): Buffer {
  return Buffer.from(`${key}\t${bytes}\t${sha256}${holder === undefined ? '' : `\t${holder}`}\n`)
}
