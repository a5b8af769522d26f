import type { mailRetry } from '@hilum/contract/calls/mail'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { findLink, type LinkRow } from '../link/link-list.sql.ts'
import { lockAddressee } from '../link/link.sql.ts'
import { mailLinkAgain } from '../link/mail-link.command.ts'
import { findUnsentMail, putMailAgain, wipeMailsOfLinks } from './mail.sql.ts'
import { publicAddress } from './public-address.ts'

export const retry: Handler<typeof mailRetry> = async ({ services, input, caller, on, origin, fail }) => {
  const accountUuid = on.ownerUuid
  const address = publicAddress(services.config, origin)
  await services.db.transaction().execute(async (tx) => {
    const mail = await findUnsentMail(tx, accountUuid, input.uuid)
    if (!mail) throw fail('NOT_FOUND')
    if (!mail.may_retry) throw fail('EXPIRED')
    if (mail.link_uuid) {
      const link = await lockLinkOf(tx, mail.link_uuid, input.uuid)
      if (!link) throw fail('EXPIRED')
      await wipeMailsOfLinks(tx, [link.uuid], { isAnew: true })
      // whoever tries a held mail again was told that its exam is of another patient now
      const to = { accountUuid, address, email: link.email, isLater: !mail.held }
      if (!(await mailLinkAgain(tx, services.sealer, link, to))) throw fail('EXPIRED')
    } else if (!(await putMailAgain(tx, input.uuid))) throw fail('EXPIRED')
    const detail = { mail_tried_again: mail.recipient }
    await writeAudit(tx, { accountUuid, caller, action: 'SEND', type: 'Account', objectUuid: accountUuid, detail })
  })
  return {}
}

/** A link that can be opened still, locked, where this mail is the last to tell its address. */
async function lockLinkOf(tx: Tx, linkUuid: string, mailUuid: string): Promise<LinkRow | undefined> {
  if (!(await lockAddressee(tx, linkUuid))) return undefined
  const link = await findLink(tx, linkUuid)
  const isOver = !link || ['ended', 'expired', 'used'].includes(link.state)
  return isOver || link.mail_uuid !== mailUuid ? undefined : link
}
