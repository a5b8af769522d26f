import { join } from 'node:path'
import { BackupError } from './backup-error.ts'
import { copyDurably, digestFile, type FileDigest } from './durable-files.ts'
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
    tell: (line: string) => void
    signal: AbortSignal
  },
): Promise<void> {
  const parts = partsOf(options.folder)
  const progress = makeProgress(manifest.objects.count, options.tell)
  const importOne = async (object: ListedObject) => {
    options.signal.throwIfAborted()
    const target = join(options.dataFolder, 'objects', ...object.key.split('/'))
    const source = placeOfObject(object, manifest, options.folders)
    return { object, source, isRight: await copyChecked(source, target, object) }
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

async function copyChecked(source: string, target: string, expected: FileDigest): Promise<boolean> {
  if (isSame(await digestFile(target), expected)) return true
  return isSame(await copyDurably(source, target), expected)
}

function isSame(found: FileDigest | undefined, expected: FileDigest): boolean {
  return found?.bytes === expected.bytes && found.sha256 === expected.sha256
}
