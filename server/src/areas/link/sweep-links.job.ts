import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { forgetFields } from './link-upload.sql.ts'
import { eraseExpectedOfEnded, wipeEndedAddresses } from './link.sql.ts'
import { forgetPatientsOfLinks } from './sent-link.sql.ts'

const BATCH = 200

/**
 * Forgets the addresses of revoked links once nobody can bring these back, the patients of exams that links showed, custom fields that were filled in for
 * studies, and the patients and exams that requests expected some time after their end. The latter stands on record, without the
 * patient.
 */
export async function sweepLinks({ db }: Pick<Services, 'db'>): Promise<void> {
  await wipeEndedAddresses(db)
  await forgetFields(db)
  await forgetPatientsOfLinks(db)
  for (;;) {
    const erased = await db.transaction().execute(async (tx) => {
      const requests = await eraseExpectedOfEnded(tx, BATCH)
      for (const { link_uuid: link, namespace_uuid: namespace, account_uuid: accountUuid } of requests) {
        await writeAudit(tx, {
          accountUuid,
          caller: undefined,
          action: 'EXPECTED_ERASED',
          type: 'Link',
          objectUuid: namespace,
          phiNamespace: namespace,
          detail: { link },
        })
      }
      return requests.length
    })
    if (erased < BATCH) return
  }
}
