import type { Kysely } from 'kysely'
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
}

/** Brings the database to the present schema; several servers may start it at once, one does it. */
export async function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
