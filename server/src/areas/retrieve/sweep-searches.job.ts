import type { Services } from '../../services.ts'
import { deleteOldSearches } from './search.sql.ts'

const DAY_MS = 86_400_000

/** Forgets searches of yesterday: their answers name patients. */
export async function sweepSearches({ db }: Pick<Services, 'db'>): Promise<void> {
  await deleteOldSearches(db, new Date(Date.now() - DAY_MS))
}
