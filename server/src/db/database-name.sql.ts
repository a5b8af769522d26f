import { sql } from 'kysely'
import type { Db } from './database.ts'

/** @returns undefined of a database without tables, or of a release that gave it no name */
export async function findDatabaseName(db: Db): Promise<string | undefined> {
  if (!(await hasTable(db, 'database_name'))) return undefined
  const { rows } = await sql<{ uuid: string }>`select uuid from database_name`.execute(db)
  return rows[0]?.uuid
}

/** Whether there is any organisation, also in a database of an older release. */
export async function hasOrganisation(db: Db): Promise<boolean> {
  if (!(await hasTable(db, 'account'))) return false
  const { rows } = await sql`select from account limit 1`.execute(db)
  return rows.length > 0
}

/** Whether objects are on record, also in a database of an older release. */
export async function hasStoredObjects(db: Db): Promise<boolean> {
  if (!(await hasTable(db, 'blob'))) return false
  const { rows } = await sql`select from blob limit 1`.execute(db)
  return rows.length > 0
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`select to_regclass(${name}) is not null as is_there`.execute(db)
  return rows[0]?.is_there === true
}
