import { sql } from 'kysely'
import { afterAll, afterEach, expect, it } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { assertPresentSchema } from '../cli/open-installation.ts'
import { openDatabase } from './database.ts'
import { migrateToLatest } from './migrate.ts'

const db = await openFresh()
afterEach(() => sql`delete from kysely_migration where name like '9999%'`.execute(db))

async function openFresh() {
  const { url } = await freshDatabase()
  const { db, pool } = openDatabase({ connectionString: url, max: 2 })
  pool.on('error', () => undefined) // dropping the database may end its last connection
  afterAll(() => db.destroy())
  return db
}

const takeStep = (name: string) => sql`insert into kysely_migration values (${name}, 'now')`.execute(db)

it.each([
  ['a server that starts', () => migrateToLatest(db)],
  ['a command beside it', () => assertPresentSchema(db)],
])('says which release made the database that it does not know: %s', async (_, act) => {
  await takeStep('9999-to-come')
  await sql`comment on table kysely_migration is 'Hilum 7.4.0'`.execute(db)
  await expect(act()).rejects.toThrow('The database was made by Hilum 7.4.0, this is Hilum')
  await sql`comment on table kysely_migration is null`.execute(db)
  await expect(act()).rejects.toThrow('made by a newer Hilum, this is Hilum')
})

it('does not call another line of releases newer', async () => {
  const { rows } = await sql<{
    name: string
  }>`delete from kysely_migration where name like '0003%' returning name`.execute(db)
  await expect(migrateToLatest(db)).rejects.toThrow('another line of Hilum')
  await takeStep(rows[0]?.name ?? '')
})

it('leaves the name of the release that brought it up to date', async () => {
  const other = await openFresh()
  await sql.raw('drop schema public cascade; create schema public').execute(other)
  await migrateToLatest(other)
  const maker = await sql<{
    said: string
  }>`select obj_description('kysely_migration'::regclass, 'pg_class') as said`.execute(other)
  expect(maker.rows[0]?.said).toMatch(/^Hilum \d+\.\d+\.\d+( \(commit [0-9a-f]{12}\))?$/)
})
