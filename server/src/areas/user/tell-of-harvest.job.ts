import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { harvestedMail } from '../mail/mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { listHarvestChoosers } from './event-choice.sql.ts'

/** Mails those who chose so that studies came by DICOM or by a share code into a namespace. Run twice, it mails twice. */
export async function tellOfHarvest(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { namespaceUuid }: PayloadOf<'tellOfHarvest'>,
): Promise<void> {
  // no request says by which address the installation is known
  const text = harvestedMail(publicAddress(config, { host: '', isHttps: false }))
  await db.transaction().execute(async (tx) => {
    for (const { account_uuid: accountUuid, email } of await listHarvestChoosers(tx, namespaceUuid)) {
      await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient: email, ...text })
    }
  })
}
