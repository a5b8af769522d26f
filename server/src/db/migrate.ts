import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import * as foundation from './migrations/0001-foundation.ts'
import * as mailTries from './migrations/0002-mail-tries.ts'
import * as tags from './migrations/0003-tags.ts'
import * as dicomAssociations from './migrations/0004-dicom-associations.ts'
import * as keeping from './migrations/0005-keeping.ts'
import * as savedSearches from './migrations/0006-saved-searches.ts'
import * as customFields from './migrations/0007-custom-fields.ts'
import * as orders from './migrations/0008-orders.ts'
import * as birthDates from './migrations/0009-birth-dates.ts'
import * as auditSeals from './migrations/0010-audit-seals.ts'
import * as searchShares from './migrations/0011-search-shares.ts'
import * as foldedNames from './migrations/0012-folded-names.ts'
import * as nameStatistics from './migrations/0013-name-statistics.ts'
import * as jobs from './migrations/0014-jobs.ts'

/** Forward only, in the order of their names. */
const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-mail-tries': mailTries,
  '0003-tags': tags,
  '0004-dicom-associations': dicomAssociations,
  '0005-keeping': keeping,
  '0006-saved-searches': savedSearches,
  '0007-custom-fields': customFields,
  '0008-orders': orders,
  '0009-birth-dates': birthDates,
  '0010-audit-seals': auditSeals,
  '0011-search-shares': searchShares,
  '0012-folded-names': foldedNames,
  '0013-name-statistics': nameStatistics,
  '0014-jobs': jobs,
}

/** What this version of Hilum makes of a database, step by step. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** Brings the database to the present schema; several servers may start it at once, one does it. */
export async function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<void> {
  const { error } = await migratorOf(db).migrateToLatest()
  if (error) throw error
}

/** Brings an empty database to an earlier schema. */
export async function migrateTo<Tables>(db: Kysely<Tables>, name: string): Promise<void> {
  const { error } = await migratorOf(db).migrateTo(name)
  if (error) throw error
}

/** The steps that a database has taken, also those that this version does not know; none in an empty one. */
export async function listAppliedMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { rows: found } = await sql<{
    name: string | null
  }>`select to_regclass('kysely_migration')::text as name`.execute(db)
  if (!found[0]?.name) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

function migratorOf<Tables>(db: Kysely<Tables>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}
