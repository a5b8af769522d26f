import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { deleteExpiredPhantoms } from './phantom.sql.ts'

/** Announced studies that got no image in seven days go, and their disappearance is on record. */
export async function sweepPhantoms({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const gone of await deleteExpiredPhantoms(tx)) {
      await writeAudit(tx, {
        accountUuid: gone.account_uuid,
        caller: undefined,
        action: 'DELETE',
        type: 'Study',
        objectUuid: gone.uuid,
        phiNamespace: gone.phi_namespace,
        detail: { reason: 'announced, but no image came' },
      })
    }
  })
}
