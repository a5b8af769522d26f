import { randomBytes } from 'node:crypto'
import type { linkMail } from '@hilum/contract/calls/link'
import { digestOf } from '../../access/sid.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { wipeMailsOfLinks } from '../mail/mail.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { findLink } from './link-list.sql.ts'
import { lockAddressee, setLinkEmail, setLinkSecret, showsUnseenMixed } from './link.sql.ts'
import { mayKnowAddress, placeOf } from './link-place.policy.ts'
import { readEmail } from './link-values.policy.ts'
import { mailLinkAgain } from './mail-link.command.ts'
import { secretBytes } from './make-link.command.ts'

export const mail: Handler<typeof linkMail> = async ({ services, input, caller, on, origin, fail }) => {
  const row = await findLink(services.db, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  const { membership, accountUuid, objectUuid } = placeOf(on)
  if (!mayKnowAddress(membership, row)) throw fail('NOT_PERMITTED')
  const email = readEmail(input.email) || row.email
  if (!email) throw fail('INVALID_EMAIL')
  if (['ended', 'expired', 'used'].includes(row.state)) throw fail('EXPIRED', { subtype: row.state })
  await services.db.transaction().execute(async (tx) => {
    const before = await lockAddressee(tx, row.uuid)
    if (!before?.sealed_secret) throw fail('EXPIRED', { subtype: row.state })
    let sealed = before.sealed_secret
    // whoever had the link by mistake keeps nothing that opens it
    const isOther = before.email !== '' && before.email.toLowerCase() !== email.toLowerCase()
    if (isOther) {
      if (await showsUnseenMixed(tx, row.uuid)) throw fail('NOT_READY', { subtype: 'mixed_patients' })
      const secret = randomBytes(secretBytes).toString('base64url')
      sealed = services.sealer.seal(secret, row.uuid)
      await setLinkSecret(tx, row.uuid, digestOf(secret), sealed)
    }
    await setLinkEmail(tx, row.uuid, email)
    await wipeMailsOfLinks(tx, [row.uuid], { isAnew: true })
    const address = publicAddress(services.config, origin)
    const link = { ...row, sealed_secret: sealed }
    if (!(await mailLinkAgain(tx, services.sealer, link, { accountUuid, address, email })))
      throw fail('EXPIRED', { subtype: row.state })
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'SEND',
      type: 'Link',
      objectUuid,
      phiNamespace: membership.namespaceUuid,
      detail: { link: row.uuid, email, ...(isOther ? { before: before.email } : {}) },
    })
  })
  return { has_smtp: services.config.smtpUrl ? 1 : 0 }
}
