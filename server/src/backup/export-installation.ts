import { randomUUID } from 'node:crypto'
import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { ConnectionPool, Database } from '../db/database.ts'
import { listAppliedMigrations } from '../db/migrate.ts'
import type { ObjectStore } from '../outbound/storage/object-store.ts'
import { BackupError, explainFullDisk } from './backup-error.ts'
import { copyDurably, listNames, sizeOf, syncFolder, syncTree, walk, writeTextDurably } from './durable-files.ts'
import { type EarlierExport, findEarlier } from './earlier-exports.ts'
import { exportObjects } from './export-objects.ts'
import { exportTables } from './export-tables.ts'
import { type Manifest, partsOf } from './manifest.ts'

interface ExportOptions {
  folder: string
  /** An export on which this one builds, or a folder whose newest export that is; undefined: everything is copied. */
  since?: string | undefined
  /** Told how far it is, in words. */
  tell: (line: string) => void
  signal: AbortSignal
}

interface Exportable {
  db: Database
  pool: ConnectionPool
  store: ObjectStore
  dataFolder: string
}

/** Parts of a data folder besides the installation's own files: the database and the objects go their own way. */
const notFiles =
  /^(postgres($|\.|-programs-)|objects$|uploads$|cache$|ballast($|\.)|lost\+found$|import-unfinished$|release\.json($|\.)|database\.name($|\.))/
/** How often a snapshot is taken anew because the nightly purge removed objects of the last one. */
const SNAPSHOTS = 3
const GB = 1024 ** 3

/**
 * Writes the whole installation into a folder: every table as of one moment, then the objects that they speak of, which
 * never change. Hilum may run meanwhile. Run again after it was cut short, it keeps the objects that are there already.
 * @throws BackupError in words
 */
export async function exportInstallation(from: Exportable, options: ExportOptions): Promise<Manifest> {
  const folder = resolve(options.folder)
  try {
    const earlier = options.since === undefined ? undefined : await findEarlier(options.since, folder)
    await beginExport(from, folder)
    if (earlier) options.tell(`Builds on the export of ${earlier.manifest.taken} in ${earlier.folder}.`)
    else if (options.since !== undefined)
      options.tell(`There is no export in ${options.since} yet: this one holds everything.`)
    const manifest = await exportAll(from, { ...options, folder, earlier })
    await writeTextDurably(partsOf(folder).manifest, `${JSON.stringify(manifest, undefined, 2)}\n`)
    await rm(partsOf(folder).mark)
    await syncFolder(folder)
    return manifest
  } catch (error) {
    throw explainFullDisk(error, folder)
  }
}

async function beginExport({ dataFolder }: Exportable, folder: string): Promise<void> {
  if (!relative(dataFolder, folder).startsWith('..'))
    throw new BackupError('An export cannot lie inside the data folder: choose another place, best on another disk.')
  const parts = partsOf(folder)
  const names = await listNames(folder)
  if (names.includes('export.json')) throw new BackupError(`${folder} holds an export already: choose a new folder.`)
  if ((await sizeOf(parts.mark)) === undefined) {
    const others = names.filter((name) => name !== 'lost+found')
    if (others.length > 0) throw new BackupError(`${folder} is not empty: choose a new folder.`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeTextDurably(parts.mark, 'This export is not whole yet. Run the same command again to finish it.\n')
    await syncFolder(dirname(folder))
  }
}

type Exporting = ExportOptions & { earlier: EarlierExport | undefined }

async function exportAll(from: Exportable, options: Exporting): Promise<Manifest> {
  const migrations = await listAppliedMigrations(from.db)
  if (migrations.length === 0) throw new BackupError('There is nothing to export: the database is empty.')
  for (let snapshot = 1; ; snapshot++) {
    const { tables, sequences, taken, list, objects: found } = await takeTables(from, options)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    options.tell(`Tables: ${tables.length} with ${rows} rows, as of ${taken}.`)
    const objects = await exportObjects(from, { ...options, list, count: found.count })
    if (objects.purged > 0) {
      if (snapshot === SNAPSHOTS) throw new BackupError('Objects keep being purged: run the same command again later.')
      options.tell(`${objects.purged} objects were purged meanwhile: the tables are taken anew.`)
      continue
    }
    await rm(list)
    const files = await exportFiles(from.dataFolder, options.folder)
    await syncTree(options.folder)
    return {
      kind: 'Hilum export',
      format: objects.held.size === 0 ? 1 : 2,
      uuid: randomUUID(),
      taken,
      migrations,
      tables,
      sequences,
      objects: objects.summary,
      ...(objects.held.size === 0 ? {} : { holders: listHolders(objects.held, options.earlier) }),
      files,
      faults: objects.faults,
    }
  }
}

function listHolders(held: ReadonlyMap<string, number>, earlier: EarlierExport | undefined): Manifest['holders'] {
  if (!earlier) return []
  const known = [earlier.manifest, ...(earlier.manifest.holders ?? [])]
  return known.flatMap(({ uuid, taken }) => {
    const objects = held.get(uuid)
    return objects === undefined ? [] : [{ uuid, taken, objects }]
  })
}

async function takeTables(from: Exportable, { folder, earlier }: Exporting) {
  const list = join(folder, 'objects-to-copy.tsv')
  const isFirst = (await sizeOf(list)) === undefined
  const taken = await exportTables(from.pool, folder, list)
  const { bavail, bsize } = await statfs(folder)
  // objects that an earlier run copied, or an earlier export holds, are not known here
  if (isFirst && earlier === undefined && taken.objects.bytes > bavail * bsize) {
    const [needed, free] = [taken.objects.bytes / GB, (bavail * bsize) / GB].map((size) => size.toFixed(2))
    throw new BackupError(`The objects need ${needed} GB, and the disk of ${folder} has ${free} GB free.`)
  }
  return { ...taken, list }
}

async function exportFiles(dataFolder: string, folder: string): Promise<Manifest['files']> {
  const files: Manifest['files'] = []
  for (const name of await listNames(dataFolder)) {
    if (notFiles.test(name)) continue
    for (const path of await pathsOf(dataFolder, name)) {
      files.push({ path, ...(await copyDurably(join(dataFolder, path), partsOf(folder).file(path))) })
    }
  }
  return files
}

async function pathsOf(folder: string, name: string): Promise<string[]> {
  if (!(await stat(join(folder, name))).isDirectory()) return [name]
  const paths: string[] = []
  for await (const path of walk(folder, name)) paths.push(path)
  return paths
}
