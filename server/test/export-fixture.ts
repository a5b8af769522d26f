import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newUid } from '@hilum/dicom/uid'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { writeAudit } from '../src/areas/audit/audit.sql.ts'
import { sealAudit } from '../src/areas/audit/seal-audit.job.ts'
import { declaredJobs } from '../src/areas/job/declared-jobs.ts'
import { enqueue } from '../src/areas/job/enqueue.command.ts'
import { exportInstallation } from '../src/backup/export-installation.ts'
import { importInstallation } from '../src/backup/import-installation.ts'
import { type Manifest, partsOf } from '../src/backup/manifest.ts'
import { readObjectList } from '../src/backup/object-list.ts'
import { listTables } from '../src/backup/tables.sql.ts'
import { openDatabase } from '../src/db/database.ts'
import { freshDatabase } from './fresh-database.ts'
import { madeImage, uploadImage } from './made-image.ts'
import { makeOrganisation } from './make-organisation.ts'
import { type StorageFixture, startStorage } from './storage-fixture.ts'
import { openObjectStore } from '../src/outbound/storage/file-store.ts'

/** A database without any table. Call it at the top of a test file. */
export async function emptyDatabase(): Promise<string> {
  const { url } = await freshDatabase()
  await withDatabase(url, ({ db }) => sql.raw('drop schema public cascade; create schema public').execute(db))
  return url
}

/** A folder that is gone after the file's tests, and names in it. Call it at the top of a test file. */
export async function workFolder(): Promise<(name: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'hilum-export-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return (name) => join(folder, name)
}

export async function withDatabase<Result>(
  url: string,
  act: (open: ReturnType<typeof openDatabase>) => Promise<Result>,
): Promise<Result> {
  const opened = openDatabase({ connectionString: url, max: 3 })
  // the pool calls itself ended before its last sockets are; dropping the database may end those first
  opened.pool.on('error', () => undefined)
  try {
    return await act(opened)
  } finally {
    await opened.db.destroy()
  }
}

export interface Listener {
  lines: string[]
  tell: (line: string) => void
}

/** The lines that a person at the terminal would read. */
export function listener(hear: (line: string) => void = () => undefined): Listener {
  const lines: string[] = []
  return {
    lines,
    tell: (line) => {
      lines.push(line)
      hear(line)
    },
  }
}

export function exportFrom(
  source: { url: string; folder: string },
  folder: string,
  { tell }: Pick<Listener, 'tell'> = listener(),
  signal: AbortSignal = new AbortController().signal,
  since?: string,
): Promise<Manifest> {
  return withDatabase(source.url, ({ db, pool }) =>
    exportInstallation(
      { db, pool, store: openObjectStore(source.folder), dataFolder: source.folder },
      { folder, since, tell, signal },
    ),
  )
}

export function importInto(
  target: { url: string; folder: string },
  folder: string,
  { tell }: Pick<Listener, 'tell'> = listener(),
  signal: AbortSignal = new AbortController().signal,
) {
  const place = { databaseUrl: target.url, dataFolder: target.folder, postgresBinFolder: undefined }
  return importInstallation(place, { folder, tell, signal })
}

/** An installation with something of everything, exported into the place `whole`. Call it at the top of a test file. */
export async function exportedSource(): Promise<{
  source: StorageFixture
  place: (name: string) => string
  studyUid: string
}> {
  const source = await startStorage()
  const place = await workFolder()
  const studyUid = newUid()
  beforeAll(async () => {
    await fillSource(source, studyUid)
    await exportFrom(source, place('whole'))
  })
  return { source, place, studyUid }
}

/** Every row of every table, as text. */
export function dump(url: string): Promise<Record<string, string[]>> {
  return withDatabase(url, async ({ db, pool }) => {
    const client = await pool.connect()
    const tables = await listTables(client)
    client.release()
    const all: Record<string, string[]> = {}
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(t)::text as row from ${sql.table(name)} t order by 1
      `.execute(db)
      all[name] = rows.map((one) => one.row)
    }
    return all
  })
}

const hostile = 'Tab\there, line\nhere, \\N and \\., “quotes”, 山田'

/** A study with a conflict copy, an attachment and an edit; work that waits; a person, settings, sealed audit rows; files of its own. */
export async function fillSource(source: StorageFixture, studyUid: string): Promise<void> {
  const member = await source.addMember(['study_upload', 'study_view', 'study_report_upload'])
  for (const number of [1, 2, 3]) await uploadImage(source, member, madeImage({ studyUid, number }))
  const conflicting = madeImage({ studyUid, number: 1, patientName: 'Else^Who' })
  await uploadImage(source, member, conflicting)
  const form = new FormData()
  form.append('data', new Blob([hostile]), 'letter.txt')
  const study = `${source.base}/study/${member.namespace}/${studyUid}`
  await fetch(`${study}/attachment?sid=${member.sid}`, { method: 'POST', body: form })
  const edits = [{ tag: 'patient_name', old: 'Made^Up', new: hostile, by: member.user, at: '2026-01-02T00:00:00Z' }]
  await sql`update study set patient_name = ${hostile}, edits = ${JSON.stringify(edits)}`.execute(source.db)
  const organisation = await makeOrganisation(source.db, { settings: { motto: hostile } })
  await organisation.addPerson()
  await writeAudit(source.db, {
    accountUuid: null,
    caller: undefined,
    action: 'EDIT',
    type: 'Study',
    detail: { hostile },
  })
  const [record] = await source.query<{ uuid: string }>('select uuid from study')
  const [file] = await source.query<{ id: string; version: string }>('select id, version from attachment')
  if (!record || !file) throw new Error('There is no study with an attachment')
  const payload = { userUuid: member.user, studyUuid: record.uuid, ...file, seriesKey: hostile }
  await enqueue(source.db, declaredJobs.wrapAttachment, payload, { about: { accountUuid: member.account } })
  await sealAudit(source.services, new Date())
  await writeFile(join(source.folder, 'demo-users.json'), '[]', { mode: 0o600 })
  await mkdir(join(source.folder, 'cache'), { recursive: true })
  await writeFile(join(source.folder, 'cache', 'made-ahead'), 'again')
}

export const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Keys of an export's objects. */
export async function objectsOf(folder: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of readObjectList(partsOf(folder).objectList)) keys.push(key)
  return keys
}
