import { BackupError } from './backup-error.ts'
import { digestFile, type FileDigest, sizeOf } from './durable-files.ts'
import { placeOfObject } from './earlier-exports.ts'
import { type Manifest, partsOf } from './manifest.ts'
import { readObjectList } from './object-list.ts'

/**
 * Holds an export against its manifest before anything is made of it: tables, lists and files by their hashes, objects
 * by their presence and length (their hashes are checked as they are copied). Each fault is told.
 * @param folders of the exports that hold its objects, by their uuid
 * @throws BackupError when there was any
 */
export async function assertWhole(
  manifest: Manifest,
  folder: string,
  folders: ReadonlyMap<string, string>,
  { tell }: { tell: (line: string) => void },
): Promise<void> {
  const parts = partsOf(folder)
  let faults = 0
  const check = async (what: string, path: string, expected: FileDigest) => {
    const fault = faultOf(await digestFile(path), expected)
    if (!fault) return
    faults += 1
    tell(`${what} ${fault}: ${path}`)
  }
  for (const table of manifest.tables) await check('table', parts.table(table.name), table)
  for (const file of manifest.files) await check('file', parts.file(file.path), file)
  await check('list', parts.objectList, manifest.objects)
  if (faults === 0) {
    for await (const object of readObjectList(parts.objectList)) {
      const path = placeOfObject(object, manifest, folders)
      const size = await sizeOf(path)
      if (size === object.bytes) continue
      faults += 1
      tell(`object ${size === undefined ? 'missing' : 'cut short or grown'}: ${path}`)
    }
  }
  if (faults > 0) throw new BackupError(`The export in ${folder} is damaged in ${faults} places. Nothing was imported.`)
}

function faultOf(found: FileDigest | undefined, expected: FileDigest): string | undefined {
  if (!found) return 'missing'
  if (found.bytes < expected.bytes) return 'cut short'
  return found.sha256 === expected.sha256 ? undefined : 'with other bytes'
}
