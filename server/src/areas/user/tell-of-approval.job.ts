import { randomUUID } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import { findMembershipOf } from '../../access/find-caller.ts'
import type { Services } from '../../services.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { approvalMail } from '../mail/mail-texts.ts'
import { publicAddress } from '../mail/public-address.ts'
import { listApprovalChoosers } from './event-choice.sql.ts'

/**
 * Mails those who chose so, and may approve there now, that exams wait in a namespace: all of them or, where it fails,
 * nobody. Run twice, it mails twice.
 */
export async function tellOfApproval(
  { db, config, log }: Pick<Services, 'db' | 'config' | 'log'>,
  { namespaceUuid }: PayloadOf<'tellOfApproval'>,
): Promise<void> {
  // no request says by which address the installation is known
  const text = approvalMail(publicAddress(config, { host: '', isHttps: false }))
  await db.transaction().execute(async (tx) => {
    for (const one of await listApprovalChoosers(tx, namespaceUuid)) {
      const membership = await findMembershipOf(tx, one.user_uuid, namespaceUuid, log)
      if (!membership || !mayDo('approveStudy', membership)) continue
      await insertMail(tx, { uuid: randomUUID(), accountUuid: one.account_uuid, recipient: one.email, ...text })
    }
  })
}
