import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import * as foundation from './migrations/0001-foundation.ts'
import * as mailTries from './migrations/0002-mail-tries.ts'
import * as tags from './migrations/0003-tags.ts'
import * as savedSearches from './migrations/0006-saved-searches.ts'

/** Forward only, in the order of their names. */
const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-mail-tries': mailTries,
  '0003-tags': tags,
  '0006-saved-searches': savedSearches,
}

/** Brings the database to the present schema; several servers may start it at once, one does it. */
export async function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
