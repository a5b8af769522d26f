import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ObjectStore } from '../outbound/storage/object-store.ts'
import { StoreError } from '../outbound/storage/store-error.ts'
import { BackupError } from './backup-error.ts'
import { copyDurably, digestFile, type FileDigest, readDurable } from './durable-files.ts'
import { placeOfObject } from './earlier-exports.ts'
import { inOrder } from './in-order.ts'
import { type Manifest, partsOf } from './manifest.ts'
import { type ListedObject, readObjectList } from './object-list.ts'
import { makeProgress } from './progress.ts'

const LANES = 8

/**
 * Copies the objects and the installation's own files, keeping what is there already and right. Every copy is held
 * against the hash it was exported with.
 * @throws BackupError when bytes are not what they were; each such object is told
 */
export async function importFiles(
  manifest: Manifest,
  options: {
    folder: string
    /** Of the exports that hold the objects, by their uuid. */
    folders: ReadonlyMap<string, string>
    dataFolder: string
    store: ObjectStore
    tell: (line: string) => void
    signal: AbortSignal
  },
): Promise<void> {
  const parts = partsOf(options.folder)
  const progress = makeProgress(manifest.objects.count, options.tell)
  const importOne = async (object: ListedObject) => {
    options.signal.throwIfAborted()
    const source = placeOfObject(object, manifest, options.folders)
    return { object, source, isRight: await restoreChecked(options.store, source, object) }
  }
  let wrong = 0
  for await (const { object, source, isRight } of inOrder(readObjectList(parts.objectList), LANES, importOne)) {
    progress.add(object.bytes)
    if (isRight) continue
    wrong += 1
    options.tell(`object with other bytes: ${source}`)
  }
  progress.end()
  if (wrong > 0)
    throw new BackupError(
      `${wrong} objects in ${options.folder} are not what was exported. Nothing was imported; put them right and run the same command again.`,
    )
  for (const file of manifest.files) {
    if (!(await copyChecked(parts.file(file.path), join(options.dataFolder, file.path), file)))
      throw new BackupError(`${parts.file(file.path)} is not what was exported.`)
  }
}

async function restoreChecked(store: ObjectStore, source: string, object: ListedObject): Promise<boolean> {
  if (isSame(await digestObject(store, object.key), object)) return true
  const writer = await store.restore(object.key)
  try {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of readDurable(source)) {
      hash.update(chunk)
      bytes += chunk.length
      await writer.write([chunk])
    }
    await store.finish([writer])
    return isSame({ bytes, sha256: hash.digest('hex') }, object)
  } catch (error) {
    await writer.discard()
    throw error
  }
}

/** Undefined where there is no such object. */
async function digestObject(store: ObjectStore, key: string): Promise<FileDigest | undefined> {
  try {
    const bytes = await store.size(key)
    const hash = createHash('sha256')
    for await (const chunk of store.stream(key, 0, bytes)) hash.update(chunk)
    return { bytes, sha256: hash.digest('hex') }
  } catch (error) {
    if (error instanceof StoreError && error.fault === 'missing') return undefined
    throw error
  }
}

async function copyChecked(source: string, target: string, expected: FileDigest): Promise<boolean> {
  if (isSame(await digestFile(target), expected)) return true
  return isSame(await copyDurably(source, target), expected)
}

function isSame(found: FileDigest | undefined, expected: FileDigest): boolean {
  return found?.bytes === expected.bytes && found.sha256 === expected.sha256
}
