import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { emptyDatabase, exportedSource, exportFrom, importInto, withDatabase } from '../test/export-fixture.ts'
import { openInstallation } from './cli/open-installation.ts'
import { readConfig } from './config.ts'
import { openLog } from './log.ts'
import { openServices } from './open-services.ts'
import { listAppliedMigrations } from './db/migrate.ts'

const { source, place } = await exportedSource()
const [first, second, fresh, older, imported] = [
  await emptyDatabase(),
  await emptyDatabase(),
  await emptyDatabase(),
  await emptyDatabase(),
  await emptyDatabase(),
]

const configOf = (folder: string, url?: string) =>
  readConfig({ HILUM_DATA: folder, ...(url === undefined ? {} : { DATABASE_URL: url }) })
async function start(folder: string, url?: string): Promise<void> {
  const { close } = await openServices(configOf(folder, url), openLog('silent'))
  await close()
}
async function command(folder: string, url?: string): Promise<void> {
  await using installation = await openInstallation(configOf(folder, url))
  expect(installation.db).toBeDefined()
}
const stepsOf = (url: string) => withDatabase(url, ({ db }) => listAppliedMigrations(db))

/** Three installations with objects, each in a folder of its own. */
beforeAll(async () => {
  for (const [name, url] of [
    ['first', first],
    ['second', second],
    ['older', older],
  ] as const)
    await importInto({ url, folder: place(name) }, place('whole'))
})

it('a folder goes on with its own database, and a second process with the same one shares it', async () => {
  const folder = place('first')
  await start(folder, first)
  const { services, close } = await openServices(configOf(folder, first), openLog('silent'))
  await start(folder, first)
  await command(folder, first)
  expect(services.config.dataFolder).toBe(folder)
  await close()
})

it.each([
  ['an empty database', 'empty'],
  ['the database of another installation', 'another'],
  ['no database named, where it has one of its own elsewhere', 'none'],
])('a folder with %s is refused by a start and by every command, and neither of them changes', async (_, which) => {
  const folder = place('first')
  const url = { empty: fresh, another: second, none: undefined }[which]
  const before = url === undefined ? [] : await stepsOf(url)
  const words = which === 'none' ? 'DATABASE_URL is not set' : 'belong to another database'
  await expect(start(folder, url)).rejects.toThrow(words)
  await expect(command(folder, url)).rejects.toThrow(words)
  expect(url === undefined ? [] : await stepsOf(url)).toEqual(before)
  expect(existsSync(join(folder, 'postgres'))).toBe(false)
  await start(folder, first)
})

it('a folder of an older release, without a name, takes its database’s, and no empty one’s', async () => {
  const folder = place('older')
  rmSync(join(folder, 'database.name'))
  await expect(start(folder, fresh)).rejects.toThrow('the database is empty')
  expect(existsSync(join(folder, 'database.name'))).toBe(false)
  // a power cut may leave the file without a word
  writeFileSync(join(folder, 'database.name'), '')
  await start(folder, older)
  await expect(start(folder, first)).rejects.toThrow('belong to another database')
})

it('a database that names objects is refused over a folder without any, as where a disk is not mounted', async () => {
  const bare = place('bare')
  mkdirSync(bare)
  await expect(start(bare, older)).rejects.toThrow('whether the disk is mounted')
  await command(bare, older) // saves what is left, as an export does
  const [objects, away] = [join(place('older'), 'objects'), place('unmounted')]
  renameSync(objects, away)
  mkdirSync(join(objects, 'lost+found'), { recursive: true })
  await expect(start(place('older'), older)).rejects.toThrow('whether the disk is mounted')
  mkdirSync(join(objects, 'lost'))
  await start(place('older'), older)
  rmSync(objects, { recursive: true })
  renameSync(away, objects)
  await start(place('older'), older)
})

it('what is imported is another installation than the one it was exported from', async () => {
  const [original, copy] = [place('first'), place('copy')]
  await exportFrom({ url: first, folder: original }, place('again'))
  await importInto({ url: imported, folder: copy }, place('again'))
  const nameOf = (folder: string) => readFileSync(join(folder, 'database.name'), 'utf8')
  expect(nameOf(copy)).not.toBe(nameOf(original))
  await expect(start(original, imported)).rejects.toThrow('belong to another database')
  await start(copy, imported)
})

it('is one name, whatever is written', async () => {
  await withDatabase(source.url, async ({ db }) => {
    await expect(sql`insert into database_name default values`.execute(db)).rejects.toThrow('duplicate key')
  })
})
