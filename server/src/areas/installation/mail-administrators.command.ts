import { randomUUID } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import type { Services } from '../../services.ts'
import type { MailText } from '../mail/mail-label.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { listReachableOfAll, noteWarning } from './warning.sql.ts'

/**
 * Mails the administrators of every organisation, each address once, what threatens the installation.
 * @param accountUuid the one organisation that a warning is about
 * @param warning names it in the database, so that one process of all tells it
 * @param again hours after which people are told again; undefined: never
 * @param write the mail, from the address of the web app
 */
export async function mailAdministrators(
  { db, config }: Pick<Services, 'db' | 'config'>,
  {
    warning,
    again,
    write,
    accountUuid: only,
  }: { warning: string; again?: number; write: (address: string) => MailText; accountUuid?: string },
): Promise<void> {
  // no request says by which address the installation is known
  const text = write(publicAddress(config, { host: '', isHttps: false }))
  await db.transaction().execute(async (tx) => {
    const people = await listReachableOfAll(tx)
    const recipients = new Map(
      people
        .filter(({ account_uuid: account }) => only === undefined || account === only)
        .filter(({ permissions }) => mayDo('administerAccount', { permissions: new Set(permissions) }))
        .map((person) => [person.email, person.account_uuid]),
    )
    if (recipients.size === 0 || !(await noteWarning(tx, warning, again))) return
    for (const [recipient, accountUuid] of recipients)
      await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...text })
  })
}
