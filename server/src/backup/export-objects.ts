import type { ConnectionPool } from '../db/database.ts'
import type { ObjectStore } from '../outbound/storage/object-store.ts'
import { StoreError } from '../outbound/storage/store-error.ts'
import { digestFile, type FileDigest, sizeOf, writeDurably } from './durable-files.ts'
import { type EarlierExport, lookUpEarlier } from './earlier-exports.ts'
import { inOrder } from './in-order.ts'
import { type Manifest, partsOf } from './manifest.ts'
import { type ListedObject, objectLine, readObjectList } from './object-list.ts'
import { makeProgress } from './progress.ts'
import { isObjectNeeded } from './tables.sql.ts'

interface ExportedObjects {
  summary: Manifest['objects']
  faults: Manifest['faults']
  /** Objects that earlier exports hold, by the uuid of each. */
  held: ReadonlyMap<string, number>
  /** Objects that were removed since the list was made, as nobody needed them any more. */
  purged: number
}

const LANES = 8

/**
 * Copies the listed objects, but for those that earlier exports hold; keeps those that are there already, and writes down
 * what each of them holds.
 */
export async function exportObjects(
  from: { pool: ConnectionPool; store: ObjectStore },
  options: {
    folder: string
    list: string
    count: number
    earlier: EarlierExport | undefined
    tell: (line: string) => void
    signal: AbortSignal
  },
): Promise<ExportedObjects> {
  const parts = partsOf(options.folder)
  const result = { faults: [] as Manifest['faults'], purged: 0 }
  const held = new Map<string, number>()
  const findEarlier = options.earlier && lookUpEarlier(options.earlier)
  const progress = makeProgress(options.count, options.tell)
  /** One after the other, since both lists are read in their order. */
  const listed = async function* () {
    for await (const object of readObjectList(options.list)) yield { object, earlier: await findEarlier?.(object) }
  }
  const exportOne = async ({ object, earlier }: { object: ListedObject; earlier: ListedObject | undefined }) => {
    options.signal.throwIfAborted()
    if (earlier) return { object, digest: earlier, holder: earlier.holder }
    return { object, digest: await copyOnce(from.store, parts.object(object.key), object), holder: undefined }
  }
  const lines = async function* () {
    for await (const { object, digest, holder } of inOrder(listed(), LANES, exportOne)) {
      if (!digest) {
        if (await isStillNeeded(from.pool, object.key)) result.faults.push({ kind: 'object missing', what: object.key })
        else result.purged += 1
        continue
      }
      const fault = findFault(object, digest)
      if (fault) result.faults.push({ kind: fault, what: object.key })
      progress.add(digest.bytes)
      if (holder !== undefined) held.set(holder, (held.get(holder) ?? 0) + 1)
      yield objectLine(object.key, digest, holder)
    }
  }
  const list = await writeDurably(parts.objectList, lines())
  progress.end()
  return { ...result, held, summary: { count: progress.count(), totalBytes: progress.bytes(), ...list } }
}

/** Gives what the copy holds; undefined when there is nothing to copy. */
async function copyOnce(store: ObjectStore, target: string, object: ListedObject): Promise<FileDigest | undefined> {
  try {
    const size = await store.size(object.key)
    if ((await sizeOf(target)) === size) {
      const there = await digestFile(target)
      if (there && there.sha256 === object.sha256) return there
    }
    return await writeDurably(target, store.stream(object.key, 0, size))
  } catch (error) {
    if (error instanceof StoreError && error.fault === 'missing') return undefined
    throw error
  }
}

function findFault(object: ListedObject, { bytes, sha256 }: FileDigest): string | undefined {
  if (bytes < object.bytes) return 'object cut short'
  return object.sha256 === '' || object.sha256 === sha256 ? undefined : 'object with other bytes'
}

async function isStillNeeded(pool: ConnectionPool, key: string): Promise<boolean> {
  const client = await pool.connect()
  try {
    return await isObjectNeeded(client, key)
  } finally {
    client.release()
  }
}
