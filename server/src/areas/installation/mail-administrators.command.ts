import { randomUUID } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import type { Services } from '../../services.ts'
import type { MailText } from '../mail/mail-label.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { wasWarned, listReachable, noteWarning } from './warning.sql.ts'

/**
 * Mails administrators, each address once, of something that threatens their work: those of every organisation of what
 * is of the whole installation, those of one of what is of that one.
 * @param warning names it in the database, so that one process of all tells it
 * @param again hours after which people are told again; undefined: never
 * @param write the mail, from the address of the web app
 * @param accountUuid the one organisation that a warning is about
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
  // first: whatever warns may do so at every failure, and all people of an installation are many
  if (await wasWarned(db, warning, again)) return
  await db.transaction().execute(async (tx) => {
    const people = await listReachable(tx, only)
    const recipients = new Map(
      people
        .filter(({ permissions }) => mayDo('administerAccount', { permissions: new Set(permissions) }))
        .map((person) => [person.email, person.account_uuid]),
    )
    // noted of one organisation also where nobody is to be told: what fails there would have this asked at every failure
    if (recipients.size === 0 && only === undefined) return
    if (!(await noteWarning(tx, warning, again))) return
    for (const [recipient, accountUuid] of recipients)
      await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...text })
  })
}
