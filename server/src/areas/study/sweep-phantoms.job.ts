import type { Job } from '../job.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { deleteExpiredPhantoms } from './phantom.sql.ts'

/** Announced studies that got no image in seven days go, and their disappearance is on record. */
export const sweepPhantoms: Job<object> = {
  name: 'sweep-phantoms',
  schedule: '43 * * * *',
  retries: 2,
  expireSeconds: 300,
  run: async ({ db }) => {
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
  },
}
