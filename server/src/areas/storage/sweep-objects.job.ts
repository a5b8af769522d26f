import type { Services } from '../../services.ts'
import { listReferencedKeys } from './instance.sql.ts'

const DAY_MS = 86_400_000

/** Deletes objects that were never listed (a kill between file and commit) and are older than a day. Gives how many. */
export async function sweepObjects(services: Pick<Services, 'db' | 'store' | 'log'>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - DAY_MS)
  const swept = await services.store.sweep(before, (keys) => listReferencedKeys(services.db, keys))
  if (swept.length > 0) services.log.info({ event: 'orphans swept', objects: swept.length })
  return swept.length
}
