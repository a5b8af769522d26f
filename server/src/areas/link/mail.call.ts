import type { linkMail } from '@hilum/contract/calls/link'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { wipeMail } from '../mail/mail.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { findLink } from './link-list.sql.ts'
import { setLinkEmail } from './link.sql.ts'
import { mayKnowAddress, placeOf } from './link-place.policy.ts'
import { readEmail } from './link-values.policy.ts'
import { mailLinkAgain } from './mail-link.command.ts'

export const mail: Handler<typeof linkMail> = async ({ services, input, caller, on, origin, fail }) => {
  const row = await findLink(services.db, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  const { membership, accountUuid, objectUuid } = placeOf(on)
  if (!mayKnowAddress(membership, row)) throw fail('NOT_PERMITTED')
  const email = readEmail(input.email) || row.email
  if (!email) throw fail('INVALID_EMAIL')
  if (['ended', 'expired', 'used'].includes(row.state)) throw fail('EXPIRED', { subtype: row.state })
  await services.db.transaction().execute(async (tx) => {
    await setLinkEmail(tx, row.uuid, email)
    if (row.mail_uuid) await wipeMail(tx, row.mail_uuid)
    const address = publicAddress(services.config, origin)
    if (!(await mailLinkAgain(tx, services.sealer, row, { accountUuid, address, email })))
      throw fail('EXPIRED', { subtype: row.state })
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'SEND',
      type: 'Link',
      objectUuid,
      phiNamespace: membership.namespaceUuid,
      detail: { link: row.uuid, email },
    })
  })
  return {}
}
