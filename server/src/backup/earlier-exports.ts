import { dirname, join, resolve } from 'node:path'
import { BackupError } from './backup-error.ts'
import { listNames, sizeOf } from './durable-files.ts'
import { type Manifest, partsOf, readManifest } from './manifest.ts'
import { type ListedObject, readObjectList } from './object-list.ts'

/** An export on which the next one builds. */
export interface EarlierExport {
  folder: string
  manifest: Manifest
  /** Folders of the exports that hold its objects, its own among them, by their uuid. */
  folders: ReadonlyMap<string, string>
}

/**
 * The export that a new one may build on.
 * @param since an export, or a folder that holds exports: then the newest of them, where there is any
 * @param folder of the new export; both lie in one folder, so that a restore finds them
 * @throws BackupError in words
 */
export async function findEarlier(since: string, folder: string): Promise<EarlierExport | undefined> {
  const base = resolve(since)
  const isExport = (await listNames(base)).includes('export.json')
  const found = isExport ? base : (await newestIn(base))?.folder
  if (found === undefined) return undefined
  if (dirname(found) !== dirname(resolve(folder)))
    throw new BackupError(
      `An export that builds on another lies beside it: choose a new folder in ${dirname(found)}, or make a full export.`,
    )
  const manifest = await readManifest(found)
  return { folder: found, manifest, folders: await findHolders(manifest, found) }
}

async function newestIn(parent: string): Promise<{ folder: string; manifest: Manifest } | undefined> {
  const exports = await listExports(parent)
  return exports.toSorted((one, other) => (one.manifest.taken < other.manifest.taken ? 1 : -1))[0]
}

/** Whole exports in a folder; what else lies there is passed over. */
async function listExports(parent: string): Promise<{ folder: string; manifest: Manifest }[]> {
  const exports: { folder: string; manifest: Manifest }[] = []
  for (const name of await listNames(parent)) {
    const folder = join(parent, name)
    if ((await sizeOf(partsOf(folder).manifest).catch(() => undefined)) === undefined) continue
    const manifest = await readManifest(folder).catch((error: unknown) => {
      // a damaged one may be another's; where it is needed it is missed
      if (error instanceof BackupError) return undefined
      throw error
    })
    if (manifest) exports.push({ folder, manifest })
  }
  return exports
}

/**
 * Where the objects of an export lie: in its own folder, and in those of exports before it, which lie beside it.
 * @throws BackupError that names every export that is missing
 */
export async function findHolders(manifest: Manifest, folder: string): Promise<ReadonlyMap<string, string>> {
  const folders = new Map([[manifest.uuid, folder]])
  const holders = manifest.holders ?? []
  if (holders.length === 0) return folders
  for (const { folder: one, manifest: other } of await listExports(dirname(folder)))
    if (!folders.has(other.uuid)) folders.set(other.uuid, one)
  const missing = holders.filter(({ uuid }) => !folders.has(uuid))
  if (missing.length === 0) return folders
  const words = missing.map(
    ({ uuid, taken, objects }) => `the export of ${taken} (${uuid}), which holds ${objects} objects`,
  )
  throw new BackupError(
    `The export in ${folder} builds on others, which must lie beside it in ${dirname(folder)}. Missing: ${words.join('; ')}.`,
  )
}

/** Path of an object, in the export that holds it. */
export function placeOfObject(
  object: Pick<ListedObject, 'key' | 'holder'>,
  manifest: Pick<Manifest, 'uuid'>,
  folders: ReadonlyMap<string, string>,
): string {
  const folder = folders.get(object.holder ?? manifest.uuid)
  if (folder === undefined)
    throw new BackupError(`The list of objects names an export that is not known: ${object.key}`)
  return partsOf(folder).object(object.key)
}

/**
 * Looks objects up in the list of an earlier export, in the order of their keys: both lists are read once, side by side.
 * @returns what the earlier export says of an object; undefined where it has none, or the file is not there any more
 */
export function lookUpEarlier({ folder, manifest, folders }: EarlierExport) {
  const lines = readObjectList(partsOf(folder).objectList)
  let current: ListedObject | undefined
  let isAtEnd = false
  const advance = async () => {
    const { value, done } = await lines.next()
    if (current && value && value.key <= current.key)
      throw new BackupError(`The export in ${folder} is of a Hilum that cannot be built on: make a full export.`)
    current = value
    isAtEnd = done === true
  }
  return async (object: ListedObject): Promise<ListedObject | undefined> => {
    for (;;) {
      if (isAtEnd || (current !== undefined && current.key >= object.key)) break
      await advance()
    }
    if (current?.key !== object.key || current.bytes < object.bytes) return undefined
    if (object.sha256 !== '' && object.sha256 !== current.sha256) return undefined
    const found = { ...current, holder: current.holder ?? manifest.uuid }
    return (await sizeOf(placeOfObject(found, manifest, folders))) === found.bytes ? found : undefined
  }
}
