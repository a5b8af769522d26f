import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { verifyAudit } from '../areas/audit/verify-audit.command.ts'
import { verifyStorage } from '../areas/retention/verify-storage.command.ts'
import { openDatabase } from '../db/database.ts'
import { startDatabase } from '../db/reach-database.ts'
import { openObjectStore } from '../outbound/storage/file-store.ts'
import { BackupError } from './backup-error.ts'
import { importInstallation } from './import-installation.ts'
import { readManifest } from './manifest.ts'

interface RehearsalOptions {
  /** The export. */
  folder: string
  /** Folder in which the scratch folder is made. */
  scratchParent: string
  postgresBinFolder: string | undefined
  tell: (line: string) => void
  signal: AbortSignal
}

interface Rehearsal {
  /** Moment whose state the export holds. */
  taken: string
  rows: number
  objects: number
  bytes: number
  faults: number
  seconds: number
}

/** The database with its log of changes, beside rows that take about as much room as their copies. */
const databaseRoom = 1024 ** 3
const GB = 1024 ** 3

/**
 * Restores an export as somebody would after a loss: into an empty folder with a PostgreSQL of its own. Every object is
 * read and every audit row held against its seal; then all of it is removed, also where something went wrong. The
 * installation in use is not touched.
 * @throws BackupError in words where the export cannot be imported
 */
export async function rehearseImport(options: RehearsalOptions): Promise<Rehearsal> {
  const { tell, signal, postgresBinFolder } = options
  const folder = resolve(options.folder)
  const manifest = await readManifest(folder)
  const tableBytes = manifest.tables.reduce((sum, table) => sum + table.bytes, 0)
  await assertRoom(options.scratchParent, manifest.objects.totalBytes + 2 * tableBytes + databaseRoom)
  const began = performance.now()
  const scratch = await mkdtemp(join(options.scratchParent, 'hilum-rehearsal-'))
  try {
    // started as root, PostgreSQL runs as another user, who passes through and sees no names
    await chmod(scratch, 0o711)
    const place = { databaseUrl: undefined, dataFolder: join(scratch, 'data'), postgresBinFolder }
    await importInstallation(place, { folder, tell, signal })
    tell('Imported. Reading everything once more …')
    const checked = await verifyAll(place, tell, signal)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    return { taken: manifest.taken, rows, ...checked, seconds: Math.round((performance.now() - began) / 1000) }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function assertRoom(parent: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(parent)
  if (needed <= bavail * bsize) return
  const [wanted, free] = [needed / GB, (bavail * bsize) / GB].map((size) => size.toFixed(2))
  throw new BackupError(
    `The rehearsal needs ${wanted} GB, and the disk of ${parent} has ${free} GB free: name another folder with --in.`,
  )
}

async function verifyAll(
  place: Parameters<typeof startDatabase>[0],
  tell: RehearsalOptions['tell'],
  signal: AbortSignal,
): Promise<{ objects: number; bytes: number; faults: number }> {
  const server = await startDatabase(place)
  const { db, pool } = openDatabase({ connectionString: server.url, options: '-c statement_timeout=0' })
  pool.on('error', () => undefined) // the next statement fails and says so
  try {
    const store = openObjectStore(place.dataFolder)
    const stored = await verifyStorage(
      { db, store },
      {
        isQuick: false,
        now: new Date(),
        tell: ({ kind, what, holders = [] }) => {
          signal.throwIfAborted()
          tell([`${kind}: ${what}`, ...holders].join('\n    '))
        },
      },
    )
    signal.throwIfAborted()
    const audit = await verifyAudit(db, ({ kind, what }) => tell(`${kind}: ${what}`))
    return { ...stored, faults: stored.faults + audit.faults }
  } finally {
    await db.destroy()
    await server.stop()
  }
}
