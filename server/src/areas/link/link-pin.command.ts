import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { linkPinMinutes, lockoutMinutes } from '@hilum/contract/limits'
import { addressKey } from '../../access/address-key.ts'
import { digestOf } from '../../access/sid.ts'
import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { linkPinMail } from '../mail/link-mail-texts.ts'
import { insertSecretMail } from '../mail/mail.sql.ts'
import { mayAttempt, type AttemptRule } from '../session/attempt.sql.ts'
import { findPin, type KnockedLink, putPin } from './link-session.sql.ts'

const digits = 6
/** Codes that are mailed for one link: the mailbox is somebody else's. */
const perLink: AttemptRule = { most: 3, minutes: lockoutMinutes, fromLast: false }
/** Codes that one network address asks for, over all links; a clinic may sit behind one. */
const perAddress: AttemptRule = { most: 30, minutes: lockoutMinutes, fromLast: false }

/** The digest by which the code of a link is stored: the same code of another link has another one. */
export const pinDigestOf = (linkUuid: string, pin: string): Buffer =>
  digestOf(`${linkUuid}/${pin.replaceAll(/\s/g, '')}`)

/** Mails a new code to the addressee of a link, and audits to whom. False where too many were mailed already. */
export async function sendPin(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  { uuid: linkUuid, account_uuid: accountUuid }: KnockedLink,
  clientAddress: string,
): Promise<boolean> {
  if (!(await mayAttempt(db, 'link-pin-address', digestOf(addressKey(clientAddress)), perAddress))) return false
  if (!(await mayAttempt(db, 'link-pin', digestOf(linkUuid), perLink))) return false
  const pin = String(randomInt(10 ** digits)).padStart(digits, '0')
  const uuid = randomUUID()
  await db.transaction().execute(async (tx) => {
    // a link that was mailed to somebody else meanwhile has another addressee
    const recipient = await putPin(tx, linkUuid, pinDigestOf(linkUuid, pin), linkPinMinutes)
    if (!recipient) return
    await insertSecretMail(tx, {
      uuid,
      accountUuid,
      recipient,
      ...linkPinMail(),
      sealedSecret: sealer.seal(pin, uuid),
      minutes: linkPinMinutes,
      linkUuid,
    })
    await writeAudit(tx, {
      accountUuid,
      caller: { kind: 'link', linkUuid, name: 'Link', clientAddress },
      action: 'LINK_CODE_MAILED',
      type: 'Link',
      objectUuid: linkUuid,
      detail: { email: recipient },
    })
  })
  return true
}

/** Compares a code with the one that a link asks for. */
export async function lookAtPin(
  db: Services['db'],
  linkUuid: string,
  pin: string,
): Promise<'right' | 'wrong' | 'expired'> {
  const asked = await findPin(db, linkUuid)
  if (!asked) return 'expired'
  return timingSafeEqual(asked, pinDigestOf(linkUuid, pin)) ? 'right' : 'wrong'
}
