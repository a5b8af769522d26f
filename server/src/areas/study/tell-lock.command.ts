import type { Services } from '../../services.ts'
import { writeEvent } from '../event/event.sql.ts'

/** Lets everybody who watches the record see that it was taken or given back. */
export async function tellLockChanged(
  services: Services,
  record: { phi_namespace: string; uuid: string },
): Promise<void> {
  await writeEvent(services.db, 'study', record.phi_namespace, record.uuid)
  services.events.ring()
}
