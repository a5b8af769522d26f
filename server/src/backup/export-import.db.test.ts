import { randomUUID } from 'node:crypto'
import { copyFile, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  dump,
  emptyDatabase,
  exists,
  exportedSource,
  exportFrom,
  importInto,
  listener,
  objectsOf,
  withDatabase,
} from '../../test/export-fixture.ts'
import { madeImage, uploadImage } from '../../test/made-image.ts'
import { objectPath } from '../../test/object-path.ts'
import { writeAudit } from '../areas/audit/audit.sql.ts'
import { sealAudit } from '../areas/audit/seal-audit.job.ts'
import { verifyAudit } from '../areas/audit/verify-audit.command.ts'
import { verifyStorage } from '../areas/retention/verify-storage.command.ts'
import { readConfig } from '../config.ts'
import { migrateTo, migrationNames } from '../db/migrate.ts'
import { openLog } from '../log.ts'
import { openServices } from '../open-services.ts'
import { createFileStore } from '../outbound/storage/file-store.ts'
import { partsOf } from './manifest.ts'

const { source, place, studyUid } = await exportedSource()
const untouched = await emptyDatabase()
const [forRoundTrip, forWrites, forOlder, older, forResumed, forLost, forRights] = [
  await emptyDatabase(),
  await emptyDatabase(),
  await emptyDatabase(),
  await emptyDatabase(),
  await emptyDatabase(),
  await emptyDatabase(),
  await emptyDatabase(),
]

async function faultsOf(target: { url: string; folder: string }): Promise<unknown[]> {
  const faults: unknown[] = []
  await withDatabase(target.url, async ({ db }) => {
    const store = createFileStore(join(target.folder, 'objects'))
    const tell = (fault: object) => void faults.push(fault)
    await verifyStorage({ db, store }, { isQuick: false, now: new Date(), tell })
    await verifyAudit(db, tell)
  })
  return faults
}

describe('what was exported is imported as it was', () => {
  test('every row of every table, every byte of every object, and the installation’s own files', async () => {
    const target = { url: forRoundTrip, folder: place('round-trip') }
    expect(await importInto(target, place('whole'))).toMatchObject({ faults: 0, manifest: { faults: [] } })
    const imported = await dump(target.url)
    expect(imported).toEqual(await dump(source.url))
    // the work that was put off is done there
    expect(imported['work']).toHaveLength(1)
    const keys = await objectsOf(place('whole'))
    expect(keys).toHaveLength(5)
    for (const key of keys) {
      const [here, there] = [target.folder, source.folder].map((folder) => readFile(join(folder, 'objects', key)))
      expect((await here)?.equals((await there) ?? Buffer.alloc(0))).toBe(true)
    }
    expect(await readFile(join(target.folder, 'demo-users.json'), 'utf8')).toBe('[]')
    expect(await exists(join(target.folder, 'cache'))).toBe(false)
    expect(await faultsOf(target)).toEqual([])
  })

  test('numbers go on where they were', async () => {
    await withDatabase(forRoundTrip, async ({ db }) => {
      const { rows } = await sql<{ newest: number }>`select max(id) as newest from audit`.execute(db)
      await writeAudit(db, { accountUuid: null, caller: undefined, action: 'EDIT', type: 'Study' })
      const after = await sql<{ newest: number }>`select max(id) as newest from audit`.execute(db)
      expect(after.rows[0]?.newest).toBeGreaterThan(rows[0]?.newest ?? Number.POSITIVE_INFINITY)
      await sealAudit({ db, log: openLog('silent') }, new Date())
      expect(await verifyAudit(db, () => undefined)).toMatchObject({ faults: 0, unsealed: 0 })
    })
  })

  test('with other rights than any remembered before, and every trigger at work as it was', async () => {
    const triggersOf = (url: string) =>
      withDatabase(url, async ({ db }) => {
        const { rows } = await sql<{ name: string; state: string }>`
          select tgrelid::regclass || ' ' || tgname as name, tgenabled as state from pg_trigger where not tgisinternal
          order by 1`.execute(db)
        return rows
      })
    const epochOf = async (url: string) =>
      withDatabase(url, async ({ db }) => (await sql`select epoch from rights_epoch`.execute(db)).rows)
    await withDatabase(forRights, ({ db }) => migrateTo(db, migrationNames.at(-1) ?? ''))
    const before = await epochOf(forRights)
    await importInto({ url: forRights, folder: place('rights') }, place('whole'))
    expect(await triggersOf(forRights)).toEqual(await triggersOf(source.url))
    expect(await epochOf(forRights)).not.toEqual(before)
  })

  test('of one moment, while others write', async () => {
    const member = await source.addMember(['study_upload'])
    const write = async () => {
      for (let number = 1; number <= 40; number++) {
        await uploadImage(source, member, madeImage({ studyUid: `${studyUid}.1`, number }))
      }
    }
    await Promise.all([write(), exportFrom(source, place('while-writing'))])
    const target = { url: forWrites, folder: place('written') }
    expect(await importInto(target, place('while-writing'))).toMatchObject({ faults: 0 })
    expect(await faultsOf(target)).toEqual([])
  })

  test('and brought up to date when an older Hilum exported it', async () => {
    await withDatabase(older, async ({ db }) => {
      await migrateTo(db, '0009-birth-dates')
      await sql`insert into account (uuid, name, namespace_uuid, issuer)
        values (${randomUUID()}, 'Old', ${randomUUID()}, 'OLD')`.execute(db)
      await sql`insert into audit (action, type) values ('EDIT', 'Study')`.execute(db)
    })
    await mkdir(place('older-data'))
    await exportFrom({ url: older, folder: place('older-data') }, place('older'))
    const target = { url: forOlder, folder: place('updated') }
    expect(await importInto(target, place('older'))).toMatchObject({ faults: 0 })
    const { account, audit } = await dump(target.url)
    expect([account?.length, JSON.parse(audit?.[0] ?? '{}')]).toEqual([
      1,
      expect.objectContaining({ action: 'EDIT', seal_number: null, detail_salt: expect.any(String) }),
    ])
  })
})

describe('where there is something already', () => {
  test('nothing is imported into a data folder or a database that are not empty', async () => {
    await mkdir(place('full'))
    await writeFile(join(place('full'), 'notes'), '')
    const intoFolder = importInto({ url: untouched, folder: place('full') }, place('whole'))
    await expect(intoFolder).rejects.toThrow(/is not empty \(notes\)/)
    const before = await dump(forOlder)
    for (const url of [forOlder, source.url]) {
      const intoDatabase = importInto({ url, folder: place('beside') }, place('whole'))
      await expect(intoDatabase).rejects.toThrow('The database is not empty')
    }
    expect([await exists(place('beside')), await dump(forOlder)]).toEqual([false, before])
  })

  test('nothing is exported into a folder that is not empty, holds an export or lies in the data', async () => {
    await expect(exportFrom(source, place('full'))).rejects.toThrow('is not empty')
    await expect(exportFrom(source, place('whole'))).rejects.toThrow('holds an export already')
    await expect(exportFrom(source, join(source.folder, 'objects', 'x'))).rejects.toThrow('inside the data folder')
  })
})

describe('cut short', () => {
  test('an export goes on with what is there, and does not count as whole before', async () => {
    const stop = new AbortController()
    const stopped = listener((line) => line.startsWith('Tables') && stop.abort(new Error('stopped')))
    await expect(exportFrom(source, place('resumed'), stopped, stop.signal)).rejects.toThrow('stopped')
    const target = { url: untouched, folder: place('never') }
    await expect(importInto(target, place('resumed'))).rejects.toThrow('no whole export')
    const [key = ''] = await objectsOf(place('whole'))
    const { object, mark } = partsOf(place('resumed'))
    await mkdir(join(object(key), '..'), { recursive: true })
    await copyFile(partsOf(place('whole')).object(key), object(key))
    const kept = await stat(object(key))
    await exportFrom(source, place('resumed'))
    expect((await stat(object(key))).ino).toBe(kept.ino)
    expect([await exists(mark), await objectsOf(place('resumed'))]).toEqual([
      false,
      expect.arrayContaining(await objectsOf(place('whole'))),
    ])
  })

  test('an import goes on, and no server starts on what is not whole', async () => {
    const target = { url: forResumed, folder: place('half') }
    await cp(place('whole'), place('damaged'), { recursive: true })
    const folder = place('damaged')
    const [key = ''] = await objectsOf(folder)
    const path = partsOf(folder).object(key)
    const bytes = await readFile(path)
    await writeFile(
      path,
      bytes.map((byte) => byte ^ 1),
    )
    const { lines, tell } = listener()
    await expect(importInto(target, folder, { tell })).rejects.toThrow('1 objects in')
    expect(lines.join('\n')).toContain(`object with other bytes: ${path}`)
    const config = readConfig({ HILUM_DATA: target.folder, DATABASE_URL: target.url })
    await expect(openServices(config, openLog('silent'))).rejects.toThrow('was not finished')
    await expect(importInto(target, place('whole'))).resolves.toMatchObject({ faults: 0 })
    expect(await faultsOf(target)).toEqual([])
    const { services, close } = await openServices(config, openLog('silent'))
    const { rows } = await sql`select from study`.execute(services.db)
    await close()
    expect(rows).not.toEqual([])
  })
})

test('what the installation itself had lost is said by the export and by the import, and the rest goes over', async () => {
  const keys = await objectsOf(place('whole'))
  const [lost = ''] = keys
  const path = objectPath(source.services.config, lost)
  const bytes = await readFile(path)
  await rm(path)
  const manifest = await exportFrom(source, place('lossy')).finally(() => writeFile(path, bytes))
  expect(manifest.faults).toEqual([{ kind: 'object missing', what: lost }])
  const { lines, tell } = listener()
  const target = { url: forLost, folder: place('lossy-data') }
  expect(await importInto(target, place('lossy'), { tell })).toMatchObject({ faults: 1 })
  expect(lines).toContain(`object missing: ${lost}`)
  expect(await faultsOf(target)).toMatchObject([{ kind: 'object missing', what: lost }])
})
