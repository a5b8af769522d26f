import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeEvent } from '../event/event.sql.ts'

/**
 * Takes the lock of a record or gives it back, and lets everybody who watches the record see that: both, or neither.
 * @param change undefined or false when the lock stays as it is
 */
export async function changeLock<Changed>(
  services: Services,
  record: { phi_namespace: string; uuid: string },
  change: (tx: Tx) => Promise<Changed>,
): Promise<Changed> {
  const changed = await services.db.transaction().execute(async (tx) => {
    const result = await change(tx)
    if (result) await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
    return result
  })
  if (changed) services.events.ring()
  return changed
}
