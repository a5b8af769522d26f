import { randomUUID } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import { linkReturnedMail } from './link-mail-texts.ts'
import { insertMail, noteMailReturned } from './mail.sql.ts'
import { publicAddress, screenAt } from './public-address.ts'

/**
 * Notes that a mail cannot be delivered, and tells whoever gave the link that it was sent for.
 * @param reason words of the mail server; none where somebody cancelled it
 * @param why `givenUp`: no server took it in all the time that it was tried; `held`: an exam is of another patient by now
 */
export async function noteReturned(
  tx: Tx,
  config: Config,
  mailUuid: string,
  reason: string,
  why: 'returned' | 'givenUp' | 'held' = 'returned',
): Promise<void> {
  const giver = await noteMailReturned(tx, mailUuid, reason, why)
  if (!giver) return
  // no request says by which address the installation is known
  const address = screenAt(publicAddress(config, { host: '', isHttps: false }), '/account-settings/outside')
  const { account_uuid: accountUuid, email: recipient } = giver
  await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...linkReturnedMail(address) })
}
